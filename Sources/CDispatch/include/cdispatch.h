#pragma once

/// Makes libdispatch work where `/proc` is not mounted; see threads.c. Must only be linked into programs, because it defines a function of
/// the C library.
