// Source-over compositing of premultiplied pixels: https://drafts.csswg.org/compositing-1/#porterduffcompositingoperators_srcover
#include "vectors.h"

VECTORS void pixels_fill(uint32_t *out, size_t count, uint32_t pixel) {
  halves source = (halves)((words){0} + pixel);
  size_t i = 0;
  for (; i + PIXELS_AT_ONCE <= count; i += PIXELS_AT_ONCE) {
    words result = OVER(LOADED(halves, out + i), source);
    memcpy(out + i, &result, sizeof result);
  }
  for (; i < count; i++) out[i] = blend_over(out[i], pixel);
}

VECTORS void pixels_fill_covered(uint32_t *out, size_t count, uint32_t pixel, const uint8_t *coverage, const uint8_t *other) {
  halves color = (halves)((words){0} + pixel);
  size_t i = 0;
  for (; i + PIXELS_AT_ONCE <= count; i += PIXELS_AT_ONCE) {
    if (LOADED(uint64_t, coverage + i) == 0) continue;
    words covered = COVERAGE(coverage + i);
    if (other) {
      covered = covered * COVERAGE(other + i) + 128;
      covered = (covered + (covered >> 8)) >> 8;
    }
    halves source = SCALED(color, FACTORS(covered));
    words result = OVER(LOADED(halves, out + i), source);
    memcpy(out + i, &result, sizeof result);
  }
  for (; i < count; i++) {
    out[i] = blend_over(out[i], scale_pixel(pixel, other ? multiply_bytes(coverage[i], other[i]) : coverage[i]));
  }
}

VECTORS void pixels_fill_image(
    uint32_t *out, size_t stride, const uint8_t *coverage, size_t coverage_stride, size_t width, size_t rows, uint32_t pixel) {
  halves color = (halves)((words){0} + pixel);
  for (; rows > 0; rows--, out += stride, coverage += coverage_stride) {
    for (size_t i = 0; i < width; i += PIXELS_AT_ONCE) {
      // Incomplete vectors at the end of a row are processed in temporary buffers.
      size_t part = width - i < PIXELS_AT_ONCE ? width - i : PIXELS_AT_ONCE;
      uint8_t bytes[PIXELS_AT_ONCE] = {0};
      uint32_t pixels[PIXELS_AT_ONCE];
      if (part == PIXELS_AT_ONCE) {
        memcpy(bytes, coverage + i, sizeof bytes);
      } else {
        for (size_t k = 0; k < part; k++) bytes[k] = coverage[i + k];
      }
      if (LOADED(uint64_t, bytes) == 0) continue;
      if (part < PIXELS_AT_ONCE) {
        for (size_t k = 0; k < part; k++) pixels[k] = out[i + k];
        for (size_t k = part; k < PIXELS_AT_ONCE; k++) pixels[k] = 0;
      } else {
        memcpy(pixels, out + i, sizeof pixels);
      }
      halves source = SCALED(color, FACTORS(COVERAGE(bytes)));
      words result = OVER(LOADED(halves, pixels), source);
      memcpy(part == PIXELS_AT_ONCE ? out + i : pixels, &result, sizeof result);
      if (part < PIXELS_AT_ONCE) {
        for (size_t k = 0; k < part; k++) out[i + k] = pixels[k];
      }
    }
  }
}

VECTORS static void blend_all(uint32_t *out, size_t count, const uint32_t *source) {
  size_t i = 0;
  for (; i + PIXELS_AT_ONCE <= count; i += PIXELS_AT_ONCE) {
    halves above = LOADED(halves, source + i);
    words result = OVER(LOADED(halves, out + i), above);
    memcpy(out + i, &result, sizeof result);
  }
  for (; i < count; i++) out[i] = blend_over(out[i], source[i]);
}

VECTORS void pixels_composite(uint32_t *out, size_t count, const uint32_t *source, uint32_t opacity, const uint8_t *coverage) {
  size_t i = 0;
  for (; i + PIXELS_AT_ONCE <= count; i += PIXELS_AT_ONCE) {
    words factors = (words){0} + opacity;
    if (coverage) {
      factors = factors * COVERAGE(coverage + i) + 128;
      factors = (factors + (factors >> 8)) >> 8;
    }
    halves above = SCALED(LOADED(halves, source + i), FACTORS(factors));
    words result = OVER(LOADED(halves, out + i), above);
    memcpy(out + i, &result, sizeof result);
  }
  for (; i < count; i++) out[i] = blend_over(out[i], scale_pixel(source[i], coverage ? multiply_bytes(opacity, coverage[i]) : opacity));
}

void pixels_blend(uint32_t *out, size_t count, const uint32_t *source, const uint8_t *coverage) {
  if (coverage) {
    pixels_composite(out, count, source, 255, coverage);
  } else {
    blend_all(out, count, source);
  }
}

VECTORS void pixels_multiply(uint8_t *restrict coverage, size_t count, const uint8_t *restrict other) {
  for (size_t i = 0; i < count; i++) {
    uint16_t product = (uint16_t)(coverage[i] * other[i] + 128);
    coverage[i] = (uint8_t)((uint16_t)(product + (product >> 8)) >> 8);
  }
}

VECTORS void pixels_exclude(uint8_t *restrict coverage, size_t count, const uint8_t *restrict other) {
  for (size_t i = 0; i < count; i++) {
    uint16_t product = (uint16_t)(coverage[i] * (255 - other[i]) + 128);
    coverage[i] = (uint8_t)((uint16_t)(product + (product >> 8)) >> 8);
  }
}
