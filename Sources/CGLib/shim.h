#pragma once
#include <glib.h>
#include <pthread.h>

/* Declared only with _GNU_SOURCE, which the system's modules do not define. */
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);

/* Returns the size of the calling thread's stack and stores its lowest address; returns 0 if the system does not provide them. */
static inline size_t offprint_stack_bounds(void **lowest) {
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  if (pthread_attr_getstack(&attributes, lowest, &size) != 0) size = 0;
  pthread_attr_destroy(&attributes);
  return size;
}
