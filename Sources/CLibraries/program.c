#define _GNU_SOURCE
#include "clibraries.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

// Swift's CommandLine reads /proc/self/cmdline, which may be missing in a chroot. glibc passes the arguments of main to constructors.
// https://refspecs.linuxbase.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/baselib---libc-start-main-.html
static int argument_count;
static char *const *argument_values;
static char relative_program[PATH_MAX];

__attribute__((constructor)) static void remember(int count, char **values) {
  argument_count = count;
  argument_values = values;
  const char *file = (const char *)getauxval(AT_EXECFN);
  // Resolved now, because the working directory may change later.
  if (file && *file != '/' && !realpath(file, relative_program)) *relative_program = 0;
}

int clibraries_argument_count(void) { return argument_count; }

const char *clibraries_argument(int index) { return index >= 0 && index < argument_count ? argument_values[index] : NULL; }

void clibraries_hide_argument(int index, size_t start, size_t count) {
  if (index < 0 || index >= argument_count || start + count > strlen(argument_values[index])) return;
  memset(argument_values[index] + start, '*', count);
}

const char *clibraries_program(char path[PATH_MAX]) {
  if (realpath("/proc/self/exe", path)) return path;
  if (*relative_program) return strcpy(path, relative_program);
  const char *file = (const char *)getauxval(AT_EXECFN);
  return file && *file == '/' ? realpath(file, path) : NULL;
}

static _Atomic int role = CLIBRARIES_SWIFT_LIBRARY;

void clibraries_set_role(int value) { atomic_store(&role, value); }
int clibraries_role(void) { return atomic_load(&role); }

const char *clibraries_object(char path[PATH_MAX]) {
  Dl_info own, program;
  const void *headers = (const void *)getauxval(AT_PHDR);
  int is_shared = headers && dladdr(&role, &own) && dladdr(headers, &program) && own.dli_fbase != program.dli_fbase;
  return is_shared ? realpath(own.dli_fname, path) : clibraries_program(path);
}
