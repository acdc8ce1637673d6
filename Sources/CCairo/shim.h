#pragma once
#include <cairo.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>

// Declared as in cairo-ft.h, but without FreeType's headers, which only Typography includes.
struct FT_FaceRec_;
cairo_font_face_t *cairo_ft_font_face_create_for_ft_face(struct FT_FaceRec_ *face, int load_flags);

static inline cairo_font_face_t *font_face_create_for_freetype(void *face, int load_flags) {
  return cairo_ft_font_face_create_for_ft_face((struct FT_FaceRec_ *)face, load_flags);
}
