#pragma once
#include "cremote.h"

// One end of a socket pair that is connected to a TLS connection: written data is sent, and received data can be read. Closing it closes
// the connection. Negative on failure: see reason.
int remote_tls_open(const char *host, int port, long timeout, const remote_tls *tls, char *reason);
