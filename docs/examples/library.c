// The C library: cc library.c -o library $(pkg-config --cflags --libs offprint) && ./library card.png
#include <offprint.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **values) {
  if (count != 2) return fputs("usage: library OUTPUT.png\n", stderr), 64;
  if (offprint_abi_version() != OFFPRINT_ABI_VERSION) return fputs("another version of the library\n", stderr), 1;

  const char configuration[] = "{\"jobs\": 2, \"width\": 420}";
  offprint_result *error = NULL;
  offprint_renderer *renderer = offprint_renderer_create(configuration, sizeof configuration - 1, &error);
  if (!renderer) {
    fprintf(stderr, "%s\n", offprint_result_json(error, NULL));
    offprint_result_free(error);
    return 1;
  }

  const char job[] = "{\"format\": \"png\", \"scale\": 2}";
  const char html[] = "<body style='margin:0;padding:24px;font:600 28px sans-serif;background:linear-gradient(90deg,#0ea5e9,#6366f1);color:#fff'>Hello from C";
  offprint_result *result = offprint_render(renderer, job, sizeof job - 1, html, sizeof html - 1, NULL);
  size_t length;
  const uint8_t *image = offprint_result_data(result, &length);
  int status = offprint_result_is_error(result);
  if (status) {
    fprintf(stderr, "%s\n", offprint_result_json(result, NULL));
  } else {
    FILE *file = fopen(values[1], "wb");
    status = !file || fwrite(image, 1, length, file) != length;
    if (file && fclose(file)) status = 1;
    puts(offprint_result_json(result, NULL));
  }
  offprint_result_free(result);
  offprint_renderer_destroy(renderer);
  return status;
}
