#define _GNU_SOURCE
#include "cisolation.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int cisolation_end_with_owner(pid_t owner) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return -errno;
  // The owner may have ended before the call.
  if (owner >= 0 && getppid() != owner) return -ESRCH;
  return 0;
}

int cisolation_thread_count(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) {
    // Without /proc: unsharing the thread group is permitted, and has no effect, if there is only one thread.
    // https://man7.org/linux/man-pages/man2/unshare.2.html
    return unshare(CLONE_THREAD) ? (errno == EINVAL ? 2 : -errno) : 1;
  }
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(tasks));) count += *entry->d_name != '.';
  closedir(tasks);
  return count;
}

int cisolation_limit(int resource, uint64_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit)) return -errno;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value) value = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = value;
  return setrlimit(resource, &limit) ? -errno : 0;
}

int cisolation_leave_network(void) {
  if (!unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)) return 0;
  // A privileged process needs no user namespace.
  int failure = errno;
  return unshare(CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) ? -failure : 0;
}

int cisolation_drop_privileges(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -errno;
  if (syscall(SYS_capset, &header, none)) return -errno;
  // Also prevents other processes of the same user from accessing its memory.
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ? -errno : 0;
}

// https://docs.kernel.org/userspace-api/landlock.html; the installed kernel header may be older than the kernel.
enum {
  EXECUTE = 1 << 0, READ_FILE = 1 << 2, READ_DIR = 1 << 3,
  ALL_1 = (1 << 13) - 1, REFER_2 = 1 << 13, TRUNCATE_3 = 1 << 14, IOCTL_5 = 1 << 15,
  BIND_AND_CONNECT_4 = 3, ABSTRACT_SOCKETS_AND_SIGNALS_6 = 3,
};
struct ruleset {
  uint64_t files, network, scoped;
};
struct path_rule {
  uint64_t access;
  int32_t parent;
} __attribute__((packed));

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

static void allow_reading(int rules, const char *path) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return;  // a missing path need not be readable
  struct stat status;
  if (!fstat(place, &status)) {
    struct path_rule rule = {S_ISDIR(status.st_mode) ? READ_FILE | READ_DIR : READ_FILE, place};
    syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
  }
  close(place);
}

int cisolation_restrict_files(const char *const readable[], size_t count) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
  if (version < 0) return -errno;
  struct ruleset handled = {ALL_1, 0, 0};
  if (version >= 2) handled.files |= REFER_2;
  if (version >= 3) handled.files |= TRUNCATE_3;
  if (version >= 4) handled.network = BIND_AND_CONNECT_4;
  if (version >= 5) handled.files |= IOCTL_5;
  if (version >= 6) handled.scoped = ABSTRACT_SOCKETS_AND_SIGNALS_6;
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long rules = syscall(SYS_landlock_create_ruleset, &handled, size, 0);
  if (rules < 0) return -errno;
  for (size_t i = 0; i < count; i++) allow_reading((int)rules, readable[i]);
  long status = syscall(SYS_landlock_restrict_self, rules, 0);
  int failure = errno;
  close((int)rules);
  return status ? -failure : (int)version;
}
