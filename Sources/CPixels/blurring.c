#include "vectors.h"

VECTORS static void add(uint32_t *restrict sums, const uint8_t *restrict bytes) {
  for (int i = 0; i < PIXELS_LANES; i++) sums[i] += bytes[i];
}

VECTORS void pixels_box_blur(const uint8_t *restrict from, uint8_t *restrict to, size_t count, size_t left, size_t right) {
  uint32_t sums[PIXELS_LANES] = {0};
  uint32_t size = (uint32_t)(left + right + 1), half = size / 2;
  uint64_t reciprocal = (((uint64_t)1 << 32) + size - 1) / size;
  for (size_t i = 0; i < right && i < count; i++) add(sums, from + i * PIXELS_LANES);
  for (size_t i = 0; i < count; i++) {
    if (i + right < count) {
      const uint8_t *coming = from + (i + right) * PIXELS_LANES;
      for (int lane = 0; lane < PIXELS_LANES; lane++) sums[lane] += coming[lane];
    }
    uint8_t *out = to + i * PIXELS_LANES;
    for (int lane = 0; lane < PIXELS_LANES; lane++) out[lane] = (uint8_t)((uint64_t)(sums[lane] + half) * reciprocal >> 32);
    if (i >= left) {
      const uint8_t *going = from + (i - left) * PIXELS_LANES;
      for (int lane = 0; lane < PIXELS_LANES; lane++) sums[lane] -= going[lane];
    }
  }
}
