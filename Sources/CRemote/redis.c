#define _GNU_SOURCE
#include "clibraries.h"
#include "cremote.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"
#include "tls.h"

// https://github.com/redis/hiredis; its structures have different layouts before and since 1.0.
typedef struct {
  int type;
  long long integer;
  size_t len;
  char *str;
  size_t elements;
  void **element;
} reply_0;

typedef struct {
  int type;
  long long integer;
  double dval;
  size_t len;
  char *str;
  char vtype[4];
  size_t elements;
  void **element;
} reply_1;

typedef struct {
  int err;
  char errstr[128];
} context_0;

typedef struct {
  const void *funcs;
  int err;
  char errstr[128];
} context_1;

static struct {
  void *(*connect)(const char *, int, struct timeval);
  void *(*connect_to)(int);
  int (*set_timeout)(void *, struct timeval);
  int (*append)(void *, int, const char **, const size_t *);
  int (*write)(void *, int *);
  int (*read)(void *);
  int (*reply)(void *, void **);
  void (*free_reply)(void *);
  void (*free_context)(void *);
  bool is_1;  // version 1.0 or later
  bool is_there;
} redis;

static void load(void) {
  const char *names[] = {"libhiredis.so.1.3.0", "libhiredis.so.1.1.0", "libhiredis.so.1.0.0", "libhiredis.so.1", "libhiredis.so.0.14", "libhiredis.so"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) library = clibraries_open_file(names[i]);
  if (!library) return;
#define FIND(field, name) if (!(*(void **)&redis.field = dlsym(library, name))) return
  FIND(connect, "redisConnectWithTimeout");
  FIND(connect_to, "redisConnectFd");
  FIND(set_timeout, "redisSetTimeout");
  FIND(append, "redisAppendCommandArgv");
  FIND(write, "redisBufferWrite");
  FIND(read, "redisBufferRead");
  FIND(reply, "redisGetReplyFromReader");
  FIND(free_reply, "freeReplyObject");
  FIND(free_context, "redisFree");
#undef FIND
  // Introduced in 1.0, together with the new layouts.
  redis.is_1 = dlsym(library, "redisSetPushCallback") != NULL;
  redis.is_there = true;
}

struct remote_redis {
  void *context;
  // The timeout of a silent server in milliseconds.
  long timeout;
};

static struct timeval time_of(long milliseconds) {
  return (struct timeval){.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
}

// The error message of a context, or NULL.
static const char *error_of(void *context) {
  if (redis.is_1) return ((context_1 *)context)->err ? ((context_1 *)context)->errstr : NULL;
  return ((context_0 *)context)->err ? ((context_0 *)context)->errstr : NULL;
}

// Connects with TLS through libcurl, because not every libhiredis supports TLS.
static void *connect_with_tls(const char *host, int port, long timeout, const remote_tls *tls, char *reason) {
  int descriptor = remote_tls_open(host, port, timeout, tls, reason);
  if (descriptor < 0) return NULL;
  void *context = redis.connect_to(descriptor);
  if (!context) {
    close(descriptor);
    snprintf(reason, REMOTE_REASON, "there is not enough memory for a connection");
  }
  return context;
}

remote_redis *remote_redis_open(const char *host, int port, long timeout, const remote_tls *tls, char *reason) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  if (!redis.is_there) {
    snprintf(reason, REMOTE_REASON, "libhiredis (Debian: libhiredis0.14) is not installed");
    return NULL;
  }
  pipe_guard guard = guard_begin();
  void *context = tls ? connect_with_tls(host, port, timeout, tls, reason) : redis.connect(host, port, time_of(timeout));
  if (tls && !context) {
    guard_end(&guard);
    return NULL;
  }
  const char *error = context ? error_of(context) : "there is not enough memory for a connection";
  remote_redis *made = error ? NULL : calloc(1, sizeof *made);
  if (made) {
    made->context = context;
    made->timeout = timeout;
    redis.set_timeout(context, time_of(timeout));
  } else {
    snprintf(reason, REMOTE_REASON, "%s", error ? error : "there is not enough memory for a connection");
    if (context) redis.free_context(context);
  }
  guard_end(&guard);
  return made;
}

void remote_redis_close(remote_redis *made) {
  if (!made) return;
  redis.free_context(made->context);
  free(made);
}

void remote_redis_timeout(remote_redis *made, long timeout) {
  made->timeout = timeout;
  redis.set_timeout(made->context, time_of(timeout));
}

// The size of hiredis's reads, the maximum size of a reply, and its minimum rate in bytes per millisecond. hiredis itself would accept
// replies that arrive arbitrarily slowly, or never end.
enum { piece = 16 << 10, most_pieces = (128 << 20) / piece, least_rate = 256 };

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Returns 0, or -1; the error is in the context, or in `reason` if hiredis did not report it.
static int take_reply(remote_redis *made, void **reply, char *reason) {
  long start = milliseconds();
  for (long pieces = 0;; pieces++) {
    if (redis.reply(made->context, reply) != 0) return -1;
    if (*reply) return 0;
    if (pieces == most_pieces) snprintf(reason, REMOTE_REASON, "its response has more than %d bytes", most_pieces * piece);
    else if (milliseconds() - start > made->timeout + pieces * piece / least_rate) snprintf(reason, REMOTE_REASON, "its response takes too long");
    else if (redis.read(made->context) == 0) continue;
    return -1;
  }
}

static void *command(remote_redis *made, int count, const char **words, const size_t *lengths, char *reason) {
  void *reply = NULL;
  int done = 0;
  if (redis.append(made->context, count, words, lengths) != 0) return NULL;
  while (!done) {
    if (redis.write(made->context, &done) != 0) return NULL;
  }
  return take_reply(made, &reply, reason) == 0 ? reply : NULL;
}

remote_reply *remote_redis_send(remote_redis *made, int count, const char **words, const size_t *lengths, char *reason) {
  pipe_guard guard = guard_begin();
  reason[0] = 0;
  void *reply = command(made, count, words, lengths, reason);
  guard_end(&guard);
  if (!reply && !reason[0]) {
    const char *error = error_of(made->context);
    snprintf(reason, REMOTE_REASON, "%s", error ? error : "the connection was lost");
  }
  return reply;
}

void remote_reply_free(remote_reply *reply) {
  if (reply) redis.free_reply(reply);
}

#define PART(field) (redis.is_1 ? ((const reply_1 *)reply)->field : ((const reply_0 *)reply)->field)

int remote_reply_type(const remote_reply *reply) { return PART(type); }
long long remote_reply_integer(const remote_reply *reply) { return PART(integer); }
size_t remote_reply_count(const remote_reply *reply) { return PART(type) == REMOTE_ARRAY ? PART(elements) : 0; }

const char *remote_reply_bytes(const remote_reply *reply, size_t *length) {
  *length = PART(str) ? PART(len) : 0;
  return PART(str);
}

const remote_reply *remote_reply_element(const remote_reply *reply, size_t index) {
  return index < remote_reply_count(reply) ? PART(element)[index] : NULL;
}
