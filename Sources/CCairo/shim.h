#pragma once
#include <cairo.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>

// As in cairo-ft.h, without FreeType's headers: Typography owns those.
struct FT_FaceRec_;
cairo_font_face_t *cairo_ft_font_face_create_for_ft_face(struct FT_FaceRec_ *face, int load_flags);

static inline cairo_font_face_t *font_face_create_for_freetype(void *face, int load_flags) {
  return cairo_ft_font_face_create_for_ft_face((struct FT_FaceRec_ *)face, load_flags);
}
