#pragma once
#include <stddef.h>
#include <stdint.h>

/// The maximum number of colors of an image; one more index is transparent.
enum { CODECS_GIF_COLORS = 255 };

/// Opaque colors `0xffRRGGBB` in order of addition, and a hash table of their indexes + 1, or 0 if free.
typedef struct {
  uint32_t colors[CODECS_GIF_COLORS];
  uint32_t count;
  uint16_t slots[1024];
} codecs_gif_colors;

/// Makes premultiplied pixels opaque, or 0 if their alpha is below a half.
void codecs_gif_threshold(const uint32_t *pixels, size_t count, uint32_t *out);

/// Finds the columns in which two rows differ.
/// - Parameter clears: Only counts pixels that are 0 in the second row and not in the first one.
/// - Returns: 1 if there is such a column, otherwise 0.
int codecs_row_difference(const uint32_t *a, const uint32_t *b, uint32_t width, int clears, uint32_t *first, uint32_t *end);

void codecs_gif_colors_clear(codecs_gif_colors *colors);
/// The index of a color; -1 if it is missing.
int codecs_gif_colors_find(const codecs_gif_colors *colors, uint32_t color);
/// Adds the colors of pixels that are not 0.
/// - Returns: 0 if there are too many. Some of them were added then.
int codecs_gif_colors_add(codecs_gif_colors *colors, const uint32_t *pixels, size_t count);
/// Adds the colors of pixels that are not 0 until there are `most`.
void codecs_gif_colors_fill(codecs_gif_colors *colors, const uint32_t *pixels, size_t count, uint32_t most);
/// Chooses colors that represent the pixels that are not 0.
/// - Returns: 0 if memory cannot be allocated.
int codecs_gif_quantize(codecs_gif_colors *colors, const uint32_t *pixels, size_t count);

/// Writes the index of the nearest color + 1 for each pixel; 0 for pixels that are 0. `colors` must not be empty if there are others.
/// - Parameter left, top: The position of the pixels in the image, which the dither pattern depends on.
/// - Parameter dither: The maximum amount that is added to a component; 0 for none.
/// - Returns: The sum of the squared distances.
uint64_t codecs_gif_map(const codecs_gif_colors *colors, const uint32_t *pixels, uint32_t width, uint32_t height, uint32_t left, uint32_t top,
                        int dither, uint8_t *indexes);

/// How pixels are written that may be transparent (index 0), because the image below has the same color.
/// `CODECS_GIF_EITHER`: as transparent, or as the color if only that continues a string. `CODECS_GIF_LONGEST`: whichever gives the longest string.
typedef enum { CODECS_GIF_COLOR, CODECS_GIF_TRANSPARENT, CODECS_GIF_EITHER, CODECS_GIF_LONGEST } codecs_gif_transparency;

/// Writes image data: the minimum code size, blocks of LZW codes, and a terminator.
/// - Parameter free_pixels: For each pixel, whether it may be transparent.
/// - Parameter bits: The number of bits of an index, 2 to 8.
/// - Returns: The size; 0 if it exceeds the capacity, or memory cannot be allocated.
size_t codecs_gif_compress(const uint8_t *indexes, const uint8_t *free_pixels, size_t count, codecs_gif_transparency use, uint32_t bits,
                           uint8_t *out, size_t capacity);

/// Reads image data that `codecs_gif_compress` wrote.
/// - Returns: The number of indexes that were read, at most `count`.
size_t codecs_gif_decompress(const uint8_t *data, size_t size, uint8_t *indexes, size_t count);
