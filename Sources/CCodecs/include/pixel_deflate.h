#pragma once
#include <stddef.h>
#include <stdint.h>

/// What makes zlib streams of PNG rows; used again and again.
typedef struct codecs_pixel_deflater codecs_pixel_deflater;

codecs_pixel_deflater *codecs_pixel_deflater_create(void);
void codecs_pixel_deflater_destroy(codecs_pixel_deflater *deflater);
/// Bytes that it holds beyond those it always has.
size_t codecs_pixel_deflater_memory(const codecs_pixel_deflater *deflater);

/// Begins a picture, or a part of one that begins below its first row: parts know nothing of each other, and can be coded at the same time.
/// - Parameter bytes: of a pixel: 3: red, green, blue; 4: these and alpha; 2: grey and alpha.
/// - Parameter depth: how many places are looked at for a match.
/// - Parameter above: the row above a part; null for a picture.
/// - Returns: 0 without memory.
int codecs_pixel_deflater_begin(
    codecs_pixel_deflater *deflater, size_t width, unsigned bytes, unsigned depth, const uint32_t *above);
/// Rows of premultiplied `0xAARRGGBB` words, `stride` words apart.
/// - Returns: 0 without memory, or where pixels of three bytes are not opaque.
int codecs_pixel_deflater_add(codecs_pixel_deflater *deflater, const uint32_t *pixels, size_t stride, size_t count);

/// DEFLATE data without the head and the checksum of a zlib stream; parts stand one after the other, each from a whole byte on.
typedef struct {
  /// Valid until the next picture or part begins; null without memory.
  const uint8_t *bytes;
  size_t length;
  /// Of the bytes that were coded: https://www.rfc-editor.org/rfc/rfc1950#page-6
  uint32_t adler;
} codecs_deflated;

/// Ends a picture or part.
codecs_deflated codecs_pixel_deflater_finish(codecs_pixel_deflater *deflater, int is_last);
/// The checksum of bytes and `length` others behind them, from those of each.
uint32_t codecs_adler_joined(uint32_t first, uint32_t second, size_t length);

/// PNG rows of such pixels, each with the filter that suits it, or none with a filter; `out` has three bytes more than they need.
/// - Returns: 0 without memory, or where pixels of three bytes are not opaque.
int codecs_pixel_rows_pack(const uint32_t *pixels, size_t width, size_t height, unsigned bytes, int is_filtered, uint8_t *out);
/// Whether the picture is a photograph or a gradient rather than text and flat boxes, by what its rows are like.
int codecs_pixels_want_filters(const uint32_t *pixels, size_t width, size_t height);
/// Whether every pixel has the same red, green and blue.
int codecs_pixels_are_grey(const uint32_t *pixels, size_t count);
