/// Offprint: HTML and CSS to images, in the host's own process.
///
/// Link with -loffprint. All functions may be called from any thread at the same time; one renderer serves all threads. Strings are UTF-8. No function
/// writes to standard output or error, changes signal handlers, or ends the process.
///
///     offprint_renderer *renderer = offprint_renderer_create(NULL, 0, NULL);
///     const char job[] = "{\"html\": \"<h1>Hello</h1>\", \"width\": 400}";
///     offprint_result *result = offprint_render(renderer, job, sizeof job - 1, NULL, 0, NULL);
///     size_t length;
///     const uint8_t *png = offprint_result_data(result, &length);
///     ...
///     offprint_result_free(result);
///     offprint_renderer_destroy(renderer);
#ifndef OFFPRINT_H
#define OFFPRINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The interface that this header describes. A library of another number is incompatible.
#define OFFPRINT_ABI_VERSION 0

typedef struct offprint_renderer offprint_renderer;
typedef struct offprint_result offprint_result;
typedef struct offprint_cancellation offprint_cancellation;

/// The interface of the library that was loaded.
uint32_t offprint_abi_version(void);

/// Makes a renderer: threads, fonts and a cache. Threads start when there is something to render.
///
/// `configuration` is a JSON object of `length` bytes; NULL for defaults. Its members are options of the command line without their dashes: "cache"
/// (a folder; without it nothing is cached on disk), "cache-max-size", "cache-max-age", "fonts" (folders), "system-fonts", "allow-host", "templates",
/// "tier", "isolate" (draw in worker processes), "jobs" (threads), "queue" (requests that may wait), and every option of a job, as its default.
///
/// Returns NULL where that fails, and then a result in `*error`, unless `error` is NULL.
offprint_renderer *offprint_renderer_create(const char *configuration, size_t length, offprint_result **error);

/// Waits for the renders under way and ends the renderer's threads. NULL is ignored. No other call may use the renderer meanwhile.
///
/// After fork() a child cannot use its parent's renderers, whose threads it does not have: calls fail with the code "usage".
void offprint_renderer_destroy(offprint_renderer *renderer);

/// Renders a page and waits for it.
///
/// `job` is a JSON object as a line of 'offprint batch': "html" or "input" or "template", "width", "format" and so on. With `html` not NULL, the page is
/// those bytes, in UTF-8 or the encoding that they declare.
///
/// The result's data are the encoded image. With "format": "raw" they are pixels: rows from the top, 4 bytes a pixel: red, green, blue, alpha, not
/// premultiplied. Its JSON has width and height (in pixels), bytes, format, mediaType, key, cached, degraded, milliseconds, timings, faces and
/// diagnostics. Never returns NULL.
offprint_result *offprint_render(offprint_renderer *renderer, const char *job, size_t job_length, const void *html, size_t html_length,
                                 offprint_cancellation *cancellation);

/// Lays a page out without drawing it. The result's JSON has width and height of the page, "boxes" (path, name, x, y, width, height of each element),
/// "lines" (path, text, x, y, width, height, baseline of each piece of text) in CSS px, and diagnostics. Never returns NULL.
offprint_result *offprint_measure(offprint_renderer *renderer, const char *job, size_t job_length, const void *html, size_t html_length,
                                  offprint_cancellation *cancellation);

/// What there is, as JSON: "version" (with libraries and features), "options" (of jobs), "configuration" (its options), and of a renderer
/// "templates" and "fonts". The renderer may be NULL for the first three. Never returns NULL.
offprint_result *offprint_list(offprint_renderer *renderer, const char *what);

/// 1 where the call failed. The JSON is then {"error": {"code", "message", "exit", "status"}}: a stable code, a sentence for people, the exit code of
/// the command line and the HTTP status of the service.
int offprint_result_is_error(const offprint_result *result);

/// The bytes, which live as long as the result.
const uint8_t *offprint_result_data(const offprint_result *result, size_t *length);

/// The JSON, which ends with a NUL and lives as long as the result. `length` may be NULL.
const char *offprint_result_json(const offprint_result *result, size_t *length);

/// NULL is ignored.
void offprint_result_free(offprint_result *result);

/// Something that ends renders from another thread. It may stand for many, and must outlive them.
offprint_cancellation *offprint_cancellation_create(void);

/// Renders that were given `cancellation` fail with the code "cancelled", at once or within some milliseconds; so do those that begin later.
void offprint_cancel(offprint_cancellation *cancellation);
void offprint_cancellation_destroy(offprint_cancellation *cancellation);

/// The command line, with the arguments of this process. Does not return: for programs that are nothing else.
int offprint_main(void);

#ifdef __cplusplus
}
#endif
#endif
