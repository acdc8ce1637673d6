#include "ccodecs.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf leave;
} error_manager;

static void fail(j_common_ptr info) { longjmp(((error_manager *)info->err)->leave, 1); }
static void ignore_level(j_common_ptr info, int level) {
  (void)level;
  info->err->num_warnings++;
}
static void ignore(j_common_ptr info) { (void)info; }

typedef struct {
  struct jpeg_progress_mgr base;
  codecs_stop stop;
  unsigned calls;
  int stopped;
} progress_manager;

/// Limits the scans, which take time but almost no bytes in the file; real images have about ten.
enum { most_scans = 100 };

/// Called for each row of blocks.
static void watch(j_common_ptr info) {
  progress_manager *progress = (progress_manager *)info->progress;
  if (progress->calls++ % 16 == 0 && progress->stop.should_stop(progress->stop.context)) {
    progress->stopped = 1;
    fail(info);
  }
  if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > most_scans) fail(info);
}

typedef struct {
  struct jpeg_source_mgr base;
  int end_with_marker, ended;
} source_manager;

static void begin_source(j_decompress_ptr info) { (void)info; }
static void end_source(j_decompress_ptr info) { (void)info; }

/// Called when the data is exhausted. A baseline image stops there; a progressive one consists of the scans so far.
static boolean no_more_data(j_decompress_ptr info) {
  static const JOCTET end_of_image[] = {0xff, JPEG_EOI};
  source_manager *source = (source_manager *)info->src;
  source->ended = 1;
  if (!source->end_with_marker) return FALSE;
  source->base.next_input_byte = end_of_image;
  source->base.bytes_in_buffer = 2;
  return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
  struct jpeg_source_mgr *source = info->src;
  if (count <= 0) return;
  if ((unsigned long)count > source->bytes_in_buffer) count = (long)source->bytes_in_buffer;
  source->next_input_byte += count;
  source->bytes_in_buffer -= (size_t)count;
}

/// CMYK in files by Adobe is inverted, and browsers treat all CMYK that way.
static void convert_cmyk(const uint8_t *cmyk, uint32_t *pixels, uint32_t width) {
  for (uint32_t x = 0; x < width; x++, cmyk += 4) {
    uint32_t k = cmyk[3];
    pixels[x] = 0xff000000u | cmyk[0] * k / 255 << 16 | cmyk[1] * k / 255 << 8 | cmyk[2] * k / 255;
  }
}

codecs_status codecs_jpeg_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows) {
  return codecs_jpeg_decode_reduced(data, size, pixels, width, height, 0, stop, rows);
}

codecs_status codecs_jpeg_decode_reduced(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height,
                                         unsigned halvings, codecs_stop stop, uint32_t *rows) {
  struct jpeg_decompress_struct info;
  error_manager errors;
  progress_manager progress = {{.progress_monitor = watch}, stop, 0, 0};
  source_manager source = {
      {.init_source = begin_source, .fill_input_buffer = no_more_data, .skip_input_data = skip,
       .resync_to_restart = jpeg_resync_to_restart, .term_source = end_source, .next_input_byte = data, .bytes_in_buffer = size}, 0, 0};
  volatile uint32_t decoded = 0;
  uint8_t *volatile cmyk = NULL;
  *rows = 0;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.emit_message = ignore_level;
  errors.base.output_message = ignore;
  if (setjmp(errors.leave)) {
    *rows = decoded;
    jpeg_destroy_decompress(&info);
    free(cmyk);
    if (progress.stopped) return CODECS_STOPPED;
    return decoded ? CODECS_PARTIAL : CODECS_DAMAGED;
  }
  jpeg_create_decompress(&info);
  info.src = &source.base;
  info.progress = &progress.base;
  if (jpeg_read_header(&info, TRUE) != JPEG_HEADER_OK) fail((j_common_ptr)&info);
  info.scale_num = 1;
  info.scale_denom = 1u << (halvings < 3 ? halvings : 3);
  jpeg_calc_output_dimensions(&info);
  if (info.output_width != width || info.output_height != height) fail((j_common_ptr)&info);
  source.end_with_marker = jpeg_has_multiple_scans(&info);
  int four_inks = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = four_inks ? JCS_CMYK : JCS_EXT_BGRA;
  if (four_inks && !(cmyk = malloc((size_t)width * 4))) fail((j_common_ptr)&info);
  if (!jpeg_start_decompress(&info)) fail((j_common_ptr)&info);
  if (info.output_width != width || info.output_height != height) fail((j_common_ptr)&info);
  while (info.output_scanline < height) {
    uint32_t *out = pixels + (size_t)info.output_scanline * width;
    JSAMPROW row = four_inks ? (JSAMPROW)cmyk : (JSAMPROW)out;
    if (jpeg_read_scanlines(&info, &row, 1) != 1) break;
    if (four_inks) convert_cmyk(cmyk, out, width);
    decoded = info.output_scanline;
  }
  *rows = decoded;
  jpeg_destroy_decompress(&info);
  free(cmyk);
  if (!decoded) return CODECS_DAMAGED;
  return decoded == height && !(source.end_with_marker && source.ended) ? CODECS_COMPLETE : CODECS_PARTIAL;
}
