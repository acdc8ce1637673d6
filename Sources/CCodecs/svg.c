#include "ccodecs.h"
#include <dlfcn.h>
#include <pthread.h>

// librsvg is loaded by the first SVG: linked, it would cost every start several milliseconds.
typedef struct {
  double x, y, width, height;
} rectangle;

static struct {
  void *(*new_from_data)(const uint8_t *, size_t, void **);
  void (*set_dpi)(void *, double);
  int (*set_stylesheet)(void *, const uint8_t *, size_t, void **);
  int (*render_document)(void *, void *, const rectangle *, void **);
  void (*object_unref)(void *);
  void (*error_free)(void *);
  int loaded;
} rsvg;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  *(void **)&rsvg.new_from_data = dlsym(library, "rsvg_handle_new_from_data");
  *(void **)&rsvg.set_dpi = dlsym(library, "rsvg_handle_set_dpi");
  *(void **)&rsvg.set_stylesheet = dlsym(library, "rsvg_handle_set_stylesheet");
  *(void **)&rsvg.render_document = dlsym(library, "rsvg_handle_render_document");
  *(void **)&rsvg.object_unref = dlsym(library, "g_object_unref");
  *(void **)&rsvg.error_free = dlsym(library, "g_error_free");
  rsvg.loaded = rsvg.new_from_data && rsvg.set_dpi && rsvg.set_stylesheet && rsvg.render_document && rsvg.object_unref && rsvg.error_free;
}

codecs_svg_status codecs_svg_draw(
    const uint8_t *data, size_t size, const uint8_t *style_sheet, size_t style_sheet_size, void *cairo,
    double x, double y, double width, double height) {
  pthread_once(&once, load);
  if (!rsvg.loaded) return CODECS_SVG_NO_LIBRARY;
  void *error = NULL;
  // A handle without a base URL: librsvg then refuses every reference but data: URLs.
  void *handle = rsvg.new_from_data(data, size, &error);
  if (handle) {
    rsvg.set_dpi(handle, 96);
    rectangle viewport = {x, y, width, height};
    if (style_sheet_size) rsvg.set_stylesheet(handle, style_sheet, style_sheet_size, &error);
    if (!error) rsvg.render_document(handle, cairo, &viewport, &error);
    rsvg.object_unref(handle);
  }
  if (!error) return handle ? CODECS_SVG_DRAWN : CODECS_SVG_DAMAGED;
  rsvg.error_free(error);
  return CODECS_SVG_DAMAGED;
}
