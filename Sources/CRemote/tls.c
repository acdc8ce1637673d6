#define _GNU_SOURCE
#include "tls.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "curl.h"

// https://curl.se/libcurl/c/CURLOPT_CONNECT_ONLY.html: libcurl connects, performs the TLS handshake and verifies the server; the data is
// transferred here.
enum {
  OPT_PROXY = 10004,
  OPT_URL = 10002,
  OPT_ERRORBUFFER = 10010,
  OPT_SSLCERT = 10025,
  OPT_CAINFO = 10065,
  OPT_SSLKEY = 10087,
  OPT_NOSIGNAL = 99,
  OPT_CONNECT_ONLY = 141,
  OPT_QUICK_EXIT = 322,
  OPT_CONNECTTIMEOUT_MS = 156,
  OPT_PROTOCOLS = 181,
  OPT_SSL_ENABLE_ALPN = 226,
  INFO_ACTIVESOCKET = 0x50002c,
  PROTOCOLS_HTTPS = 2,
  CODE_AGAIN = 81,
  ERROR_SIZE = 256,
  PIECE = 16384,
};

typedef struct {
  void *easy;
  int net;   // libcurl's socket, to wait on
  int pair;  // our end of the socket pair
} tunnel;

// Buffered data in one direction.
typedef struct {
  size_t start, end;
  unsigned char bytes[PIECE];
} piece;

// The steps return -1 if the connection ended, 0 if no data was moved.

static int read_pair(const tunnel *made, piece *out) {
  ssize_t count = recv(made->pair, out->bytes, PIECE, MSG_DONTWAIT);
  if (count == 0) return -1;
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  out->start = 0;
  out->end = (size_t)count;
  return 1;
}

static int write_net(const tunnel *made, piece *out) {
  size_t sent = 0;
  int code = curl_loaded()->send(made->easy, out->bytes + out->start, out->end - out->start, &sent);
  if (code == CODE_AGAIN) return 0;
  out->start += sent;
  return code ? -1 : sent > 0;
}

static int read_net(const tunnel *made, piece *in) {
  size_t count = 0;
  int code = curl_loaded()->receive(made->easy, in->bytes, PIECE, &count);
  if (code == CODE_AGAIN) return 0;
  if (code || !count) return -1;
  in->start = 0;
  in->end = count;
  return 1;
}

static int write_pair(const tunnel *made, piece *in) {
  ssize_t count = send(made->pair, in->bytes + in->start, in->end - in->start, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  in->start += (size_t)count;
  return count > 0;
}

static bool is_empty(const piece *bytes) { return bytes->start == bytes->end; }

// Moves as much data as possible: -1 if either side ended, otherwise whether data was moved.
static int move(const tunnel *made, piece *out, piece *in) {
  int moved = 0, step;
#define STEP(can, body) do { if (can) { step = body; if (step < 0) return -1; moved |= step; } } while (0)
  STEP(is_empty(out), read_pair(made, out));
  STEP(!is_empty(out), write_net(made, out));
  STEP(is_empty(in), read_net(made, in));
  STEP(!is_empty(in), write_pair(made, in));
#undef STEP
  return moved;
}

static void *run(void *context) {
  tunnel *made = context;
  piece *ways = calloc(2, sizeof *ways);
  while (ways) {
    piece *out = &ways[0], *in = &ways[1];
    int moved = move(made, out, in);
    if (moved < 0) break;
    if (moved) continue;
    struct pollfd ends[2] = {
      {.fd = made->pair, .events = (is_empty(out) ? POLLIN : 0) | (is_empty(in) ? 0 : POLLOUT)},
      {.fd = made->net, .events = (is_empty(in) ? POLLIN : 0) | (is_empty(out) ? 0 : POLLOUT)},
    };
    if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
    // Buffered data cannot be delivered, because its destination is closed.
    if (ends[0].revents & (POLLHUP | POLLERR) && !is_empty(out)) break;
    if (ends[1].revents & (POLLHUP | POLLERR) && !is_empty(in)) break;
  }
  free(ways);
  curl_loaded()->cleanup(made->easy);
  close(made->pair);
  free(made);
  return NULL;
}

static int prepare(void *easy, const char *url, long timeout, const remote_tls *tls, char *error) {
  const curl_library *curl = curl_loaded();
  int code = 0;
#define SET(option, value) if (!code) code = curl->setopt(easy, option, value)
  SET(OPT_URL, url);
  SET(OPT_ERRORBUFFER, error);
  SET(OPT_CONNECT_ONLY, 1L);
  SET(OPT_PROXY, "");
  SET(OPT_PROTOCOLS, (long)PROTOCOLS_HTTPS);
  SET(OPT_SSL_ENABLE_ALPN, 0L);
  SET(OPT_NOSIGNAL, 1L);
  SET(OPT_CONNECTTIMEOUT_MS, timeout);
  if (tls->authorities) SET(OPT_CAINFO, tls->authorities);
  if (tls->certificate) SET(OPT_SSLCERT, tls->certificate);
  if (tls->key) SET(OPT_SSLKEY, tls->key);
#undef SET
  curl->setopt(easy, OPT_QUICK_EXIT, 1L);
  return code;
}

// Starts a thread that blocks all signals.
static int start(tunnel *made) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int status = pthread_create(&thread, &attributes, run, made);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return status;
}

int remote_tls_open(const char *host, int port, long timeout, const remote_tls *tls, char *reason) {
  const curl_library *curl = curl_loaded();
  if (!curl->is_there) {
    snprintf(reason, REMOTE_REASON, "libcurl (Debian: libcurl4), which TLS requires, is not installed");
    return -1;
  }
  char url[512], error[ERROR_SIZE] = "";
  int length = snprintf(url, sizeof url, strchr(host, ':') ? "https://[%s]:%d/" : "https://%s:%d/", host, port);
  tunnel *made = calloc(1, sizeof *made);
  int ends[2] = {-1, -1};
  const char *failure = NULL;
  if (made) made->easy = curl->init();
  if (!made || !made->easy || length < 0 || (size_t)length >= sizeof url) failure = "there is not enough memory for a connection";
  int code = failure ? 0 : prepare(made->easy, url, timeout, tls, error);
  if (!failure && !code) code = curl->perform(made->easy);
  if (!failure && !code) code = curl->getinfo(made->easy, INFO_ACTIVESOCKET, &made->net);
  if (!failure && code) failure = error[0] ? error : curl->text(code);
  if (!failure && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) failure = strerror(errno);
  if (!failure) {
    made->pair = ends[1];
    curl->setopt(made->easy, OPT_ERRORBUFFER, NULL);
    if (!start(made)) return ends[0];
    failure = "no thread can be started for a connection";
  }
  snprintf(reason, REMOTE_REASON, "%s", failure);
  if (made && made->easy) curl->cleanup(made->easy);
  for (int i = 0; i < 2; i++) if (ends[i] >= 0) close(ends[i]);
  free(made);
  return -1;
}
