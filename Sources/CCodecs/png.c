#include "ccodecs.h"
#include <png.h>
#include <string.h>

typedef struct {
  const uint8_t *data;
  size_t size, offset;
  int ended, stopped;
  // The offset by which the last rows must end. Otherwise libpng would also decompress the data after them, which can be a thousand times
  // as long as the file.
  size_t last;
  codecs_stop stop;
} memory_source;

enum { excess = 1 << 16 };

static void read_memory(png_structp png, png_bytep out, size_t length) {
  memory_source *source = png_get_io_ptr(png);
  if (length > source->size - source->offset) {
    source->ended = 1;
    png_error(png, "end of data");
  }
  if (source->offset >= source->last) png_error(png, "more data than rows");
  // 8 KiB of compressed data can decompress to 8 MiB.
  if (source->stop.should_stop(source->stop.context)) {
    source->stopped = 1;
    png_error(png, "stopped");
  }
  memcpy(out, source->data + source->offset, length);
  source->offset += length;
}

static void fail(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) { (void)png; (void)message; }

/// Converts every pixel format of PNG to 8-bit BGRA.
static void set_transforms(png_structp png, png_infop info) {
  int type = png_get_color_type(png, info);
  png_set_expand(png);
  png_set_strip_16(png);
  if (!(type & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(png);
  png_set_bgr(png);
  if (!(type & PNG_COLOR_MASK_ALPHA) && !png_get_valid(png, info, PNG_INFO_tRNS)) png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

/// About a quarter of a million pixels.
static uint32_t rows_between_looks(uint32_t width) { return 1 + (1u << 18) / width; }

static codecs_status decode(
    memory_source *source, size_t read_size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop, uint32_t *rows) {
  // Text and profiles are not used, and are skipped so that they take neither time nor memory.
  static const png_byte skipped[] = "zTXt\0iTXt\0tEXt\0iCCP\0eXIf\0sPLT\0hIST\0";
  volatile uint32_t decoded = 0;
  volatile int begun = 0;
  volatile codecs_status status = CODECS_COMPLETE;
  png_infop volatile info = NULL;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore);
  *rows = 0;
  if (!png) return CODECS_DAMAGED;
  if (setjmp(png_jmpbuf(png))) {
    status = source->stopped ? CODECS_STOPPED
             : source->offset >= source->last ? CODECS_COMPLETE
             : begun ? CODECS_PARTIAL : CODECS_DAMAGED;
  } else {
    info = png_create_info_struct(png);
    if (!info) png_error(png, "memory");
    png_set_user_limits(png, width, height);
    png_set_chunk_malloc_max(png, 8 << 20);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, skipped, 7);
    png_set_read_fn(png, source, read_memory);
    png_set_compression_buffer_size(png, read_size);
    png_read_info(png, info);
    if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) png_error(png, "size");
    set_transforms(png, info);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)width * 4) png_error(png, "row");
    for (int pass = 0; pass < passes; pass++) {
      for (uint32_t y = 0; y < height; y++) {
        if (y % rows_between_looks(width) == 0 && stop.should_stop(stop.context)) {
          status = CODECS_STOPPED;
          pass = passes;
          break;
        }
        if (pass == passes - 1 && y + 2 >= height && source->last == SIZE_MAX) source->last = source->offset + (size_t)width * 16 + excess;
        png_bytep row = (png_bytep)(pixels + (size_t)y * width);
        // Each pass of an interlaced image fills whole blocks, so that a truncated file gives a coarse image.
        if (passes == 1) png_read_row(png, row, NULL);
        else png_read_row(png, NULL, row);
        begun = 1;
        if (decoded < y + 1) decoded = y + 1;
      }
    }
  }
  png_infop made = info;
  png_destroy_read_struct(&png, made ? &made : NULL, NULL);
  *rows = decoded;
  return status;
}

codecs_status codecs_png_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                uint32_t *rows) {
  memory_source source = {data, size, 0, 0, 0, SIZE_MAX, stop};
  codecs_status status = decode(&source, 8192, pixels, width, height, stop, rows);
  if (status == CODECS_STOPPED) return status;
  if (status != CODECS_COMPLETE && source.ended) {
    // libpng discards a read that cannot be satisfied completely. With small reads, all rows in the data are decoded.
    memset(pixels, 0, (size_t)width * height * 4);
    source.offset = 0;
    source.last = SIZE_MAX;
    status = decode(&source, 16, pixels, width, height, stop, rows);
  }
  codecs_premultiply(pixels, (size_t)width * height);
  return status;
}
