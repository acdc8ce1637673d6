#include "ccodecs.h"
#include <webp/decode.h>

codecs_status codecs_webp_decode(const uint8_t *data, size_t size, uint32_t *pixels, uint32_t width, uint32_t height, codecs_stop stop,
                                 uint32_t *rows) {
  enum { piece = 1 << 14 };
  WebPDecoderConfig config;
  *rows = 0;
  if (!WebPInitDecoderConfig(&config)) return CODECS_DAMAGED;
  if (WebPGetFeatures(data, size, &config.input) != VP8_STATUS_OK) return CODECS_DAMAGED;
  if (config.input.width != (int)width || config.input.height != (int)height || config.input.has_animation) return CODECS_DAMAGED;
  config.output.colorspace = MODE_bgrA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = (uint8_t *)pixels;
  config.output.u.RGBA.stride = (int)(width * 4);
  config.output.u.RGBA.size = (size_t)width * height * 4;
  WebPIDecoder *decoder = WebPINewDecoder(&config.output);
  if (!decoder) return CODECS_DAMAGED;
  VP8StatusCode code = VP8_STATUS_SUSPENDED;
  int stopped = 0;
  for (size_t known = 0; known < size && code == VP8_STATUS_SUSPENDED && !stopped;) {
    known = size - known > piece ? known + piece : size;
    code = WebPIUpdate(decoder, data, known);
    stopped = stop.should_stop(stop.context);
  }
  int last = 0;
  if (WebPIDecGetRGB(decoder, &last, NULL, NULL, NULL) && last > 0) *rows = (uint32_t)last;
  WebPIDelete(decoder);
  WebPFreeDecBuffer(&config.output);
  if (code == VP8_STATUS_OK) return CODECS_COMPLETE;
  if (stopped) return CODECS_STOPPED;
  return *rows ? CODECS_PARTIAL : CODECS_DAMAGED;
}
