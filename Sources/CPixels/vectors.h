#pragma once
#include "include/cpixels.h"
#include <string.h>

#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__) && defined(__clang__)
#define VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define VECTORS
#endif

// Eight pixels at a time as 16-bit components. These are macros, because vectors of this size cannot be passed as arguments on every
// target.
enum { PIXELS_AT_ONCE = 8 };
typedef uint16_t halves __attribute__((vector_size(32)));
typedef uint32_t words __attribute__((vector_size(32)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));

/// All components of `pixels` times `factors` / 255. Neither the sum nor the product overflows 16 bits.
#define SCALED(pixels, factors)                                      \
  ({                                                                 \
    halves low_ = ((pixels)&0xff) * (factors) + 128;                 \
    halves high_ = ((pixels) >> 8) * (factors) + 128;                \
    (low_ + (low_ >> 8)) >> 8 | ((high_ + (high_ >> 8)) & 0xff00);   \
  })

/// One factor per pixel, for both halves of its word.
#define FACTORS(of_words) ((halves)((of_words) | (of_words) << 16))

/// `source` over `below`. Nothing of `below` remains under opaque pixels.
#define OVER(below, source) ((words)(source) + (words)SCALED(below, FACTORS(255 - ((words)(source) >> 24))))

#define LOADED(type, from)                \
  ({                                      \
    type loaded_;                         \
    memcpy(&loaded_, from, sizeof loaded_); \
    loaded_;                              \
  })

#define COVERAGE(from) __builtin_convertvector(LOADED(eight_bytes, from), words)

static inline uint32_t scale_pixel(uint32_t pixel, uint32_t factor) {
  uint32_t low = (pixel & 0xff00ff) * factor + 0x800080, high = (pixel >> 8 & 0xff00ff) * factor + 0x800080;
  low = (low + (low >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  high = (high + (high >> 8 & 0xff00ff)) & 0xff00ff00;
  return low | high;
}

static inline uint32_t blend_over(uint32_t below, uint32_t source) { return source + scale_pixel(below, 255 - (source >> 24)); }

static inline uint32_t multiply_bytes(uint32_t a, uint32_t b) {
  uint32_t product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}
