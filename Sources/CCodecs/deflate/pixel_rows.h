#pragma once
#include <stddef.h>
#include <stdint.h>

// Rows of pixels as words whose low `bytes` bytes, lowest first, are what a PNG has of the pixel.

/// Premultiplied `0xAARRGGBB` to words: 3: red, green, blue; 4: these and alpha, not multiplied; 2: grey and alpha, not multiplied.
void pixel_row_words(const uint32_t *pixels, size_t count, unsigned bytes, uint32_t *words);

/// Whether nothing shows through any pixel.
int pixel_row_is_opaque(const uint32_t *pixels, size_t count);

typedef enum { ROW_NONE = 0, ROW_SUB = 1, ROW_UP = 2, ROW_PAETH = 4 } row_filter;

/// https://www.w3.org/TR/png-3/#9Filter-types of all four bytes of each word. `above` is a row of zeros for the first row.
void pixel_row_filter(row_filter filter, const uint32_t *row, const uint32_t *above, size_t count, uint32_t *out);

/// How far the bytes are from 0 in all, as signed bytes.
uint64_t pixel_row_magnitude(const uint32_t *words, size_t count);

/// How many pixels are neither that to their left nor that above.
size_t pixel_row_novelty(const uint32_t *row, const uint32_t *above, size_t count);

/// The bytes of words, without gaps; writes up to three bytes more than `count * bytes`.
void pixel_row_pack(const uint32_t *words, size_t count, unsigned bytes, uint8_t *out);

/// The filter that suits a row; `scratch` has room for one.
row_filter pixel_row_choose(const uint32_t *row, const uint32_t *above, size_t count, unsigned bytes, uint32_t *scratch);
