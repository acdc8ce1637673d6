// The system calls that Swift cannot make or import. Each returns 0 or a count, or -errno.
#ifndef CISOLATION_H
#define CISOLATION_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The owner's side.

// A socket pair whose ends are closed on exec.
int cisolation_socket_pair(int ends[2]);
// Lets others have the processors first: a thread or a new process, or with 0 the thread that calls it.
void cisolation_step_back(int task, int niceness, int is_batch);
// Asks for the shortest turns for the thread that calls it: since Linux 6.12 whoever has shorter turns goes before who runs just now when it wakes,
// and need not wait for the end of that turn. Earlier kernels have niceness alone.
int cisolation_run_promptly(void);
// Linux may schedule sessions as groups, each as good as any other however nice its processes are: then a process that is alone in its session
// steps back with its group. https://man7.org/linux/man-pages/man7/sched.7.html
// A descriptor for the group; negative where there are no groups.
int cisolation_open_group(int pid);
// -EAGAIN: the kernel takes it from users without privileges no sooner than 0.1 s after the last.
int cisolation_step_group_back(int file, int niceness);
// A file in memory for a worker's standard error.
int cisolation_memory_file(const char *name);
// Starts a program in a session of its own with standard input and output on /dev/null, `errors` as 2, `channel` as 3 and nothing else open.
// Returns the process's id.
int cisolation_spawn(const char *program, char *const arguments[], char *const environment[], int errors, int channel);
// A descriptor that stands for the process and no later one of the same id.
int cisolation_process_handle(pid_t process);
// `handle` may be negative where the kernel gives none.
int cisolation_kill(int handle, pid_t process, int signal);
typedef struct {
  // The signal that ended it, or 0; then its exit status.
  int signal, status;
  // At its largest.
  long resident_bytes;
} cisolation_ending;
// Waits for its end.
int cisolation_wait(pid_t process, cisolation_ending *ending);
// Lets it use `seconds` of CPU time more.
int cisolation_limit_cpu(pid_t process, uint64_t seconds);

// The worker's side.

/// Opens the library that `cisolation_restrict_calls` needs, while files can be opened; 0 where it is not there.
int cisolation_open_library(void);

// Ended when the thread that started it ends. `owner` is -1 where it is not known.
int cisolation_end_with_owner(pid_t owner);
// How many threads the calling process has; -errno where nothing says it.
int cisolation_thread_count(void);
int cisolation_limit(int resource, uint64_t value);
// Of a process that has no threads yet: no network, and no privileges in any other namespace.
int cisolation_leave_network(void);
// No capability, and none to be had; no dump of its memory.
int cisolation_drop_privileges(void);
// From now on only `readable` (files, folders) can be read and nothing be written. Returns the version of the kernel's Landlock.
int cisolation_restrict_files(const char *const readable[], size_t count);
// From now on only calls of a renderer are possible. -ENOSYS: libseccomp is not installed.
int cisolation_restrict_calls(void);

#endif
