#define _GNU_SOURCE
#include "clibraries.h"
#include "cremote.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "curl.h"
#include "guard.h"

enum {
  OPT_WRITEDATA = 10001,
  OPT_PROXY = 10004,
  OPT_URL = 10002,
  OPT_USERPWD = 10005,
  OPT_ERRORBUFFER = 10010,
  OPT_POSTFIELDS = 10015,
  OPT_USERAGENT = 10018,
  OPT_HTTPHEADER = 10023,
  OPT_HEADERDATA = 10029,
  OPT_CUSTOMREQUEST = 10036,
  OPT_XFERINFODATA = 10057,
  OPT_ACCEPT_ENCODING = 10102,
  OPT_OPENSOCKETDATA = 10164,
  OPT_AWS_SIGV4 = 10305,
  OPT_WRITEFUNCTION = 20011,
  OPT_HEADERFUNCTION = 20079,
  OPT_OPENSOCKETFUNCTION = 20163,
  OPT_XFERINFOFUNCTION = 20219,
  OPT_POSTFIELDSIZE_LARGE = 30120,
  OPT_NOPROGRESS = 43,
  OPT_NOBODY = 44,
  OPT_HTTP_VERSION = 84,
  OPT_NOSIGNAL = 99,
  OPT_TIMEOUT_MS = 155,
  OPT_CONNECTTIMEOUT_MS = 156,
  OPT_PROTOCOLS = 181,
  OPT_QUICK_EXIT = 322,
  INFO_RESPONSE_CODE = 0x200002,
  INFO_CONTENT_TYPE = 0x100012,
  INFO_REDIRECT_URL = 0x10001f,
  INFO_PRIMARY_IP = 0x100020,
  PROTOCOLS_HTTP = 1 | 2,
  HTTP_1_1 = 2,
  GLOBAL_ALL = 3,
  ERROR_SIZE = 256,
};

/// OPENSSL_INIT_NO_ATEXIT
static const uint64_t no_atexit = 0x80000;

static curl_library curl;

static void load(void) {
  const char *names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) library = clibraries_open_file(names[i]);
  if (!library) return;
#define FIND(field, name) if (!(*(void **)&curl.field = dlsym(library, name))) return
  FIND(global_init, "curl_global_init");
  FIND(init, "curl_easy_init");
  FIND(setopt, "curl_easy_setopt");
  FIND(perform, "curl_easy_perform");
  FIND(getinfo, "curl_easy_getinfo");
  FIND(reset, "curl_easy_reset");
  FIND(cleanup, "curl_easy_cleanup");
  FIND(text, "curl_easy_strerror");
  FIND(append, "curl_slist_append");
  FIND(free_all, "curl_slist_free_all");
  FIND(send, "curl_easy_send");
  FIND(receive, "curl_easy_recv");
#undef FIND
  // OpenSSL's exit handler would free its state while other threads still transfer data, and crash the process.
  // https://docs.openssl.org/3.0/man3/OPENSSL_init_crypto/; a libcurl with another TLS library does not have this function.
  int (*init_crypto)(uint64_t, const void *) = NULL;
  *(void **)&init_crypto = dlsym(library, "OPENSSL_init_crypto");
  // A host process decides this itself.
  if (init_crypto && clibraries_role() == CLIBRARIES_PROGRAM) init_crypto(no_atexit, NULL);
  curl.is_there = curl.global_init(GLOBAL_ALL) == 0;
}

const curl_library *curl_loaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return &curl;
}

struct remote_http {
  void *easy;
};

remote_http *remote_http_open(char *reason) {
  curl_loaded();
  remote_http *http = curl.is_there ? calloc(1, sizeof *http) : NULL;
  if (http) http->easy = curl.init();
  if (http && http->easy) return http;
  free(http);
  snprintf(reason, REMOTE_REASON, "%s", curl.is_there ? "there is not enough memory for a connection" : "libcurl (Debian: libcurl4) is not installed");
  return NULL;
}

void remote_http_close(remote_http *http) {
  if (!http) return;
  pipe_guard guard = guard_begin();
  curl.cleanup(http->easy);
  guard_end(&guard);
  free(http);
}

typedef struct {
  remote_answer *answer;
  size_t capacity, limit, head;
  const remote_guard *guard;
} sink;

static size_t take(char *bytes, size_t size, size_t count, void *context) {
  sink *target = context;
  remote_answer *answer = target->answer;
  size_t length = size * count;
  if (length > target->limit - answer->length) {
    answer->too_large = true;
    return 0;
  }
  if (answer->length + length > target->capacity) {
    size_t capacity = target->capacity ? target->capacity * 2 : 16384;
    while (capacity < answer->length + length) capacity *= 2;
    unsigned char *grown = realloc(answer->bytes, capacity);
    if (!grown) return 0;
    answer->bytes = grown;
    target->capacity = capacity;
  }
  memcpy(answer->bytes + answer->length, bytes, length);
  answer->length += length;
  return length;
}

// Called for each line of the head of every response (100, 200).
static size_t take_head(char *bytes, size_t size, size_t count, void *context) {
  sink *target = context;
  remote_answer *answer = target->answer;
  size_t length = size * count;
  target->head += length;
  if (target->head > target->guard->header_limit) {
    answer->head_too_large = true;
    return 0;
  }
  if (!answer->head) answer->head = malloc(target->guard->header_limit);
  if (!answer->head) return 0;
  if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) answer->head_length = 0;
  memcpy(answer->head + answer->head_length, bytes, length);
  answer->head_length += length;
  return length;
}

static int go_on(void *context, int64_t total, int64_t now, int64_t up, int64_t sent) {
  (void)total, (void)now, (void)up, (void)sent;
  sink *target = context;
  target->answer->stopped = target->guard->stops(target->guard->context);
  return target->answer->stopped;
}

// As declared by libcurl.
typedef struct {
  int family, type, protocol;
  unsigned int length;
  struct sockaddr address;
} socket_address;

// Checks the address and port that are actually connected to, whatever the name resolves to later.
static int open_socket(void *context, int purpose, socket_address *wanted) {
  (void)purpose;
  sink *target = context;
  const void *bytes = NULL;
  size_t length = 0;
  unsigned port = 0;
  if (wanted->family == AF_INET) {
    const struct sockaddr_in *address = (const struct sockaddr_in *)&wanted->address;
    bytes = &address->sin_addr;
    length = 4;
    port = ntohs(address->sin_port);
  } else if (wanted->family == AF_INET6) {
    const struct sockaddr_in6 *address = (const struct sockaddr_in6 *)&wanted->address;
    bytes = &address->sin6_addr;
    length = 16;
    port = ntohs(address->sin6_port);
  }
  if (!bytes || !target->guard->allows(target->guard->context, bytes, length, port)) {
    target->answer->refused = true;
    return -1;
  }
  return socket(wanted->family, wanted->type | SOCK_CLOEXEC, wanted->protocol);
}

static int prepare_guard(void *easy, sink *target) {
  int code = 0;
#define SET(option, value) if (!code) code = curl.setopt(easy, option, value)
  SET(OPT_PROXY, "");
  SET(OPT_ACCEPT_ENCODING, "gzip, deflate");
  SET(OPT_HEADERFUNCTION, take_head);
  SET(OPT_HEADERDATA, target);
  SET(OPT_OPENSOCKETFUNCTION, open_socket);
  SET(OPT_OPENSOCKETDATA, target);
  SET(OPT_XFERINFOFUNCTION, go_on);
  SET(OPT_XFERINFODATA, target);
  SET(OPT_NOPROGRESS, 0L);
#undef SET
  return code;
}

// Queries the properties of the response other than its body; a text that cannot be allocated is omitted.
static int ask(void *easy, remote_answer *answer) {
  const char *redirect = NULL, *type = NULL, *address = NULL;
  int code = curl.getinfo(easy, INFO_REDIRECT_URL, &redirect);
  if (!code) code = curl.getinfo(easy, INFO_CONTENT_TYPE, &type);
  if (!code) code = curl.getinfo(easy, INFO_PRIMARY_IP, &address);
  if (!code && address) answer->address = strdup(address);
  if (!code && redirect) answer->redirect = strdup(redirect);
  if (!code && type) answer->content_type = strdup(type);
  return code;
}

// Returns 0, or libcurl's error for an option.
static int prepare(void *easy, const remote_request *request, curl_slist *headers, sink *target, char *error) {
  int code = 0;
#define SET(option, value) if (!code) code = curl.setopt(easy, option, value)
  SET(OPT_URL, request->url);
  SET(OPT_CUSTOMREQUEST, request->method);
  SET(OPT_NOBODY, (long)(strcmp(request->method, "HEAD") == 0));
  SET(OPT_NOSIGNAL, 1L);
  SET(OPT_ERRORBUFFER, error);
  SET(OPT_USERAGENT, "offprint");
  SET(OPT_PROTOCOLS, (long)PROTOCOLS_HTTP);
  SET(OPT_HTTP_VERSION, (long)HTTP_1_1);
  SET(OPT_TIMEOUT_MS, request->timeout);
  SET(OPT_CONNECTTIMEOUT_MS, request->timeout);
  SET(OPT_WRITEFUNCTION, take);
  SET(OPT_WRITEDATA, target);
  SET(OPT_HTTPHEADER, headers);
  if (request->body) {
    SET(OPT_POSTFIELDSIZE_LARGE, (int64_t)request->length);
    SET(OPT_POSTFIELDS, request->body);
  }
  if (request->user_password) {
    SET(OPT_USERPWD, request->user_password);
    SET(OPT_AWS_SIGV4, request->signature);
  }
  if (request->guard && !code) code = prepare_guard(easy, target);
#undef SET
  // An unresponsive name server blocks a thread of libcurl. With this option, cleanup does not wait for it, and it ends by itself.
  // Libraries before 7.87 do not support it, and wait. https://curl.se/libcurl/c/CURLOPT_QUICK_EXIT.html
  curl.setopt(easy, OPT_QUICK_EXIT, 1L);
  return code;
}

remote_answer remote_http_send(remote_http *http, const remote_request *request) {
  remote_answer answer = {.failed = true};
  sink target = {.answer = &answer, .limit = request->limit, .guard = request->guard};
  char error[ERROR_SIZE] = "";
  curl_slist *headers = NULL;
  for (size_t i = 0; i < request->header_count; i++) headers = curl.append(headers, request->headers[i]);
  pipe_guard guard = guard_begin();
  curl.reset(http->easy);
  int code = prepare(http->easy, request, headers, &target, error);
  if (!code) code = curl.perform(http->easy);
  if (!code) code = curl.getinfo(http->easy, INFO_RESPONSE_CODE, &answer.status);
  if (!code && request->guard) code = ask(http->easy, &answer);
  curl.reset(http->easy);
  guard_end(&guard);
  curl.free_all(headers);
  answer.failed = code != 0;
  // No connection; empty response; sending or receiving failed. https://curl.se/libcurl/c/libcurl-errors.html
  answer.transient = code == 7 || code == 52 || code == 55 || code == 56;
  if (code) snprintf(answer.reason, sizeof answer.reason, "%s", error[0] ? error : curl.text(code));
  return answer;
}
