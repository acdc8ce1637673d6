#include "vectors.h"

/// Table indexes are computed in batches, separately from the lookups, so that the computation can be vectorized.
enum { AT_ONCE = 64 };

/// The table index of a gradient offset; two entries after the colors are for offsets after and before them.
static inline int32_t cell_of(float place, pixels_gradient gradient) {
  float part = (place - gradient.first) / gradient.length, scaled = part * (float)PIXELS_TABLE;
  scaled = scaled < (float)(PIXELS_TABLE - 1) ? scaled : (float)(PIXELS_TABLE - 1);
  int32_t cell = (int32_t)(scaled > 0 ? scaled : 0);
  return part >= 1 ? PIXELS_TABLE : part >= 0 ? cell : PIXELS_TABLE + 1;
}

static inline void look_up(uint32_t *restrict out, size_t count, const int32_t *restrict cells, const uint32_t *restrict table) {
  for (size_t i = 0; i < count && i < AT_ONCE; i++) out[i] = table[cells[i]];
}

VECTORS void pixels_linear_gradient(uint32_t *restrict out, size_t count, double start, double step, pixels_gradient gradient) {
  int32_t cells[AT_ONCE];
  for (size_t done = 0; done < count; done += AT_ONCE) {
    int32_t first = (int32_t)done;
    for (int32_t i = 0; i < AT_ONCE; i++) cells[i] = cell_of((float)(start + (double)(first + i) * step), gradient);
    look_up(out + done, count - done, cells, gradient.table);
  }
}

VECTORS void pixels_radial_gradient(uint32_t *restrict out, size_t count, double x, double dx, double y, double dy, pixels_gradient gradient) {
  int32_t cells[AT_ONCE];
  for (size_t done = 0; done < count; done += AT_ONCE) {
    int32_t first = (int32_t)done;
    for (int32_t i = 0; i < AT_ONCE; i++) {
      double px = x + (double)(first + i) * dx, py = y + (double)(first + i) * dy;
      cells[i] = cell_of((float)__builtin_elementwise_sqrt(px * px + py * py), gradient);
    }
    look_up(out + done, count - done, cells, gradient.table);
  }
}

VECTORS void pixels_scale_profile(uint8_t *restrict out, size_t count, const double *restrict profile, double scale) {
  for (size_t i = 0; i < count; i++) {
    double value = scale * profile[i] + 0.5;
    out[i] = (uint8_t)(int32_t)(value < 255 ? value : 255);
  }
}
