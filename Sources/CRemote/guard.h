#pragma once
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

// Blocks SIGPIPE, because a peer that closes its connection must not end a program that does not ignore this signal.
typedef struct {
  sigset_t before;
  bool was_pending;
} pipe_guard;

static inline pipe_guard guard_begin(void) {
  pipe_guard guard;
  sigset_t pipe, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  guard.was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe, &guard.before);
  return guard;
}

static inline void guard_end(const pipe_guard *guard) {
  if (!guard->was_pending) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    struct timespec now = {0, 0};
    while (sigtimedwait(&pipe, NULL, &now) > 0) {}
  }
  pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}
