// The codecs that Swift cannot call itself (libpng and libjpeg report errors by longjmp).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "gif.h"
#include "palette.h"
#include "pixel_deflate.h"

typedef enum { CODECS_COMPLETE = 0, CODECS_PARTIAL = 1, CODECS_DAMAGED = 2, CODECS_STOPPED = 3 } codecs_status;

/// Compresses `size` bytes at `data` to a zlib stream; returns its length, or 0 if `capacity` or memory is insufficient.
size_t codecs_zlib_compress(int level, const uint8_t *data, size_t size, uint8_t *out, size_t capacity);
size_t codecs_zlib_bound(size_t size);
/// The same with a reusable compressor; null if memory cannot be allocated.
void *codecs_zlib_compressor_create(int level);
void codecs_zlib_compressor_destroy(void *compressor);
size_t codecs_zlib_compress_with(void *compressor, const uint8_t *data, size_t size, uint8_t *out, size_t capacity);
/// Decompresses a zlib stream; returns the length, or 0 if the stream is damaged or longer than `capacity`.
size_t codecs_zlib_decompress(const uint8_t *data, size_t size, uint8_t *out, size_t capacity);
uint32_t codecs_crc32(uint32_t crc, const uint8_t *data, size_t size);

/// PNG's Paeth filter for `count` bytes from the pointers on, each with the byte `left` bytes before it in `row` and `above`.
/// Implemented in C because the C compiler vectorizes the loop, which is five times as fast.
void codecs_filter_paeth(const uint8_t *row, const uint8_t *above, uint8_t *out, size_t count, size_t left);

/// Premultiplies BGRA pixels by their alpha, rounding like browsers.
void codecs_premultiply(uint32_t *pixels, size_t count);

/// Called periodically while decoding; a nonzero result stops it.
typedef struct {
  int (*should_stop)(const void *context);
  const void *context;
} codecs_stop;

/// Each function decodes to `pixels`: width × height premultiplied BGRA, initially zero, of the size in the header.
/// `rows` is the number of rows from the top that were decoded, if the result is `CODECS_PARTIAL`.
codecs_status codecs_png_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                uint32_t *rows);
codecs_status codecs_jpeg_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows);
/// Decodes at a half, a quarter or an eighth of the size, rounded up: blocks are reconstructed from their lower frequencies, which takes
/// less time.
codecs_status codecs_jpeg_decode_reduced(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height,
                                         unsigned halvings, codecs_stop stop, uint32_t *rows);
codecs_status codecs_webp_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows);

/// Encodes a JPEG file from rows from the top; translucent pixels are blended over white. `begin` returns NULL if memory cannot be
/// allocated, or if JPEG does not support the size. `profile` is an ICC profile, or empty. `finish` writes white for missing rows; the
/// bytes belong to the encoder. After a result other than `CODECS_COMPLETE`, only `discard` may be called.
typedef struct codecs_jpeg_encoder codecs_jpeg_encoder;
codecs_jpeg_encoder *codecs_jpeg_begin(uint32_t width, uint32_t height, int quality, int progressive, double dots_per_inch,
                                        const uint8_t *profile, size_t profile_size);
codecs_status codecs_jpeg_append(codecs_jpeg_encoder *encoder, const uint32_t *pixels, uint32_t rows, codecs_stop stop);
codecs_status codecs_jpeg_finish(codecs_jpeg_encoder *encoder, codecs_stop stop, const uint8_t **bytes, size_t *size);
void codecs_jpeg_discard(codecs_jpeg_encoder *encoder);

/// Encodes a WebP file in the same way; missing rows are transparent. `finish` may be called once.
typedef struct codecs_webp_encoder codecs_webp_encoder;
codecs_webp_encoder *codecs_webp_begin(uint32_t width, uint32_t height, int quality, int lossless);
void codecs_webp_append(codecs_webp_encoder *encoder, const uint32_t *pixels, uint32_t rows);
codecs_status codecs_webp_finish(codecs_webp_encoder *encoder, codecs_stop stop, const uint8_t **bytes, size_t *size);
void codecs_webp_discard(codecs_webp_encoder *encoder);

/// Encodes an AVIF file from rows of red, green, blue and alpha, not premultiplied. libavif is loaded on first use; `lossless` overrides
/// the quality, 0 to 100. The same pixels and options give the same bytes with the same libraries. The result of `encode` must be passed to
/// `free`.
typedef struct {
  int quality, lossless, speed;
} codecs_avif_options;
int codecs_avif_is_available(void);
codecs_status codecs_avif_encode(const uint8_t *pixels, uint32_t width, uint32_t height, codecs_avif_options options, const uint8_t *profile,
                                 size_t profile_size, uint8_t **bytes, size_t *size);
void codecs_avif_free(uint8_t *bytes);

/// Encodes an AVIF image sequence, frame by frame, of such rows. The result of `begin` must be passed to `discard`, that of `finish` to
/// `codecs_avif_free`.
/// - Parameter timescale: Ticks per second.
/// - Parameter plays: 0 if forever; only libavif 1 writes it.
typedef struct codecs_avif_sequence codecs_avif_sequence;
codecs_avif_sequence *codecs_avif_sequence_begin(uint32_t width, uint32_t height, codecs_avif_options options, int has_alpha,
                                                 uint32_t timescale, uint32_t plays);
codecs_status codecs_avif_sequence_add(codecs_avif_sequence *sequence, const uint8_t *pixels, uint32_t ticks);
codecs_status codecs_avif_sequence_finish(codecs_avif_sequence *sequence, uint8_t **bytes, size_t *size);
void codecs_avif_sequence_discard(codecs_avif_sequence *sequence);
/// Decodes the first image of an AVIF file, completely or not at all. It cannot be interrupted; its time is limited by the size.
codecs_status codecs_avif_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows);
/// The durations of the frames of an image sequence, in seconds; returns their number, at most `most`, or 0 if the file cannot be read.
size_t codecs_avif_durations(const uint8_t *data, size_t size, uint32_t width, uint32_t height, double *durations, size_t most);
codecs_status codecs_avif_decode_frame(const uint8_t *data, size_t size, uint32_t frame, uint32_t *pixels, uint32_t width, uint32_t height,
                                       codecs_stop stop);
