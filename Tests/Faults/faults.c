// Loaded before libc (LD_PRELOAD). Makes system calls on files below a folder fail, to simulate broken disks, full disks and short writes.
//
//   FAULT_FOLDER=/path   only calls on files below this folder are counted
//   FAULT_KIND=eio|enospc|short|read
//        eio, enospc     calls that modify files or folders (write, fsync, rename, link, unlink, mkdir, ftruncate, open with O_CREAT) fail
//        short           a write is partial, and the next call fails with ENOSPC
//        read            calls that read (read, pread, open) fail with EIO
//   FAULT_AT=N           the number of the call that fails, from 1
//   FAULT_LASTING=1      all later calls fail, too
//   FAULT_REPORT=/path   at exit, the number of such calls is written to this file
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder, *kind, *report;
static long at = -1, seen;
static int lasting, after_short;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void start(void) {
  folder = getenv("FAULT_FOLDER");
  kind = getenv("FAULT_KIND");
  report = getenv("FAULT_REPORT");
  lasting = getenv("FAULT_LASTING") != NULL;
  const char *number = getenv("FAULT_AT");
  if (number) at = atol(number);
}

__attribute__((destructor)) static void stop(void) {
  if (!report) return;
  FILE *file = fopen(report, "w");
  if (!file) return;
  fprintf(file, "%ld\n", seen);
  fclose(file);
}

static int is_below(const char *path) { return folder && path && strncmp(path, folder, strlen(folder)) == 0; }

static int is_ours(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (count < 0) return 0;
  path[count] = 0;
  return is_below(path);
}

enum { PASS, FAIL, PART };

// Decides the result of a call, and counts it if it is of the kind that fails.
static int decide(int reads, int writes_bytes) {
  if (!kind) return PASS;
  if ((strcmp(kind, "read") == 0) != reads) return PASS;
  pthread_mutex_lock(&lock);
  seen++;
  int hit = at > 0 && (seen == at || (lasting && seen > at)), result = PASS;
  if (after_short) {
    after_short = lasting;
    result = FAIL;
  } else if (hit && strcmp(kind, "short") == 0) {
    after_short = 1;
    result = writes_bytes ? PART : FAIL;
  } else if (hit) {
    result = FAIL;
  }
  pthread_mutex_unlock(&lock);
  if (result == FAIL) errno = strcmp(kind, "eio") == 0 || strcmp(kind, "read") == 0 ? EIO : ENOSPC;
  return result;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
  int what = is_ours(fd) ? decide(0, 1) : PASS;
  return what == FAIL ? -1 : NEXT(write)(fd, bytes, what == PART && count > 1 ? count / 2 : count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  int what = is_ours(fd) ? decide(0, 1) : PASS;
  return what == FAIL ? -1 : NEXT(pwrite)(fd, bytes, what == PART && count > 1 ? count / 2 : count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  int what = is_ours(fd) ? decide(0, 1) : PASS;
  return what == FAIL ? -1 : NEXT(pwrite64)(fd, bytes, what == PART && count > 1 ? count / 2 : count, offset);
}

ssize_t read(int fd, void *bytes, size_t count) { return is_ours(fd) && decide(1, 0) ? -1 : NEXT(read)(fd, bytes, count); }

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  return is_ours(fd) && decide(1, 0) ? -1 : NEXT(pread)(fd, bytes, count, offset);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset) {
  return is_ours(fd) && decide(1, 0) ? -1 : NEXT(pread64)(fd, bytes, count, offset);
}

int fsync(int fd) { return is_ours(fd) && decide(0, 0) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return is_ours(fd) && decide(0, 0) ? -1 : NEXT(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return is_ours(fd) && decide(0, 0) ? -1 : NEXT(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return is_ours(fd) && decide(0, 0) ? -1 : NEXT(ftruncate64)(fd, size); }
int mkdir(const char *path, mode_t mode) { return is_below(path) && decide(0, 0) ? -1 : NEXT(mkdir)(path, mode); }
int unlink(const char *path) { return is_below(path) && decide(0, 0) ? -1 : NEXT(unlink)(path); }
int link(const char *from, const char *to) { return is_below(to) && decide(0, 0) ? -1 : NEXT(link)(from, to); }
int rename(const char *from, const char *to) { return is_below(to) && decide(0, 0) ? -1 : NEXT(rename)(from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  return (to[0] == '/' ? is_below(to) : is_ours(b)) && decide(0, 0) ? -1 : NEXT(renameat2)(a, from, b, to, flags);
}

// Calls with a path relative to an open folder.
static int in(int folder_fd, const char *path) { return path[0] == '/' || folder_fd == AT_FDCWD ? is_below(path) : is_ours(folder_fd); }

int unlinkat(int fd, const char *path, int flags) { return in(fd, path) && decide(0, 0) ? -1 : NEXT(unlinkat)(fd, path, flags); }
int mkdirat(int fd, const char *path, mode_t mode) { return in(fd, path) && decide(0, 0) ? -1 : NEXT(mkdirat)(fd, path, mode); }
int renameat(int a, const char *from, int b, const char *to) { return in(b, to) && decide(0, 0) ? -1 : NEXT(renameat)(a, from, b, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
  return in(b, to) && decide(0, 0) ? -1 : NEXT(linkat)(a, from, b, to, flags);
}

#define OPENAT(name)                                                                            \
  int name(int fd, const char *path, int flags, ...) {                                          \
    va_list list;                                                                               \
    va_start(list, flags);                                                                      \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                     \
    va_end(list);                                                                               \
    if (in(fd, path) && ((flags & O_CREAT) ? decide(0, 0) : decide(1, 0))) return -1;           \
    return NEXT(name)(fd, path, flags, mode);                                                   \
  }
OPENAT(openat)
OPENAT(openat64)

#define OPEN(name)                                                                              \
  int name(const char *path, int flags, ...) {                                                  \
    va_list list;                                                                               \
    va_start(list, flags);                                                                      \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                     \
    va_end(list);                                                                               \
    if (is_below(path) && ((flags & O_CREAT) ? decide(0, 0) : decide(1, 0))) return -1;         \
    return NEXT(name)(path, flags, mode);                                                       \
  }
OPEN(open)
OPEN(open64)
