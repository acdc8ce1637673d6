#pragma once
#include <stddef.h>
#include <stdint.h>

// Rows of pixels as words whose low `bytes` bytes, lowest first, are the bytes of the pixel in a PNG.

/// Converts premultiplied `0xAARRGGBB` to words of 3 bytes (red, green, blue), 4 bytes (these and alpha, not premultiplied), or 2 bytes
/// (gray and alpha, not premultiplied).
void pixel_row_words(const uint32_t *pixels, size_t count, unsigned bytes, uint32_t *words);

/// Whether all pixels are opaque.
int pixel_row_is_opaque(const uint32_t *pixels, size_t count);

typedef enum { ROW_NONE = 0, ROW_SUB = 1, ROW_UP = 2, ROW_PAETH = 4 } row_filter;

/// Applies a filter of https://www.w3.org/TR/png-3/#9Filter-types to all four bytes of each word. `above` is a row of zeros for the first
/// row.
void pixel_row_filter(row_filter filter, const uint32_t *row, const uint32_t *above, size_t count, uint32_t *out);

/// The sum of the absolute values of the bytes, as signed bytes.
uint64_t pixel_row_magnitude(const uint32_t *words, size_t count);

/// How many pixels differ from both their left neighbor and the one above.
size_t pixel_row_novelty(const uint32_t *row, const uint32_t *above, size_t count);

/// Packs the bytes of words without gaps; writes up to three bytes more than `count * bytes`.
void pixel_row_pack(const uint32_t *words, size_t count, unsigned bytes, uint8_t *out);

/// Chooses the filter for a row; `scratch` has space for one row.
row_filter pixel_row_choose(const uint32_t *row, const uint32_t *above, size_t count, unsigned bytes, uint32_t *scratch);
