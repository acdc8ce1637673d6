#pragma once
#include <stddef.h>
#include <stdint.h>

/// Up to 256 premultiplied colours in order of appearance, and where to find them: colour and index + 1; 0: free.
typedef struct {
  uint32_t colors[256];
  uint32_t count;
  uint64_t slots[1024];
} codecs_palette;

/// The colours of a picture.
/// - Returns: 0 where there are more than 256.
int codecs_palette_scan(codecs_palette *palette, const uint32_t *pixels, size_t width, size_t height);

/// PNG rows of samples of `depth` bits, unfiltered: `samples[i]` for the i-th colour.
void codecs_palette_pack(
    codecs_palette *palette, const uint8_t *samples, unsigned depth, const uint32_t *pixels, size_t width, size_t height, uint8_t *out);
