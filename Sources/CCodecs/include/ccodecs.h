// The codecs Swift cannot call itself (libpng and libjpeg leave by longjmp).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "palette.h"
#include "pixel_deflate.h"

typedef enum { CODECS_COMPLETE = 0, CODECS_PARTIAL = 1, CODECS_DAMAGED = 2, CODECS_STOPPED = 3 } codecs_status;

/// A zlib stream of `size` bytes at `data`; returns its length, or 0 when `capacity` or memory do not suffice.
size_t codecs_zlib_compress(int level, const uint8_t *data, size_t size, uint8_t *out, size_t capacity);
size_t codecs_zlib_bound(size_t size);
/// The same with a compressor that is used again; null without memory.
void *codecs_zlib_compressor_create(int level);
void codecs_zlib_compressor_destroy(void *compressor);
size_t codecs_zlib_compress_with(void *compressor, const uint8_t *data, size_t size, uint8_t *out, size_t capacity);
/// What a zlib stream holds; returns its length, or 0 where it is damaged or longer than `capacity`.
size_t codecs_zlib_decompress(const uint8_t *data, size_t size, uint8_t *out, size_t capacity);
uint32_t codecs_crc32(uint32_t crc, const uint8_t *data, size_t size);

/// PNG's Paeth filter: `count` bytes from the arguments on, each with the byte `left` bytes before it in `row` and `above`.
/// In C because its compiler makes vectors of the loop, which is five times as fast.
void codecs_filter_paeth(const uint8_t *row, const uint8_t *above, uint8_t *out, size_t count, size_t left);

/// Multiplies BGRA pixels by their alpha, rounding as browsers do.
void codecs_premultiply(uint32_t *pixels, size_t count);

/// Asked now and then while a picture is decoded: not 0 ends it.
typedef struct {
  int (*should_stop)(const void *context);
  const void *context;
} codecs_stop;

/// Each decodes into `pixels`: width × height premultiplied BGRA, zero before, of the size the header tells.
/// `rows` is how many rows from the top hold picture when the answer is `CODECS_PARTIAL`.
codecs_status codecs_png_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                uint32_t *rows);
codecs_status codecs_jpeg_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows);
/// At a half, a quarter or an eighth of the size, rounded up: blocks are made smaller from their lower frequencies, in less time.
codecs_status codecs_jpeg_decode_reduced(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height,
                                         unsigned halvings, codecs_stop stop, uint32_t *rows);
codecs_status codecs_webp_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows);

/// A JPEG file out of rows from the top; translucent pixels are laid over white. `begin` answers NULL without memory or for a size that no JPEG
/// has. `profile` is an ICC profile, or empty. `finish` writes white where rows are missing; the bytes belong to the encoder. Where the answer is not `CODECS_COMPLETE`, only
/// `discard` may follow.
typedef struct codecs_jpeg_encoder codecs_jpeg_encoder;
codecs_jpeg_encoder *codecs_jpeg_begin(uint32_t width, uint32_t height, int quality, int progressive, double dots_per_inch,
                                        const uint8_t *profile, size_t profile_size);
codecs_status codecs_jpeg_append(codecs_jpeg_encoder *encoder, const uint32_t *pixels, uint32_t rows, codecs_stop stop);
codecs_status codecs_jpeg_finish(codecs_jpeg_encoder *encoder, codecs_stop stop, const uint8_t **bytes, size_t *size);
void codecs_jpeg_discard(codecs_jpeg_encoder *encoder);

/// A WebP file, likewise; what is missing is transparent. `finish` is called once.
typedef struct codecs_webp_encoder codecs_webp_encoder;
codecs_webp_encoder *codecs_webp_begin(uint32_t width, uint32_t height, int quality, int lossless);
void codecs_webp_append(codecs_webp_encoder *encoder, const uint32_t *pixels, uint32_t rows);
codecs_status codecs_webp_finish(codecs_webp_encoder *encoder, codecs_stop stop, const uint8_t **bytes, size_t *size);
void codecs_webp_discard(codecs_webp_encoder *encoder);

/// An AVIF file of rows of red, green, blue and alpha, not multiplied. libavif is loaded when it is first asked for; `lossless` ignores the
/// quality, 0 to 100. The same pixels and options give the same bytes with the same libraries. `free` takes what `encode` gave.
typedef struct {
  int quality, lossless, speed;
} codecs_avif_options;
int codecs_avif_is_available(void);
codecs_status codecs_avif_encode(const uint8_t *pixels, uint32_t width, uint32_t height, codecs_avif_options options, const uint8_t *profile,
                                 size_t profile_size, uint8_t **bytes, size_t *size);
void codecs_avif_free(uint8_t *bytes);
/// The first image of an AVIF file, of which no pixel is given unless all are. It cannot be interrupted: the size bounds its time.
codecs_status codecs_avif_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows);
