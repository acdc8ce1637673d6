#pragma once
// The parts of libcurl and libhiredis that a shared cache and a queue of jobs need. Both are loaded when first needed: what draws pages without
// them does not pay for them, and they need not be installed.

#include <stdbool.h>
#include <stddef.h>

enum { REMOTE_REASON = 256 };

// MARK: HTTP

// One connection that is kept; for one thread at a time.
typedef struct remote_http remote_http;

// What a server that nobody here vouches for is held to. Redirects are not followed, proxies not used, packed bodies unpacked within the limit.
typedef struct {
  // Whether a connection to the port of the address, 4 or 16 bytes, may be opened.
  bool (*allows)(void *context, const unsigned char *address, size_t length, unsigned port);
  // Asked now and then, also while nothing comes.
  bool (*stops)(void *context);
  void *context;
  size_t header_limit;  // bytes of the answer's head
} remote_guard;

typedef struct {
  const char *method;
  const char *url;
  const char *const *headers;
  size_t header_count;
  const char *user_password;  // NULL: the request is not signed
  const char *signature;      // "aws:amz:region:s3"
  const void *body;           // NULL: none
  size_t length;
  size_t limit;  // bytes of the answer that are taken
  long timeout;  // milliseconds, for all of it
  const remote_guard *guard;  // NULL: a server of the user's own
} remote_request;

typedef struct {
  bool failed;  // nothing came, or not all of it: reason says why
  bool too_large;
  long status;
  unsigned char *bytes;  // free()
  size_t length;
  char reason[REMOTE_REASON];
  // With a guard.
  bool head_too_large, stopped, refused;  // refused: no address of the host may be connected to
  char *redirect;                         // free(); absolute, NULL: none
  char *content_type;                     // free(); NULL: not said
  char *address;                          // free(); of who answered
  unsigned char *head;                    // free(); the lines of the last head
  size_t head_length;
  bool transient;  // it failed in a way that may be another the next time
} remote_answer;

// NULL where libcurl is not there: reason says so.
remote_http *remote_http_open(char *reason);
void remote_http_close(remote_http *http);
remote_answer remote_http_send(remote_http *http, const remote_request *request);

// MARK: Redis

// One connection; for one thread at a time.
typedef struct remote_redis remote_redis;
typedef struct remote_reply remote_reply;

enum { REMOTE_STRING = 1, REMOTE_ARRAY = 2, REMOTE_INTEGER = 3, REMOTE_NIL = 4, REMOTE_STATUS = 5, REMOTE_ERROR = 6 };

// Paths of PEM files; NULL: the system's authorities, no certificate of one's own. The server's certificate and name are always checked.
typedef struct {
  const char *authorities, *certificate, *key;
} remote_tls;

// NULL where libhiredis is not there, or nobody answers: reason says which. `tls`: NULL for a connection without.
remote_redis *remote_redis_open(const char *host, int port, long timeout, const remote_tls *tls, char *reason);
void remote_redis_close(remote_redis *redis);
// How long an answer may take from here on, in milliseconds.
void remote_redis_timeout(remote_redis *redis, long timeout);
// NULL where the connection is lost: it is to be closed.
remote_reply *remote_redis_send(remote_redis *redis, int count, const char **words, const size_t *lengths, char *reason);
void remote_reply_free(remote_reply *reply);
int remote_reply_type(const remote_reply *reply);
long long remote_reply_integer(const remote_reply *reply);
const char *remote_reply_bytes(const remote_reply *reply, size_t *length);
size_t remote_reply_count(const remote_reply *reply);
const remote_reply *remote_reply_element(const remote_reply *reply, size_t index);
