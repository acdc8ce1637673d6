#pragma once
// The parts of libcurl and libhiredis that a shared cache and a job queue need. Both are loaded on first use, so that other commands do not
// load them, and they need not be installed.

#include <stdbool.h>
#include <stddef.h>

enum { REMOTE_REASON = 256 };

// MARK: HTTP

// One persistent connection; must be used by one thread at a time.
typedef struct remote_http remote_http;

// Restrictions for servers of untrusted URLs. Redirects are not followed, proxies are not used, and compressed bodies are decompressed up
// to the limit.
typedef struct {
  // Whether a connection to the port of the IP address, 4 or 16 bytes, may be opened.
  bool (*allows)(void *context, const unsigned char *address, size_t length, unsigned port);
  // Called periodically, also while no data arrives; true stops the transfer.
  bool (*stops)(void *context);
  void *context;
  size_t header_limit;  // the maximum size of the response's head
} remote_guard;

typedef struct {
  const char *method;
  const char *url;
  const char *const *headers;
  size_t header_count;
  const char *user_password;  // NULL: the request is not signed
  const char *signature;      // "aws:amz:region:s3"
  const void *body;           // NULL: no body
  size_t length;
  size_t limit;  // the maximum size of the response
  long timeout;  // milliseconds, for the whole request
  const remote_guard *guard;  // NULL: a server the user configured
} remote_request;

typedef struct {
  bool failed;  // there is no response, or it is incomplete: see reason
  bool too_large;
  long status;
  unsigned char *bytes;  // free()
  size_t length;
  char reason[REMOTE_REASON];
  // Set with a guard.
  bool head_too_large, stopped, refused;  // refused: no address of the host may be connected to
  char *redirect;                         // free(); absolute, NULL: no redirect
  char *content_type;                     // free(); NULL: not specified
  char *address;                          // free(); the server's IP address
  unsigned char *head;                    // free(); the lines of the last head
  size_t head_length;
  bool transient;  // a retry may succeed
} remote_answer;

// NULL if libcurl is not installed: see reason.
remote_http *remote_http_open(char *reason);
void remote_http_close(remote_http *http);
remote_answer remote_http_send(remote_http *http, const remote_request *request);

// MARK: Redis

// One connection; must be used by one thread at a time.
typedef struct remote_redis remote_redis;
typedef struct remote_reply remote_reply;

enum { REMOTE_STRING = 1, REMOTE_ARRAY = 2, REMOTE_INTEGER = 3, REMOTE_NIL = 4, REMOTE_STATUS = 5, REMOTE_ERROR = 6 };

// Paths of PEM files; NULL: the system's certificate authorities, no client certificate. The server's certificate and name are always
// verified.
typedef struct {
  const char *authorities, *certificate, *key;
} remote_tls;

// NULL if libhiredis is not installed, or the server does not respond: see reason. `tls` is NULL for a connection without TLS.
remote_redis *remote_redis_open(const char *host, int port, long timeout, const remote_tls *tls, char *reason);
void remote_redis_close(remote_redis *redis);
// Sets the timeout for replies, in milliseconds.
void remote_redis_timeout(remote_redis *redis, long timeout);
// NULL if the connection is lost, in which case it must be closed.
remote_reply *remote_redis_send(remote_redis *redis, int count, const char **words, const size_t *lengths, char *reason);
void remote_reply_free(remote_reply *reply);
int remote_reply_type(const remote_reply *reply);
long long remote_reply_integer(const remote_reply *reply);
const char *remote_reply_bytes(const remote_reply *reply, size_t *length);
size_t remote_reply_count(const remote_reply *reply);
const remote_reply *remote_reply_element(const remote_reply *reply, size_t index);
