#pragma once
#include <stddef.h>
#include <stdint.h>

/// Up to 256 premultiplied colors in order of appearance, and a hash table of colors with their index + 1, or 0 if free.
typedef struct {
  uint32_t colors[256];
  uint32_t count;
  uint64_t slots[1024];
} codecs_palette;

/// Collects the colors of an image.
/// - Returns: 0 if there are more than 256.
int codecs_palette_scan(codecs_palette *palette, const uint32_t *pixels, size_t width, size_t height);

/// Writes unfiltered PNG rows of samples with `depth` bits: `samples[i]` for the i-th color.
void codecs_palette_pack(
    codecs_palette *palette, const uint8_t *samples, unsigned depth, const uint32_t *pixels, size_t width, size_t height, uint8_t *out);
