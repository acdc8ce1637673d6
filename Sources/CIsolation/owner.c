#define _GNU_SOURCE
#include "cisolation.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int cisolation_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? -errno : 0; }

// As declared by the kernel. https://man7.org/linux/man-pages/man2/sched_setattr.2.html
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

void cisolation_lower_priority(int task, int niceness, int is_batch) {
  struct attributes attributes = {.size = sizeof attributes, .policy = is_batch ? SCHED_BATCH : SCHED_OTHER, .nice = niceness};
  if (syscall(SYS_sched_setattr, task, &attributes, 0)) setpriority(PRIO_PROCESS, (id_t)task, niceness);
}

int cisolation_run_promptly(void) {
  struct attributes attributes = {.size = sizeof attributes};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0)) return -errno;
  attributes.size = sizeof attributes;
  attributes.runtime = 100 * 1000;
  return syscall(SYS_sched_setattr, 0, &attributes, 0) ? -errno : 0;
}

int cisolation_open_group(int pid) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/autogroup", pid);
  int file = open(path, O_RDWR | O_CLOEXEC);
  return file < 0 ? -errno : file;
}

int cisolation_step_group_back(int file, int niceness) {
  char text[12];
  int count = snprintf(text, sizeof text, "%d", niceness);
  return write(file, text, (size_t)count) < 0 ? -errno : 0;
}

int cisolation_memory_file(const char *name) {
  // Since Linux 6.3: the file can never be made executable.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif
  int file = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  if (file < 0 && errno == EINVAL) file = memfd_create(name, MFD_CLOEXEC);
  return file < 0 ? -errno : file;
}

int cisolation_spawn(const char *program, char *const arguments[], char *const environment[], int errors, int channel) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  pid_t process = -1;
  int status = posix_spawn_file_actions_init(&actions);
  if (status) return -status;
  if ((status = posix_spawnattr_init(&attributes))) {
    posix_spawn_file_actions_destroy(&actions);
    return -status;
  }
  sigemptyset(&none);
  sigfillset(&all);
  // Both descriptors are greater than 3, so that neither is overwritten before it is duplicated.
  status = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!status) status = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (!status) status = posix_spawn_file_actions_adddup2(&actions, errors, 2);
  if (!status) status = posix_spawn_file_actions_adddup2(&actions, channel, 3);
  if (!status) status = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  if (!status) status = posix_spawnattr_setsigmask(&attributes, &none);
  if (!status) status = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!status)
    status = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!status) status = posix_spawn(&process, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return status ? -status : process;
}

int cisolation_process_handle(pid_t process) {
  long handle = syscall(SYS_pidfd_open, process, 0);
  return handle < 0 ? -errno : (int)handle;
}

int cisolation_kill(int handle, pid_t process, int signal) {
  if (handle >= 0) return syscall(SYS_pidfd_send_signal, handle, signal, NULL, 0) ? -errno : 0;
  return kill(process, signal) ? -errno : 0;
}

int cisolation_wait(pid_t process, cisolation_ending *ending) {
  int status = 0;
  struct rusage usage = {0};
  pid_t ended;
  do ended = wait4(process, &status, 0, &usage);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return -errno;
  ending->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  ending->resident_bytes = usage.ru_maxrss * 1024;
  return 0;
}

int cisolation_limit_cpu(pid_t process, uint64_t seconds) {
  clockid_t clock;
  struct timespec used;
  int status = clock_getcpuclockid(process, &clock);
  if (status) return -status;
  if (clock_gettime(clock, &used)) return -errno;
  struct rlimit limit = {(rlim_t)used.tv_sec + 1 + seconds, RLIM_INFINITY};
  return prlimit(process, RLIMIT_CPU, &limit, NULL) ? -errno : 0;
}
