#define _GNU_SOURCE
#include "clibraries.h"
#include "cisolation.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

// libseccomp is opened on demand: only workers need it, and it may not be installed. Its interface: man 3 seccomp_rule_add.
struct argument {
  unsigned index;
  int comparison;
  uint64_t a, b;
};
enum { EQUAL = 4, MASKED_EQUAL = 7 };
#define ALLOW 0x7fff0000u
#define FAIL(code) (0x00050000u | ((code) & 0xffffu))

static struct {
  void *(*init)(uint32_t);
  int (*add)(void *, uint32_t, int, unsigned, const struct argument *);
  int (*load)(const void *);
  void (*release)(void *);
  int (*resolve)(const char *);
} lib;

int cisolation_open_library(void) {
  if (lib.init) return 1;
  void *library = clibraries_open_file("libseccomp.so.2");
  if (!library) return 0;
  *(void **)&lib.init = dlsym(library, "seccomp_init");
  *(void **)&lib.add = dlsym(library, "seccomp_rule_add_array");
  *(void **)&lib.load = dlsym(library, "seccomp_load");
  *(void **)&lib.release = dlsym(library, "seccomp_release");
  *(void **)&lib.resolve = dlsym(library, "seccomp_syscall_resolve_name");
  return lib.init && lib.add && lib.load && lib.release && lib.resolve;
}

// Memory, time, threads, signals to the process itself, reading, and the sockets that are open already.
static const char *const allowed[] = {
  "read", "readv", "pread64", "preadv", "write", "writev", "lseek", "close", "fstat", "newfstatat", "stat", "lstat", "statx", "access",
  "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "fadvise64", "statfs", "fstatfs", "getcwd", "munmap", "mremap", "madvise", "mincore", "brk", "futex", "futex_waitv", "sched_yield", "sched_getaffinity", "nanosleep",
  "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time", "getrandom", "getpid", "gettid", "getppid", "getuid",
  "geteuid", "getgid", "getegid", "getrusage", "sysinfo", "uname", "times", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
  "sigaltstack", "exit", "exit_group", "set_robust_list", "get_robust_list", "rseq", "set_tid_address", "membarrier", "arch_prctl",
  "restart_syscall", "poll", "ppoll", "select", "pselect6", "eventfd2", "pipe2", "recvfrom", "recvmsg", "sendto", "sendmsg", "flock",
};

static int failed;

static void add(void *filter, uint32_t action, const char *name, unsigned count, const struct argument *arguments) {
  int number = lib.resolve(name);
  if (number < 0) return;  // this architecture does not have the call
  if (lib.add(filter, action, number, count, arguments)) failed = 1;
}

static void add_with_argument(void *filter, const char *name, struct argument argument) { add(filter, ALLOW, name, 1, &argument); }

static void add_rules(void *filter) {
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) add(filter, ALLOW, allowed[i], 0, NULL);
  // Files can only be opened for reading.
  const uint64_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
  add_with_argument(filter, "open", (struct argument){1, MASKED_EQUAL, writing, 0});
  add_with_argument(filter, "openat", (struct argument){2, MASKED_EQUAL, writing, 0});
  // All code is mapped already: no more memory can be made executable, whether it maps a file or not.
  add_with_argument(filter, "mmap", (struct argument){2, MASKED_EQUAL, PROT_EXEC, 0});
  add_with_argument(filter, "mprotect", (struct argument){2, MASKED_EQUAL, PROT_EXEC, 0});
  // Threads can be started, processes cannot. The arguments of clone3 cannot be inspected; if it fails, libraries use clone.
  add_with_argument(filter, "clone", (struct argument){0, MASKED_EQUAL, CLONE_THREAD, CLONE_THREAD});
  add(filter, FAIL(ENOSYS), "clone3", 0, NULL);
  // For abort().
  add_with_argument(filter, "tgkill", (struct argument){0, EQUAL, (uint64_t)getpid(), 0});
  add_with_argument(filter, "prctl", (struct argument){0, EQUAL, PR_SET_NAME, 0});
  // Limits can be read but not set.
  struct argument reading[] = {{0, EQUAL, 0, 0}, {2, EQUAL, 0, 0}};
  add(filter, ALLOW, "prlimit64", 2, reading);
  const int controls[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC};
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
    add_with_argument(filter, "fcntl", (struct argument){1, EQUAL, (uint64_t)controls[i], 0});
}

int cisolation_restrict_calls(void) {
  if (!cisolation_open_library()) return -ENOSYS;
  // With READ_IMPLIES_EXEC, readable mappings would be executable. https://man7.org/linux/man-pages/man2/personality.2.html
  int persona = personality(0xffffffff);
  if (persona != -1 && persona & READ_IMPLIES_EXEC) personality((unsigned long)(persona & ~READ_IMPLIES_EXEC));
  // Other calls fail instead of killing the process, because libraries also make calls they can do without.
  void *filter = lib.init(FAIL(EPERM));
  if (!filter) return -ENOMEM;
  failed = 0;
  add_rules(filter);
  int status = failed ? -EINVAL : lib.load(filter);
  lib.release(filter);
  return status;
}
