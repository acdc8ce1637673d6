// Reads and writes AVIF files with libavif, which is loaded on first use. Of its structures, only those it allocates itself are accessed,
// and only the part that is the same in all versions of a series; https://github.com/AOMediaCodec/libavif/blob/main/include/avif/avif.h
#include "clibraries.h"
#include "ccodecs.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { YUV444 = 1, YUV420 = 3, CODEC_AOM = 1, CAN_DECODE = 1, CAN_ENCODE = 2, FORMAT_RGBA = 1, FORMAT_BGRA = 4, STRICT_CLEAN_APERTURE = 2 };

// The first members of avifImage.
typedef struct {
  uint32_t width, height, depth;
  int yuv_format, yuv_range, chroma_position;
  uint8_t *planes[3];
  uint32_t row_bytes[3];
  int owns_planes;
  uint8_t *alpha;
  uint32_t alpha_row_bytes;
  int owns_alpha, is_premultiplied;
  struct { uint8_t *data; size_t size; } icc;
  uint16_t primaries, transfer, matrix;
} image_head;

// The members of avifRGBImage before those that differ between series; the library writes more, so there is space for it.
typedef struct {
  uint32_t width, height, depth;
  int format, upsampling, downsampling, avoids_libyuv, ignores_alpha, is_premultiplied, is_float;
  union {
    struct { uint8_t *pixels; uint32_t row_bytes; } of_0;
    struct { int threads; uint8_t *pixels; uint32_t row_bytes; } of_1;
    uint8_t room[256];
  } rest;
} rgb_image;

// The first members of avifEncoder.
typedef struct {
  int codec, threads, speed, keyframe_interval;
  uint64_t timescale;
  union {
    struct { int least, most, least_alpha, most_alpha; } of_0;
    struct { int repetitions; uint32_t layers; int quality, alpha_quality; } of_1;
  } rest;
} encoder_head;

// The first members of avifDecoder.
typedef struct {
  int codec, threads, source, allows_progressive, allows_incremental, ignores_exif, ignores_xmp;
  uint32_t pixel_limit, dimension_limit, image_limit, strictness;
  image_head *image;
  int image_index, image_count;
} decoder_head;

// avifImageTiming
typedef struct {
  uint64_t timescale;
  double start;
  uint64_t start_in_timescale;
  double duration;
  uint64_t duration_in_timescale;
} image_timing;

typedef struct {
  uint8_t *data;
  size_t size;
} output;

static struct {
  int series;  // 0 or 1; -1 if libavif is not installed
  const char *(*version)(void);
  const char *(*codec_name)(int, uint32_t);
  image_head *(*image_create)(uint32_t, uint32_t, uint32_t, int);
  void (*image_destroy)(image_head *);
  void (*set_profile)(image_head *, const uint8_t *, size_t);  // in series 1 it returns a result, which is ignored
  void (*rgb_defaults)(rgb_image *, const image_head *);
  int (*rgb_to_yuv)(image_head *, const rgb_image *);
  encoder_head *(*encoder_create)(void);
  int (*encoder_write)(encoder_head *, const image_head *, output *);
  int (*encoder_add)(encoder_head *, const image_head *, uint64_t, uint32_t);
  int (*encoder_finish)(encoder_head *, output *);
  void (*encoder_destroy)(encoder_head *);
  void (*output_free)(output *);
  image_head *(*image_create_empty)(void);
  decoder_head *(*decoder_create)(void);
  int (*decoder_read)(decoder_head *, image_head *, const uint8_t *, size_t);
  int (*decoder_set_memory)(decoder_head *, const uint8_t *, size_t);
  int (*decoder_parse)(decoder_head *);
  int (*decoder_frame)(decoder_head *, uint32_t);
  int (*decoder_timing)(const decoder_head *, uint32_t, image_timing *);
  void (*decoder_destroy)(decoder_head *);
  int (*yuv_to_rgb)(const image_head *, rgb_image *);
} avif = {.series = -1};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  static const char *const names[] = {"libavif.so.16", "libavif.so.15"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) library = clibraries_open_file(names[i]);
  if (!library) return;
  int is_whole = 1;
#define FIND(field, name) is_whole &= (*(void **)&avif.field = dlsym(library, name)) != NULL
  FIND(version, "avifVersion");
  FIND(codec_name, "avifCodecName");
  FIND(image_create, "avifImageCreate");
  FIND(image_destroy, "avifImageDestroy");
  FIND(set_profile, "avifImageSetProfileICC");
  FIND(rgb_defaults, "avifRGBImageSetDefaults");
  FIND(rgb_to_yuv, "avifImageRGBToYUV");
  FIND(encoder_create, "avifEncoderCreate");
  FIND(encoder_write, "avifEncoderWrite");
  FIND(encoder_add, "avifEncoderAddImage");
  FIND(encoder_finish, "avifEncoderFinish");
  FIND(encoder_destroy, "avifEncoderDestroy");
  FIND(output_free, "avifRWDataFree");
  FIND(image_create_empty, "avifImageCreateEmpty");
  FIND(decoder_create, "avifDecoderCreate");
  FIND(decoder_read, "avifDecoderReadMemory");
  FIND(decoder_set_memory, "avifDecoderSetIOMemory");
  FIND(decoder_parse, "avifDecoderParse");
  FIND(decoder_frame, "avifDecoderNthImage");
  FIND(decoder_timing, "avifDecoderNthImageTiming");
  FIND(decoder_destroy, "avifDecoderDestroy");
  FIND(yuv_to_rgb, "avifImageYUVToRGB");
#undef FIND
  if (!is_whole || !avif.codec_name(CODEC_AOM, CAN_ENCODE) || !avif.codec_name(CODEC_AOM, CAN_DECODE)) return;
  const char *version = avif.version();
  if (strncmp(version, "0.11.", 5) == 0) avif.series = 0;
  if (strncmp(version, "1.", 2) == 0) avif.series = 1;
}

int codecs_avif_is_available(void) {
  pthread_once(&once, load);
  return avif.series >= 0;
}

static rgb_image rgb_of(const image_head *image, uint8_t *pixels, uint32_t width, int format) {
  rgb_image rgb;
  memset(&rgb, 0, sizeof rgb);
  avif.rgb_defaults(&rgb, image);
  rgb.format = format;
  rgb.depth = 8;
  if (avif.series == 0) {
    rgb.rest.of_0.pixels = pixels;
    rgb.rest.of_0.row_bytes = width * 4;
  } else {
    rgb.rest.of_1.pixels = pixels;
    rgb.rest.of_1.row_bytes = width * 4;
  }
  return rgb;
}

static int convert(image_head *image, const uint8_t *pixels, uint32_t width) {
  rgb_image rgb = rgb_of(image, (uint8_t *)pixels, width, FORMAT_RGBA);
  // An opaque image is written without an alpha plane.
  uint64_t count = (uint64_t)width * image->height, i = 0;
  while (i < count && pixels[4 * i + 3] == 255) i++;
  rgb.ignores_alpha = i == count;
  return avif.rgb_to_yuv(image, &rgb) == 0;
}

static void set(encoder_head *encoder, codecs_avif_options options) {
  encoder->codec = CODEC_AOM;
  encoder->threads = 1;
  encoder->speed = options.speed;
  int quality = options.lossless ? 100 : options.quality;
  if (avif.series == 1) {
    encoder->rest.of_1.quality = quality;
    encoder->rest.of_1.alpha_quality = quality;
  } else {
    int quantizer = ((100 - quality) * 63 + 50) / 100;
    encoder->rest.of_0.least = encoder->rest.of_0.most = quantizer;
    encoder->rest.of_0.least_alpha = encoder->rest.of_0.most_alpha = quantizer;
  }
}

codecs_status codecs_avif_encode(const uint8_t *pixels, uint32_t width, uint32_t height, codecs_avif_options options, const uint8_t *profile,
                                 size_t profile_size, uint8_t **bytes, size_t *size) {
  *bytes = NULL;
  *size = 0;
  if (!codecs_avif_is_available()) return CODECS_DAMAGED;
  image_head *image = avif.image_create(width, height, 8, options.lossless || options.quality >= 90 ? YUV444 : YUV420);
  encoder_head *encoder = avif.encoder_create();
  output file = {NULL, 0};
  codecs_status status = CODECS_DAMAGED;
  if (image && encoder) {
    // sRGB, https://www.itu.int/rec/T-REC-H.273: the matrix coefficients of BT.601, or identity if lossless.
    image->primaries = profile_size ? 2 : 1;
    image->transfer = profile_size ? 2 : 13;
    if (profile_size) avif.set_profile(image, profile, profile_size);
    image->matrix = options.lossless ? 0 : 6;
    image->yuv_range = 1;
    set(encoder, options);
    if (convert(image, pixels, width) && avif.encoder_write(encoder, image, &file) == 0 && (*bytes = malloc(file.size))) {
      memcpy(*bytes, file.data, file.size);
      *size = file.size;
      status = CODECS_COMPLETE;
    }
  }
  avif.output_free(&file);
  if (encoder) avif.encoder_destroy(encoder);
  if (image) avif.image_destroy(image);
  return status;
}

void codecs_avif_free(uint8_t *bytes) { free(bytes); }

// MARK: Image sequences

struct codecs_avif_sequence {
  encoder_head *encoder;
  image_head *image;
  int has_alpha;
};

codecs_avif_sequence *codecs_avif_sequence_begin(uint32_t width, uint32_t height, codecs_avif_options options, int has_alpha,
                                                 uint32_t timescale, uint32_t plays) {
  codecs_avif_sequence *sequence = codecs_avif_is_available() ? calloc(1, sizeof *sequence) : NULL;
  if (!sequence) return NULL;
  sequence->has_alpha = has_alpha;
  sequence->image = avif.image_create(width, height, 8, options.lossless || options.quality >= 90 ? YUV444 : YUV420);
  sequence->encoder = avif.encoder_create();
  if (!sequence->image || !sequence->encoder) {
    codecs_avif_sequence_discard(sequence);
    return NULL;
  }
  sequence->image->primaries = 1;
  sequence->image->transfer = 13;
  sequence->image->matrix = options.lossless ? 0 : 6;
  sequence->image->yuv_range = 1;
  set(sequence->encoder, options);
  sequence->encoder->timescale = timescale;
  // The number of repetitions after the first time; -1 if infinite. Earlier versions do not write it.
  if (avif.series == 1) sequence->encoder->rest.of_1.repetitions = plays ? (int)plays - 1 : -1;
  return sequence;
}

codecs_status codecs_avif_sequence_add(codecs_avif_sequence *sequence, const uint8_t *pixels, uint32_t ticks) {
  rgb_image rgb = rgb_of(sequence->image, (uint8_t *)pixels, sequence->image->width, FORMAT_RGBA);
  // All frames of a sequence have an alpha plane, or none has one.
  rgb.ignores_alpha = !sequence->has_alpha;
  if (avif.rgb_to_yuv(sequence->image, &rgb) != 0) return CODECS_DAMAGED;
  return avif.encoder_add(sequence->encoder, sequence->image, ticks, 0) == 0 ? CODECS_COMPLETE : CODECS_DAMAGED;
}

codecs_status codecs_avif_sequence_finish(codecs_avif_sequence *sequence, uint8_t **bytes, size_t *size) {
  output file = {NULL, 0};
  *bytes = NULL;
  *size = 0;
  if (avif.encoder_finish(sequence->encoder, &file) == 0 && (*bytes = malloc(file.size))) {
    memcpy(*bytes, file.data, file.size);
    *size = file.size;
  }
  avif.output_free(&file);
  return *bytes ? CODECS_COMPLETE : CODECS_DAMAGED;
}

void codecs_avif_sequence_discard(codecs_avif_sequence *sequence) {
  if (!sequence) return;
  if (sequence->encoder) avif.encoder_destroy(sequence->encoder);
  if (sequence->image) avif.image_destroy(sequence->image);
  free(sequence);
}

// In premultiplied files a component can exceed its alpha, and would overflow into other channels in painting.
static void clamp_to_alpha(uint32_t *pixels, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    uint32_t alpha = pixels[i] >> 24, result = alpha << 24;
    for (int shift = 0; shift < 24; shift += 8) {
      uint32_t color = pixels[i] >> shift & 255;
      result |= (color < alpha ? color : alpha) << shift;
    }
    pixels[i] = result;
  }
}

static void limit(decoder_head *decoder, uint32_t width, uint32_t height) {
  decoder->codec = CODEC_AOM;
  decoder->threads = 1;
  decoder->ignores_exif = decoder->ignores_xmp = 1;
  decoder->pixel_limit = width * height;
  decoder->image_limit = 1 << 16;
  // Chromium reads files that lack the properties which the other checks require.
  decoder->strictness = STRICT_CLEAN_APERTURE;
}

static codecs_status convert_decoded(const image_head *image, uint32_t *pixels, uint32_t width, codecs_stop stop) {
  if (stop.should_stop(stop.context)) return CODECS_STOPPED;
  rgb_image rgb = rgb_of(image, (uint8_t *)pixels, width, FORMAT_BGRA);
  rgb.is_premultiplied = 1;
  codecs_status status = avif.yuv_to_rgb(image, &rgb) == 0 ? CODECS_COMPLETE : CODECS_DAMAGED;
  if (image->alpha) clamp_to_alpha(pixels, (uint64_t)width * image->height);
  return status;
}

// Null if the file cannot be read.
static decoder_head *open_sequence(const uint8_t *data, size_t size, uint32_t width, uint32_t height) {
  decoder_head *decoder = codecs_avif_is_available() && (uint64_t)width * height <= UINT32_MAX ? avif.decoder_create() : NULL;
  if (!decoder) return NULL;
  limit(decoder, width, height);
  if (avif.decoder_set_memory(decoder, data, size) == 0 && avif.decoder_parse(decoder) == 0) return decoder;
  avif.decoder_destroy(decoder);
  return NULL;
}

size_t codecs_avif_durations(const uint8_t *data, size_t size, uint32_t width, uint32_t height, double *durations, size_t most) {
  decoder_head *decoder = open_sequence(data, size, width, height);
  if (!decoder) return 0;
  size_t count = decoder->image_count > 0 ? (size_t)decoder->image_count : 0;
  if (count > most) count = most;
  for (size_t i = 0; i < count; i++) {
    image_timing timing;
    durations[i] = avif.decoder_timing(decoder, (uint32_t)i, &timing) == 0 ? timing.duration : 0;
  }
  avif.decoder_destroy(decoder);
  return count;
}

codecs_status codecs_avif_decode_frame(const uint8_t *data, size_t size, uint32_t frame, uint32_t *pixels, uint32_t width, uint32_t height,
                                       codecs_stop stop) {
  decoder_head *decoder = open_sequence(data, size, width, height);
  if (!decoder) return CODECS_DAMAGED;
  codecs_status status = CODECS_DAMAGED;
  if (avif.decoder_frame(decoder, frame) == 0 && decoder->image && decoder->image->width == width && decoder->image->height == height) {
    status = convert_decoded(decoder->image, pixels, width, stop);
  }
  avif.decoder_destroy(decoder);
  return status;
}

codecs_status codecs_avif_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows) {
  *rows = 0;
  if (!codecs_avif_is_available() || (uint64_t)width * height > UINT32_MAX) return CODECS_DAMAGED;
  image_head *image = avif.image_create_empty();
  decoder_head *decoder = avif.decoder_create();
  codecs_status status = CODECS_DAMAGED;
  if (image && decoder) {
    limit(decoder, width, height);
    int is_read = avif.decoder_read(decoder, image, data, size) == 0 && image->width == width && image->height == height;
    if (is_read) status = convert_decoded(image, pixels, width, stop);
  }
  if (decoder) avif.decoder_destroy(decoder);
  if (image) avif.image_destroy(image);
  if (status == CODECS_COMPLETE) *rows = height;
  return status;
}
