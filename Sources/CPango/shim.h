#pragma once
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <pango/pangofc-font.h>
#include <pango/pangoft2.h>
#include <hb.h>
#include <hb-ft.h>
#include <hb-ot.h>
#include <fontconfig/fontconfig.h>
#include <fontconfig/fcfreetype.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_GLYPH_H
#include FT_TRUETYPE_TABLES_H
#include FT_MULTIPLE_MASTERS_H
#include FT_SFNT_NAMES_H
#include FT_FONT_FORMATS_H
#include FT_BITMAP_H
#include <fribidi.h>

// Macros with casts and bit fields, which Swift cannot import.

static inline FT_Int32 offprint_ft_load_target_normal(void) { return FT_LOAD_TARGET_NORMAL; }

enum {
  OFFPRINT_LINE_BREAK = 1, OFFPRINT_MANDATORY_BREAK = 2, OFFPRINT_CURSOR_POSITION = 4, OFFPRINT_WORD_START = 8,
  OFFPRINT_WORD_END = 16, OFFPRINT_WHITE = 32,
};

static inline unsigned offprint_log_attr_flags(const PangoLogAttr *attr) {
  return (attr->is_line_break ? OFFPRINT_LINE_BREAK : 0) | (attr->is_mandatory_break ? OFFPRINT_MANDATORY_BREAK : 0) |
         (attr->is_cursor_position ? OFFPRINT_CURSOR_POSITION : 0) | (attr->is_word_start ? OFFPRINT_WORD_START : 0) |
         (attr->is_word_end ? OFFPRINT_WORD_END : 0) | (attr->is_white ? OFFPRINT_WHITE : 0);
}

#include <zlib.h>
// Decompresses a zlib stream of known size; returns 0 if the size was correct.
static inline int offprint_inflate(unsigned char *out, long *size, const unsigned char *in, long length) {
  uLongf room = (uLongf)*size;
  int result = uncompress(out, &room, in, (uLong)length);
  *size = (long)room;
  return result == Z_OK ? 0 : 1;
}

static inline FriBidiParType offprint_fribidi_par_ltr(void) { return FRIBIDI_PAR_LTR; }
static inline FriBidiParType offprint_fribidi_par_rtl(void) { return FRIBIDI_PAR_RTL; }
static inline FriBidiParType offprint_fribidi_par_auto(void) { return FRIBIDI_PAR_ON; }
