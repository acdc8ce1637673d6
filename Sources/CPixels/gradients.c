#include "vectors.h"

/// Places in the table are found some at a time, apart from what is read there: that is what vectors are for.
enum { AT_ONCE = 64 };

VECTORS void pixels_linear_gradient(uint32_t *restrict out, size_t count, double start, double step, const uint32_t *restrict table) {
  int32_t cells[AT_ONCE];
  for (size_t done = 0; done < count; done += AT_ONCE) {
    size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    int32_t first = (int32_t)done;
    for (int32_t i = 0; i < AT_ONCE; i++) {
      float place = (float)(start + (double)(first + i) * step) * (float)PIXELS_TABLE;
      // Beyond the end of the row the place may be anything.
      place = place < (float)(PIXELS_TABLE - 1) ? place : (float)(PIXELS_TABLE - 1);
      cells[i] = (int32_t)(place > 0 ? place : 0);
    }
    for (size_t i = 0; i < part; i++) out[done + i] = table[cells[i]];
  }
}

VECTORS void pixels_radial_gradient(
    uint32_t *restrict out, size_t count, double x, double dx, double y, double dy, const uint32_t *restrict table) {
  int32_t cells[AT_ONCE];
  for (size_t done = 0; done < count; done += AT_ONCE) {
    size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    int32_t first = (int32_t)done;
    for (int32_t i = 0; i < AT_ONCE; i++) {
      double px = x + (double)(first + i) * dx, py = y + (double)(first + i) * dy;
      float distance = (float)__builtin_elementwise_sqrt(px * px + py * py), place = distance * (float)PIXELS_TABLE;
      int32_t cell = (int32_t)(place < (float)(PIXELS_TABLE - 1) ? place : (float)(PIXELS_TABLE - 1));
      cells[i] = distance < 1 ? cell : distance >= 1 ? PIXELS_TABLE : PIXELS_TABLE + 1;
    }
    for (size_t i = 0; i < part; i++) out[done + i] = table[cells[i]];
  }
}

VECTORS void pixels_scale_profile(uint8_t *restrict out, size_t count, const double *restrict profile, double scale) {
  for (size_t i = 0; i < count; i++) {
    double value = scale * profile[i] + 0.5;
    out[i] = (uint8_t)(int32_t)(value < 255 ? value : 255);
  }
}
