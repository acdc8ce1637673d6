// Loops over rows of pixels, in C because its compiler makes vectors of them. Pixels are premultiplied `0xAARRGGBB` words; coverage is a byte a
// pixel. Products are rounded to nearest, as `scalePixel` of Painting rounds them: the same pixels whatever the processor.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// One translucent colour over a row.
void pixels_fill(uint32_t *out, size_t count, uint32_t pixel);

/// One colour over a row, as much of it as is covered; `other` is a second coverage that the first is multiplied by, or null.
void pixels_fill_covered(uint32_t *out, size_t count, uint32_t pixel, const uint8_t *coverage, const uint8_t *other);

/// The same of `rows` rows, those of `out` `stride` words apart, those of `coverage` `coverage_stride` bytes.
void pixels_fill_picture(
    uint32_t *out, size_t stride, const uint8_t *coverage, size_t coverage_stride, size_t width, size_t rows, uint32_t pixel);

/// A row of pixels over another, as much of it as is covered; null: all of it.
void pixels_blend(uint32_t *out, size_t count, const uint32_t *source, const uint8_t *coverage);

/// The same of pixels of which there are `opacity` / 255, times the coverage.
void pixels_composite(uint32_t *out, size_t count, const uint32_t *source, uint32_t opacity, const uint8_t *coverage);

/// Coverage times what another lacks of being whole.
void pixels_exclude(uint8_t *coverage, size_t count, const uint8_t *other);

/// Coverage times another.
void pixels_multiply(uint8_t *coverage, size_t count, const uint8_t *other);

/// `scale * profile[i]` as bytes; neither is negative.
void pixels_scale_profile(uint8_t *out, size_t count, const double *profile, double scale);

enum { PIXELS_TABLE = 2048 };

/// A gradient's colours: `PIXELS_TABLE` between `first` and `first + length`, then that behind them, then that before them.
typedef struct {
  const uint32_t *table;
  float first, length;
} pixels_gradient;

/// The colours at `start + i * step`.
void pixels_linear_gradient(uint32_t *out, size_t count, double start, double step, pixels_gradient gradient);

/// The colours at the distances of (`x + i * dx`, `y + i * dy`) from the middle.
void pixels_radial_gradient(uint32_t *out, size_t count, double x, double dx, double y, double dy, pixels_gradient gradient);

/// Bytes of a line that lie side by side with those of other lines.
enum { PIXELS_LANES = 64 };

/// The mean of each byte and its neighbours `-left...right` in `PIXELS_LANES` lines side by side; what lies outside is 0.
void pixels_box_blur(const uint8_t *from, uint8_t *to, size_t count, size_t left, size_t right);
