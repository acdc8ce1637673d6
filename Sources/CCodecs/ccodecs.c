#include "ccodecs.h"
#include <libdeflate.h>

size_t codecs_zlib_bound(size_t size) { return libdeflate_zlib_compress_bound(NULL, size); }

size_t codecs_zlib_compress(int level, const uint8_t *data, size_t size, uint8_t *out, size_t capacity) {
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
  if (!compressor) return 0;
  size_t length = libdeflate_zlib_compress(compressor, data, size, out, capacity);
  libdeflate_free_compressor(compressor);
  return length;
}

void *codecs_zlib_compressor_create(int level) { return libdeflate_alloc_compressor(level); }

void codecs_zlib_compressor_destroy(void *compressor) { libdeflate_free_compressor(compressor); }

size_t codecs_zlib_compress_with(void *compressor, const uint8_t *data, size_t size, uint8_t *out, size_t capacity) {
  return libdeflate_zlib_compress(compressor, data, size, out, capacity);
}

size_t codecs_zlib_decompress(const uint8_t *data, size_t size, uint8_t *out, size_t capacity) {
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  if (!decompressor) return 0;
  size_t length = 0;
  enum libdeflate_result result = libdeflate_zlib_decompress(decompressor, data, size, out, capacity, &length);
  libdeflate_free_decompressor(decompressor);
  return result == LIBDEFLATE_SUCCESS ? length : 0;
}

uint32_t codecs_crc32(uint32_t crc, const uint8_t *data, size_t size) { return libdeflate_crc32(crc, data, size); }

void codecs_filter_paeth(const uint8_t *restrict row, const uint8_t *restrict above, uint8_t *restrict out, size_t count, size_t left) {
  for (size_t i = 0; i < count; i++) {
    int16_t a = row[i - left], b = above[i], c = above[i - left];
    int16_t to_left = (int16_t)(b - c), to_above = (int16_t)(a - c), to_corner = (int16_t)(to_left + to_above);
    to_left = to_left < 0 ? -to_left : to_left;
    to_above = to_above < 0 ? -to_above : to_above;
    to_corner = to_corner < 0 ? -to_corner : to_corner;
    int16_t nearer = to_left <= to_above ? a : b, distance = to_left <= to_above ? to_left : to_above;
    out[i] = (uint8_t)(row[i] - (distance <= to_corner ? nearer : c));
  }
}

static inline uint32_t multiply255(uint32_t a, uint32_t b) {
  uint32_t product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

#if defined(__x86_64__) && defined(__clang__)
// Compiled for processors with AVX2, and for all others.
__attribute__((target_clones("avx2", "default")))
#endif
void codecs_premultiply(uint32_t *pixels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t pixel = pixels[i], alpha = pixel >> 24;
    pixels[i] = alpha << 24 | multiply255(pixel >> 16 & 255, alpha) << 16 | multiply255(pixel >> 8 & 255, alpha) << 8
                | multiply255(pixel & 255, alpha);
  }
}
