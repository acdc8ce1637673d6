/// Offprint: HTML and CSS to images, in the host's own process.
///
/// Link with -loffprint. All functions can be called from any thread concurrently; one renderer serves all threads. Strings are UTF-8. No
/// function writes to standard output or error, changes signal handlers, or exits the process.
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

/// The version of the ABI that this header describes. A library with another version is incompatible.
#define OFFPRINT_ABI_VERSION 0

typedef struct offprint_renderer offprint_renderer;
typedef struct offprint_result offprint_result;
typedef struct offprint_cancellation offprint_cancellation;

/// The ABI version of the loaded library.
uint32_t offprint_abi_version(void);

/// Creates a renderer: threads, fonts and a cache. Threads are started on demand.
///
/// `configuration` is a JSON object of `length` bytes; NULL for defaults. Its members are options of the command line without their dashes:
/// "cache" (a folder; without it nothing is cached on disk), "cache-max-size", "cache-max-age", "fonts" (folders), "system-fonts",
/// "allow-host", "templates", "tier", "isolate" (render in worker processes), "jobs" (threads), "queue" (requests that may wait), and every
/// option of a job, as its default.
///
/// On failure, returns NULL and stores a result in `*error`, unless `error` is NULL.
offprint_renderer *offprint_renderer_create(const char *configuration, size_t length, offprint_result **error);

/// Waits for renders in progress, ends the renderer's threads and frees the renderer. NULL is ignored. No other call may use the renderer
/// meanwhile.
///
/// After fork(), a child process cannot use its parent's renderers, because it does not have their threads: calls fail with the code
/// "usage".
void offprint_renderer_destroy(offprint_renderer *renderer);

/// Renders a page and waits for the result.
///
/// `job` is a JSON object like a line of 'offprint batch': "html" or "input" or "template", "width", "format" and so on. If `html` is not
/// NULL, it is the page, in UTF-8 or the encoding it declares.
///
/// The result's data are the encoded image. With "format": "raw" they are pixels: rows from top to bottom, 4 bytes per pixel: red, green,
/// blue, alpha, not premultiplied. Its JSON has width and height (in pixels), bytes, format, mediaType, key, cached, degraded,
/// milliseconds, timings, faces and diagnostics. Never returns NULL.
offprint_result *offprint_render(offprint_renderer *renderer, const char *job, size_t job_length, const void *html, size_t html_length,
                                 offprint_cancellation *cancellation);

/// Lays a page out without rendering it. The result's JSON has width and height of the page, "boxes" (path, name, x, y, width, height of
/// each element), "lines" (path, text, x, y, width, height, baseline of each piece of text) in CSS px, and diagnostics. Never returns NULL.
offprint_result *offprint_measure(offprint_renderer *renderer, const char *job, size_t job_length, const void *html, size_t html_length,
                                  offprint_cancellation *cancellation);

/// Returns a list as JSON: "version" (with libraries and features), "options" (of jobs), "configuration" (its options), and of a renderer
/// "templates" and "fonts". The renderer may be NULL for the first three. Never returns NULL.
offprint_result *offprint_list(offprint_renderer *renderer, const char *what);

/// Returns 1 if the call failed. The JSON is then {"error": {"code", "message", "exit", "status"}}: a stable code, a sentence for people,
/// the exit code of the command line and the HTTP status of the service.
int offprint_result_is_error(const offprint_result *result);

/// The bytes, which are valid until the result is freed.
const uint8_t *offprint_result_data(const offprint_result *result, size_t *length);

/// The JSON, which is NUL-terminated and valid until the result is freed. `length` may be NULL.
const char *offprint_result_json(const offprint_result *result, size_t *length);

/// Frees a result. NULL is ignored.
void offprint_result_free(offprint_result *result);

/// Creates an object for canceling renders from another thread. It can be used for many renders, and must outlive them.
offprint_cancellation *offprint_cancellation_create(void);

/// Makes renders with this `cancellation` fail with the code "cancelled", immediately or within some milliseconds; this includes renders
/// that begin later.
void offprint_cancel(offprint_cancellation *cancellation);
void offprint_cancellation_destroy(offprint_cancellation *cancellation);

/// Runs the command line with the arguments of this process. Does not return. For programs that do nothing else.
int offprint_main(void);

#ifdef __cplusplus
}
#endif
#endif
