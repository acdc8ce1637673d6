#pragma once
#include <stddef.h>
#include <stdint.h>

/// A reusable encoder of zlib streams from PNG rows.
typedef struct codecs_pixel_deflater codecs_pixel_deflater;

codecs_pixel_deflater *codecs_pixel_deflater_create(void);
void codecs_pixel_deflater_destroy(codecs_pixel_deflater *deflater);
/// The size of its buffers, which grow with the image, in bytes.
size_t codecs_pixel_deflater_memory(const codecs_pixel_deflater *deflater);

/// Begins an image, or a part of one that begins below its first row. Parts are independent, and can be encoded concurrently.
/// - Parameter bytes: The bytes per pixel: 3 for red, green, blue; 4 for these and alpha; 2 for gray and alpha.
/// - Parameter depth: How many positions are tried when searching for a match.
/// - Parameter above: The row above a part; null for an image.
/// - Returns: 0 if memory cannot be allocated.
int codecs_pixel_deflater_begin(
    codecs_pixel_deflater *deflater, size_t width, unsigned bytes, unsigned depth, const uint32_t *above);
/// Adds rows of premultiplied `0xAARRGGBB` words, `stride` words apart.
/// - Returns: 0 if memory cannot be allocated, or if pixels of three bytes are not opaque.
int codecs_pixel_deflater_add(codecs_pixel_deflater *deflater, const uint32_t *pixels, size_t stride, size_t count);

/// DEFLATE data without the header and the checksum of a zlib stream. Parts can be concatenated, since each begins at a byte boundary.
typedef struct {
  /// Valid until the next image or part begins; null if memory could not be allocated.
  const uint8_t *bytes;
  size_t length;
  /// The checksum of the uncompressed bytes: https://www.rfc-editor.org/rfc/rfc1950#page-6
  uint32_t adler;
} codecs_deflated;

/// Ends an image or a part.
codecs_deflated codecs_pixel_deflater_finish(codecs_pixel_deflater *deflater, int is_last);
/// The checksum of two concatenated sequences of bytes, from their checksums and the `length` of the second.
uint32_t codecs_adler_joined(uint32_t first, uint32_t second, size_t length);

/// Writes PNG rows of such pixels, each with the filter that is best for it, or unfiltered; `out` must have space for three more bytes.
/// - Returns: 0 if memory cannot be allocated, or if pixels of three bytes are not opaque.
int codecs_pixel_rows_pack(const uint32_t *pixels, size_t width, size_t height, unsigned bytes, int is_filtered, uint8_t *out);
/// Whether the image's rows resemble a photograph or a gradient rather than text and flat boxes.
int codecs_pixels_want_filters(const uint32_t *pixels, size_t width, size_t height);
/// Whether red, green and blue of each pixel are equal.
int codecs_pixels_are_grey(const uint32_t *pixels, size_t count);
