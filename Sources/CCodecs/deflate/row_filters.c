// Chooses the filter of a row: https://www.w3.org/TR/png-3/#12Filter-selection
#include "../include/pixel_deflate.h"
#include "pixel_rows.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t magnitude;
  row_filter filter;
} filter_choice;

static filter_choice best_filter(const uint32_t *row, const uint32_t *above, size_t count, uint32_t *scratch) {
  static const row_filter filters[] = {ROW_SUB, ROW_UP, ROW_PAETH};
  filter_choice best = {UINT64_MAX, ROW_NONE};
  for (unsigned i = 0; i < 3; i++) {
    pixel_row_filter(filters[i], row, above, count, scratch);
    uint64_t magnitude = pixel_row_magnitude(scratch, count);
    if (magnitude < best.magnitude) best = (filter_choice){magnitude, filters[i]};
  }
  return best;
}

row_filter pixel_row_choose(const uint32_t *row, const uint32_t *above, size_t count, unsigned bytes, uint32_t *scratch) {
  // Filters help photographs and noise, in which few pixels equal their neighbors but most are similar to them.
  size_t novel = pixel_row_novelty(row, above, count);
  if (novel * 4 < count) return ROW_NONE;
  filter_choice best = best_filter(row, above, count, scratch);
  return best.magnitude < (uint64_t)novel * bytes * 12 ? best.filter : ROW_NONE;
}

int codecs_pixel_rows_pack(const uint32_t *pixels, size_t width, size_t height, unsigned bytes, int is_filtered, uint8_t *out) {
  uint32_t *memory = calloc(3 * (width + 8), sizeof *memory), *row = memory, *above = memory + width + 8, *filtered = above + width + 8;
  int is_opaque = 1;
  if (!memory) return 0;
  for (size_t y = 0; y < height; y++, pixels += width, out += width * bytes + 1) {
    is_opaque &= bytes != 3 || pixel_row_is_opaque(pixels, width);
    pixel_row_words(pixels, width, bytes, row);
    row_filter filter = is_filtered ? pixel_row_choose(row, above, width, bytes, filtered) : ROW_NONE;
    pixel_row_filter(filter, row, above, width, filtered);
    out[0] = (uint8_t)filter;
    pixel_row_pack(filtered, width, bytes, out + 1);
    uint32_t *swapped = row;
    row = above;
    above = swapped;
  }
  free(memory);
  return is_opaque;
}

int codecs_pixels_want_filters(const uint32_t *pixels, size_t width, size_t height) {
  uint32_t *scratch = malloc((width + 8) * sizeof *scratch);
  size_t rows = 0;
  if (!scratch) return 0;
  for (size_t y = 1; y < height; y++) {
    const uint32_t *row = pixels + y * width;
    if (memcmp(row, row - width, width * sizeof *row) != 0) rows += pixel_row_choose(row, row - width, width, 3, scratch) != ROW_NONE;
  }
  free(scratch);
  return rows * 8 > height;
}

int codecs_pixels_are_grey(const uint32_t *pixels, size_t count) {
  uint32_t differences = 0;
  for (size_t i = 0; i < count; i++) differences |= (pixels[i] ^ pixels[i] >> 8) & 0xffff;
  return differences == 0;
}
