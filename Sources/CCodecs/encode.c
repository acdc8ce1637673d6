// Encodes JPEG and WebP files from rows of premultiplied BGRA. Both libraries give the same bytes for the same pixels and options.
#include "ccodecs.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <webp/encode.h>

static int asks_to_stop(codecs_stop stop) { return stop.should_stop && stop.should_stop(stop.context); }

// MARK: JPEG, with translucent pixels blended over white: https://www.w3.org/Graphics/JPEG/itu-t81.pdf

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf leave;
} error_manager;

typedef struct {
  struct jpeg_progress_mgr base;
  codecs_stop stop;
  unsigned calls;
  int stopped;
} progress_manager;

struct codecs_jpeg_encoder {
  struct jpeg_compress_struct info;
  error_manager errors;
  progress_manager progress;
  unsigned char *bytes;
  unsigned long size;
  JSAMPLE *row;
};

static void fail(j_common_ptr info) { longjmp(((error_manager *)info->err)->leave, 1); }
static void ignore(j_common_ptr info) { (void)info; }

static void watch(j_common_ptr info) {
  progress_manager *progress = (progress_manager *)info->progress;
  if (progress->calls++ % 16 != 0 || !asks_to_stop(progress->stop)) return;
  progress->stopped = 1;
  fail(info);
}

void codecs_jpeg_discard(codecs_jpeg_encoder *encoder) {
  if (!encoder) return;
  jpeg_destroy_compress(&encoder->info);
  free(encoder->bytes);
  free(encoder->row);
  free(encoder);
}

// https://www.color.org/specification/ICC.1-2022-05.pdf, B.4: the profile is split into markers numbered from 1.
static void write_profile(struct jpeg_compress_struct *info, const uint8_t *profile, size_t size) {
  enum { HEAD = 14, MOST = 65533 - HEAD };
  size_t count = (size + MOST - 1) / MOST;
  if (count > 255) return;
  for (size_t i = 0; i < count; i++) {
    size_t part = size - i * MOST < MOST ? size - i * MOST : MOST;
    jpeg_write_m_header(info, JPEG_APP0 + 2, (unsigned)(part + HEAD));
    for (int k = 0; k < 12; k++) jpeg_write_m_byte(info, "ICC_PROFILE"[k]);
    jpeg_write_m_byte(info, (int)i + 1);
    jpeg_write_m_byte(info, (int)count);
    for (size_t k = 0; k < part; k++) jpeg_write_m_byte(info, profile[i * MOST + k]);
  }
}

codecs_jpeg_encoder *codecs_jpeg_begin(uint32_t width, uint32_t height, int quality, int progressive, double dots_per_inch,
                                        const uint8_t *profile, size_t profile_size) {
  codecs_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  struct jpeg_compress_struct *info = &encoder->info;
  info->err = jpeg_std_error(&encoder->errors.base);
  encoder->errors.base.error_exit = fail;
  encoder->errors.base.output_message = ignore;
  if (setjmp(encoder->errors.leave)) {
    codecs_jpeg_discard(encoder);
    return NULL;
  }
  jpeg_create_compress(info);
  encoder->row = malloc((size_t)width * 3);
  if (!encoder->row) fail((j_common_ptr)info);
  encoder->progress.base.progress_monitor = watch;
  info->progress = &encoder->progress.base;
  jpeg_mem_dest(info, &encoder->bytes, &encoder->size);
  info->image_width = width;
  info->image_height = height;
  info->input_components = 3;
  info->in_color_space = JCS_RGB;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  info->dct_method = JDCT_ISLOW;
  info->optimize_coding = TRUE;
  info->density_unit = 1;
  info->X_density = info->Y_density = (UINT16)(dots_per_inch < 1 ? 1 : dots_per_inch > 65535 ? 65535 : dots_per_inch + 0.5);
  // Chroma subsampling blurs the edges of colored text, so it is not used from quality 90.
  int factor = quality >= 90 ? 1 : 2;
  info->comp_info[0].h_samp_factor = info->comp_info[0].v_samp_factor = factor;
  if (progressive) jpeg_simple_progression(info);
  jpeg_start_compress(info, TRUE);
  write_profile(info, profile, profile_size);
  return encoder;
}

codecs_status codecs_jpeg_append(codecs_jpeg_encoder *encoder, const uint32_t *pixels, uint32_t rows, codecs_stop stop) {
  encoder->progress.stop = stop;
  encoder->progress.stopped = 0;
  if (setjmp(encoder->errors.leave)) return encoder->progress.stopped ? CODECS_STOPPED : CODECS_DAMAGED;
  uint32_t width = encoder->info.image_width;
  for (uint32_t y = 0; y < rows && encoder->info.next_scanline < encoder->info.image_height; y++, pixels += width) {
    for (uint32_t x = 0; x < width; x++) {
      uint32_t pixel = pixels[x], white = 255 - (pixel >> 24);
      encoder->row[3 * x] = (JSAMPLE)((pixel >> 16 & 255) + white);
      encoder->row[3 * x + 1] = (JSAMPLE)((pixel >> 8 & 255) + white);
      encoder->row[3 * x + 2] = (JSAMPLE)((pixel & 255) + white);
    }
    JSAMPROW row = encoder->row;
    jpeg_write_scanlines(&encoder->info, &row, 1);
  }
  return CODECS_COMPLETE;
}

codecs_status codecs_jpeg_finish(codecs_jpeg_encoder *encoder, codecs_stop stop, const uint8_t **bytes, size_t *size) {
  encoder->progress.stop = stop;
  encoder->progress.stopped = 0;
  if (setjmp(encoder->errors.leave)) return encoder->progress.stopped ? CODECS_STOPPED : CODECS_DAMAGED;
  memset(encoder->row, 255, (size_t)encoder->info.image_width * 3);
  while (encoder->info.next_scanline < encoder->info.image_height) {
    JSAMPROW row = encoder->row;
    jpeg_write_scanlines(&encoder->info, &row, 1);
  }
  jpeg_finish_compress(&encoder->info);
  *bytes = encoder->bytes;
  *size = encoder->size;
  return CODECS_COMPLETE;
}

// MARK: WebP: https://developers.google.com/speed/webp/docs/api#advanced_encoding_api

struct codecs_webp_encoder {
  WebPPicture picture;
  WebPMemoryWriter writer;
  WebPConfig config;
  uint32_t row;
  codecs_stop stop;
};

void codecs_webp_discard(codecs_webp_encoder *encoder) {
  if (!encoder) return;
  WebPPictureFree(&encoder->picture);
  WebPMemoryWriterClear(&encoder->writer);
  free(encoder);
}

codecs_webp_encoder *codecs_webp_begin(uint32_t width, uint32_t height, int quality, int lossless) {
  codecs_webp_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  WebPMemoryWriterInit(&encoder->writer);
  int is_ready = WebPPictureInit(&encoder->picture) && WebPConfigPreset(&encoder->config, WEBP_PRESET_DEFAULT, (float)quality);
  if (is_ready && lossless) is_ready = WebPConfigLosslessPreset(&encoder->config, 6);
  encoder->picture.use_argb = 1;
  encoder->picture.width = (int)width;
  encoder->picture.height = (int)height;
  if (!is_ready || !WebPPictureAlloc(&encoder->picture)) {
    codecs_webp_discard(encoder);
    return NULL;
  }
  memset(encoder->picture.argb, 0, (size_t)encoder->picture.argb_stride * height * 4);
  return encoder;
}

static uint32_t straight(uint32_t pixel) {
  uint32_t alpha = pixel >> 24;
  if (alpha == 255) return pixel;
  if (alpha == 0) return 0;
  uint32_t result = alpha << 24;
  for (int shift = 0; shift < 24; shift += 8) {
    uint32_t component = ((pixel >> shift & 255) * 255 + alpha / 2) / alpha;
    result |= (component > 255 ? 255 : component) << shift;
  }
  return result;
}

void codecs_webp_append(codecs_webp_encoder *encoder, const uint32_t *pixels, uint32_t rows) {
  uint32_t width = (uint32_t)encoder->picture.width, height = (uint32_t)encoder->picture.height;
  for (uint32_t y = 0; y < rows && encoder->row < height; y++, encoder->row++, pixels += width) {
    uint32_t *out = encoder->picture.argb + (size_t)encoder->row * (size_t)encoder->picture.argb_stride;
    for (uint32_t x = 0; x < width; x++) out[x] = straight(pixels[x]);
  }
}

static int go_on(int percent, const WebPPicture *picture) {
  (void)percent;
  return !asks_to_stop(((codecs_webp_encoder *)picture->user_data)->stop);
}

codecs_status codecs_webp_finish(codecs_webp_encoder *encoder, codecs_stop stop, const uint8_t **bytes, size_t *size) {
  encoder->stop = stop;
  encoder->picture.user_data = encoder;
  encoder->picture.progress_hook = go_on;
  encoder->picture.writer = WebPMemoryWrite;
  encoder->picture.custom_ptr = &encoder->writer;
  if (!WebPEncode(&encoder->config, &encoder->picture)) {
    return encoder->picture.error_code == VP8_ENC_ERROR_USER_ABORT ? CODECS_STOPPED : CODECS_DAMAGED;
  }
  *bytes = encoder->writer.mem;
  *size = encoder->writer.size;
  return CODECS_COMPLETE;
}
