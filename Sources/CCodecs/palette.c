#include "palette.h"
#include <string.h>

/// The index of a color, or 256 if there is no space for another one.
static inline unsigned find(codecs_palette *palette, uint32_t pixel) {
  uint32_t slot = (pixel * 0x9e3779b1u) >> 22;
  while (palette->slots[slot] != 0) {
    if (palette->slots[slot] >> 32 == pixel) return (unsigned)(palette->slots[slot] & 0xffff) - 1;
    slot = (slot + 1) & 1023;
  }
  if (palette->count == 256) return 256;
  palette->colors[palette->count++] = pixel;
  palette->slots[slot] = (uint64_t)pixel << 32 | palette->count;
  return palette->count - 1;
}

int codecs_palette_scan(codecs_palette *palette, const uint32_t *pixels, size_t width, size_t height) {
  memset(palette, 0, sizeof *palette);
  for (size_t y = 0; y < height; y++) {
    const uint32_t *row = pixels + y * width;
    if (y > 0 && memcmp(row, row - width, width * sizeof *row) == 0) continue;
    uint32_t last = ~row[0];
    for (size_t x = 0; x < width; x++) {
      if (row[x] == last) continue;
      last = row[x];
      if (find(palette, last) == 256) return 0;
    }
  }
  return 1;
}

static void pack_row(codecs_palette *palette, const uint8_t *samples, unsigned depth, const uint32_t *row, size_t width, uint8_t *out) {
  uint32_t last = ~row[0];
  unsigned sample = 0, byte = 0, filled = 0;
  for (size_t x = 0; x < width; x++) {
    if (row[x] != last) {
      last = row[x];
      sample = samples[find(palette, last) & 255];
    }
    if (depth == 8) {
      out[x] = (uint8_t)sample;
      continue;
    }
    byte = byte << depth | sample;
    filled += depth;
    if (filled == 8) {
      *out++ = (uint8_t)byte;
      byte = filled = 0;
    }
  }
  if (filled > 0) *out = (uint8_t)(byte << (8 - filled));
}

void codecs_palette_pack(
    codecs_palette *palette, const uint8_t *samples, unsigned depth, const uint32_t *pixels, size_t width, size_t height, uint8_t *out) {
  size_t stride = 1 + (width * depth + 7) / 8;
  for (size_t y = 0; y < height; y++, out += stride) {
    const uint32_t *row = pixels + y * width;
    if (y > 0 && memcmp(row, row - width, width * sizeof *row) == 0) {
      memcpy(out, out - stride, stride);
      continue;
    }
    out[0] = 0;
    pack_row(palette, samples, depth, row, width, out + 1);
  }
}
