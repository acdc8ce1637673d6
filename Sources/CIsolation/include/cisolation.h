// System calls that Swift cannot make or import. Each returns 0 or a count, or -errno.
#ifndef CISOLATION_H
#define CISOLATION_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The owner's side.

// A socket pair whose ends are closed on exec.
int cisolation_socket_pair(int ends[2]);
// Lowers the scheduling priority of a thread or a new process; 0 for the calling thread.
void cisolation_lower_priority(int task, int niceness, int is_batch);
// Requests the shortest time slice for the calling thread: since Linux 6.12, a waking thread with a shorter slice preempts the running one
// before the end of its slice. Earlier kernels only have niceness.
int cisolation_run_promptly(void);
// Linux can schedule sessions as groups of equal weight, whatever the niceness of their processes. A process that is alone in its session
// must then lower the priority of its group. https://man7.org/linux/man-pages/man7/sched.7.html
// Returns a descriptor for the group; negative if there are no groups.
int cisolation_open_group(int pid);
// Returns -EAGAIN if called within 0.1 s of the last change, which the kernel rejects from unprivileged users.
int cisolation_step_group_back(int file, int niceness);
// A file in memory for a worker's standard error.
int cisolation_memory_file(const char *name);
// Starts a program in its own session with standard input and output on /dev/null, `errors` as descriptor 2, `channel` as 3, and no other
// open descriptors. Returns the process ID.
int cisolation_spawn(const char *program, char *const arguments[], char *const environment[], int errors, int channel);
// A descriptor that refers to this process, and never to a later one with the same ID.
int cisolation_process_handle(pid_t process);
// `handle` may be negative if the kernel does not support it.
int cisolation_kill(int handle, pid_t process, int signal);
typedef struct {
  // The signal that ended it, or 0; and its exit status.
  int signal, status;
  // The maximum resident set size.
  long resident_bytes;
} cisolation_ending;
// Waits for the process to end.
int cisolation_wait(pid_t process, cisolation_ending *ending);
// Limits it to `seconds` of additional CPU time.
int cisolation_limit_cpu(pid_t process, uint64_t seconds);

// The worker's side.

/// Opens the library for `cisolation_restrict_calls` while files can still be opened; 0 if it is not installed.
int cisolation_open_library(void);

// Makes the kernel kill the process when the thread that started it ends. `owner` is -1 if unknown.
int cisolation_end_with_owner(pid_t owner);
// The number of threads of the calling process; -errno if it cannot be determined.
int cisolation_thread_count(void);
int cisolation_limit(int resource, uint64_t value);
// Leaves the network, and all privileges in other namespaces. The process must not have other threads.
int cisolation_leave_network(void);
// Drops all capabilities permanently, and prevents dumping its memory.
int cisolation_drop_privileges(void);
// Restricts file access to reading `readable` (files and folders). Returns the version of the kernel's Landlock ABI.
int cisolation_restrict_files(const char *const readable[], size_t count);
// Restricts the process to system calls of a renderer. Returns -ENOSYS if libseccomp is not installed.
int cisolation_restrict_calls(void);

#endif
