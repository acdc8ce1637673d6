#pragma once
#include "cremote.h"

// One end of a socket pair whose other end is a connection over TLS: what is written to it is sent, what comes can be read from it. Closing it
// closes the connection. Negative: reason says why there is none.
int remote_tls_open(const char *host, int port, long timeout, const remote_tls *tls, char *reason);
