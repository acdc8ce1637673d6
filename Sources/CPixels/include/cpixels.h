// Loops over rows of pixels, in C because the C compiler vectorizes them. Pixels are premultiplied `0xAARRGGBB` words; coverage is one byte
// per pixel. Products are rounded to nearest, like in `scalePixel` of Painting, so that the result is the same on every processor.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Blends one translucent color over a row.
void pixels_fill(uint32_t *out, size_t count, uint32_t pixel);

/// Blends one color over a row, multiplied by coverage; `other` is a second coverage to multiply by, or null.
void pixels_fill_covered(uint32_t *out, size_t count, uint32_t pixel, const uint8_t *coverage, const uint8_t *other);

/// The same for `rows` rows; those of `out` are `stride` words apart, those of `coverage` `coverage_stride` bytes.
void pixels_fill_image(
    uint32_t *out, size_t stride, const uint8_t *coverage, size_t coverage_stride, size_t width, size_t rows, uint32_t pixel);

/// Blends a row of pixels over another, multiplied by coverage; null means full coverage.
void pixels_blend(uint32_t *out, size_t count, const uint32_t *source, const uint8_t *coverage);

/// The same, with the source also multiplied by `opacity` / 255.
void pixels_composite(uint32_t *out, size_t count, const uint32_t *source, uint32_t opacity, const uint8_t *coverage);

/// Multiplies coverage by the inverse of another coverage.
void pixels_exclude(uint8_t *coverage, size_t count, const uint8_t *other);

/// Multiplies coverage by another.
void pixels_multiply(uint8_t *coverage, size_t count, const uint8_t *other);

/// `scale * profile[i]` as bytes; neither may be negative.
void pixels_scale_profile(uint8_t *out, size_t count, const double *profile, double scale);

enum { PIXELS_TABLE = 2048 };

/// The colors of a gradient: `PIXELS_TABLE` between `first` and `first + length`, then the one after them, then the one before them.
typedef struct {
  const uint32_t *table;
  float first, length;
} pixels_gradient;

/// The colors at `start + i * step`.
void pixels_linear_gradient(uint32_t *out, size_t count, double start, double step, pixels_gradient gradient);

/// The colors at the distances of (`x + i * dx`, `y + i * dy`) from the center.
void pixels_radial_gradient(uint32_t *out, size_t count, double x, double dx, double y, double dy, pixels_gradient gradient);

/// The number of interleaved lines: bytes with the same index are adjacent.
enum { PIXELS_LANES = 64 };

/// The mean of each byte and its neighbors `-left...right` in `PIXELS_LANES` interleaved lines; bytes outside of a line count as 0.
void pixels_box_blur(const uint8_t *from, uint8_t *to, size_t count, size_t left, size_t right);
