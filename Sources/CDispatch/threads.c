#define _GNU_SOURCE
#include "cdispatch.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// libdispatch reads the states of its threads from `/proc/TID/stat` about once a second, to start more threads if all are blocked, and
// traps if it cannot open the file: in a root without `/proc`, every second start of the service would end with SIGILL. In the program,
// this `open` takes precedence over the C library's, and substitutes such files.

/// Whether it is the path of the file with the state of a thread.
static int is_thread_state(const char *path) {
  if (strncmp(path, "/proc/", 6)) return 0;
  size_t digits = strspn(path + 6, "0123456789");
  return digits && !strcmp(path + 6 + digits, "/stat");
}

/// Returns a file for a running thread, so that libdispatch starts no additional threads, in the format of proc_pid_stat(5).
static int running_thread(void) {
  static const char state[] = "0 (thread) R";
  int file = memfd_create("stat", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (pwrite(file, state, sizeof state - 1, 0) == sizeof state - 1) return file;
  close(file);
  errno = ENOENT;
  return -1;
}

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  int file = openat(AT_FDCWD, path, flags, mode);
  return file < 0 && errno == ENOENT && is_thread_state(path) ? running_thread() : file;
}
