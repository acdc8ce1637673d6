#include "palette.h"
#include <string.h>

/// The index of a colour, or 256 where there is no room for another.
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

// Where the run of `pixel` that holds row[x] ends.
static inline size_t run_end(const uint32_t *row, size_t x, size_t width, uint32_t pixel) {
  const uint64_t two = (uint64_t)pixel << 32 | pixel;
  while (x + 8 <= width) {
    uint64_t eight[4];
    memcpy(eight, row + x, sizeof eight);
    if (((eight[0] ^ two) | (eight[1] ^ two) | (eight[2] ^ two) | (eight[3] ^ two)) != 0) break;
    x += 8;
  }
  while (x < width && row[x] == pixel) x++;
  return x;
}

int codecs_palette_scan(codecs_palette *palette, const uint32_t *pixels, size_t width, size_t height) {
  memset(palette, 0, sizeof *palette);
  for (size_t y = 0; y < height; y++) {
    const uint32_t *row = pixels + y * width;
    if (y > 0 && memcmp(row, row - width, width * sizeof *row) == 0) continue;
    for (size_t x = 0; x < width; x = run_end(row, x + 1, width, row[x])) {
      if (find(palette, row[x]) == 256) return 0;
    }
  }
  return 1;
}

static void pack_row(codecs_palette *palette, const uint8_t *samples, unsigned depth, const uint32_t *row, size_t width, uint8_t *out) {
  const unsigned each = 8 / depth;
  unsigned byte = 0, filled = 0;
  for (size_t x = 0; x < width;) {
    const unsigned sample = samples[find(palette, row[x]) & 255];
    size_t count = run_end(row, x + 1, width, row[x]) - x;
    x += count;
    // Up to the byte's end, whole bytes, and what begins the next.
    for (; count > 0 && filled > 0; count--) {
      byte = byte << depth | sample;
      filled += depth;
      if (filled == 8) {
        *out++ = (uint8_t)byte;
        byte = filled = 0;
      }
    }
    // A sample in each part of a byte: 255 / (2^depth - 1) is 1 in each.
    memset(out, (int)(sample * (255 / ((1u << depth) - 1))), count / each);
    out += count / each;
    for (count %= each; count > 0; count--) {
      byte = byte << depth | sample;
      filled += depth;
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
