#include "pixel_rows.h"
#include <string.h>

#if defined(__x86_64__) && defined(__clang__)
// The compiler vectorizes these loops, for processors with AVX2 and for all others.
#define VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define VECTORS
#endif

static inline uint32_t unpremultiplied(uint32_t pixel) {
  uint32_t alpha = pixel >> 24, half = alpha / 2;
  if (alpha == 255) return pixel;
  if (alpha == 0) return 0;
  uint32_t red = ((pixel >> 16 & 255) * 255 + half) / alpha, green = ((pixel >> 8 & 255) * 255 + half) / alpha,
           blue = ((pixel & 255) * 255 + half) / alpha;
  return alpha << 24 | (red < 255 ? red : 255) << 16 | (green < 255 ? green : 255) << 8 | (blue < 255 ? blue : 255);
}

VECTORS static void opaque_words(const uint32_t *restrict pixels, size_t count, uint32_t *restrict words) {
  for (size_t i = 0; i < count; i++) {
    uint32_t p = pixels[i];
    words[i] = (p >> 16 & 255) | (p & 0xff00) | (p & 255) << 16;
  }
}

void pixel_row_words(const uint32_t *pixels, size_t count, unsigned bytes, uint32_t *words) {
  if (bytes == 3) {
    opaque_words(pixels, count, words);
    return;
  }
  uint32_t last = 0, word = 0;
  for (size_t i = 0; i < count; i++) {
    if (pixels[i] != last) {
      last = pixels[i];
      uint32_t p = unpremultiplied(last);
      word = bytes == 2 ? (p & 255) | p >> 24 << 8 : (p >> 16 & 255) | (p & 0xff00) | (p & 255) << 16 | (p & 0xff000000);
    }
    words[i] = word;
  }
}

VECTORS static uint32_t all_bits(const uint32_t *pixels, size_t count) {
  uint32_t all = 0xff000000;
  for (size_t i = 0; i < count; i++) all &= pixels[i];
  return all;
}

int pixel_row_is_opaque(const uint32_t *pixels, size_t count) { return all_bits(pixels, count) == 0xff000000; }

VECTORS static void subtract(const uint8_t *restrict row, const uint8_t *restrict from, size_t count, uint8_t *restrict out) {
  for (size_t i = 0; i < count; i++) out[i] = (uint8_t)(row[i] - from[i]);
}

VECTORS static void paeth(const uint8_t *restrict row, const uint8_t *restrict above, size_t count, uint8_t *restrict out) {
  for (size_t i = 0; i < count; i++) {
    int16_t a = (row - 4)[i], b = above[i], c = (above - 4)[i];
    int16_t to_left = (int16_t)(b - c), to_above = (int16_t)(a - c), to_corner = (int16_t)(to_left + to_above);
    to_left = to_left < 0 ? -to_left : to_left;
    to_above = to_above < 0 ? -to_above : to_above;
    to_corner = to_corner < 0 ? -to_corner : to_corner;
    int16_t nearer = to_left <= to_above ? a : b, distance = to_left <= to_above ? to_left : to_above;
    out[i] = (uint8_t)(row[i] - (distance <= to_corner ? nearer : c));
  }
}

void pixel_row_filter(row_filter filter, const uint32_t *row, const uint32_t *above, size_t count, uint32_t *out) {
  const uint8_t *bytes = (const uint8_t *)row, *upper = (const uint8_t *)above;
  uint8_t *to = (uint8_t *)out;
  size_t rest = (count - 1) * 4;
  switch (filter) {
    case ROW_NONE: memcpy(out, row, count * 4); return;
    case ROW_SUB:
      out[0] = row[0];
      subtract(bytes + 4, bytes, rest, to + 4);
      return;
    case ROW_UP: subtract(bytes, upper, count * 4, to); return;
    case ROW_PAETH:
      subtract(bytes, upper, 4, to);
      paeth(bytes + 4, upper + 4, rest, to + 4);
      return;
  }
}

VECTORS static uint32_t magnitude(const int8_t *bytes, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    int16_t byte = bytes[i];
    sum += (uint32_t)(uint16_t)(byte < 0 ? -byte : byte);
  }
  return sum;
}

uint64_t pixel_row_magnitude(const uint32_t *words, size_t count) { return magnitude((const int8_t *)words, count * 4); }

VECTORS static uint32_t novelty(const uint32_t *row, const uint32_t *above, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 1; i < count; i++) sum += (row[i] != row[i - 1]) & (row[i] != above[i]);
  return sum;
}

size_t pixel_row_novelty(const uint32_t *row, const uint32_t *above, size_t count) { return novelty(row, above, count); }

void pixel_row_pack(const uint32_t *words, size_t count, unsigned bytes, uint8_t *out) {
  for (size_t i = 0; i < count; i++) {
    uint32_t word = words[i];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    memcpy(out + i * bytes, &word, 4);
  }
}
