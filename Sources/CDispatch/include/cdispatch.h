#pragma once

/// Lets libdispatch run where `/proc` is not mounted; see threads.c. Programs alone are linked with it: it defines a function of the C library.
