#define _GNU_SOURCE
#include "cdispatch.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// libdispatch reads the states of its threads from `/proc/TID/stat` about once a second, to start more where all wait, and traps where it cannot open
// the file: in a root without `/proc` every second start of the service ends with SIGILL. This `open` takes precedence over the C library's in the
// program, and answers for such a file.

/// Whether it is the name of the file with the state of a thread.
static int is_thread_state(const char *path) {
  if (strncmp(path, "/proc/", 6)) return 0;
  size_t digits = strspn(path + 6, "0123456789");
  return digits && !strcmp(path + 6 + digits, "/stat");
}

/// A thread that runs, so that no threads are started beside it: the format is that of proc_pid_stat(5).
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
