#pragma once
#include <stdbool.h>
#include <stddef.h>

// libcurl, opened on first use. https://curl.se/libcurl/c/libcurl-easy.html; the numbers are part of its stable ABI.

typedef struct curl_slist curl_slist;

typedef struct {
  int (*global_init)(long);
  void *(*init)(void);
  int (*setopt)(void *, int, ...);
  int (*perform)(void *);
  int (*getinfo)(void *, int, ...);
  void (*reset)(void *);
  void (*cleanup)(void *);
  const char *(*text)(int);
  curl_slist *(*append)(curl_slist *, const char *);
  void (*free_all)(curl_slist *);
  int (*send)(void *, const void *, size_t, size_t *);
  int (*receive)(void *, void *, size_t, size_t *);
  bool is_there;
} curl_library;

// `is_there` is false if the library is not installed.
const curl_library *curl_loaded(void);
