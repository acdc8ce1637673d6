#pragma once
#include <limits.h>
#include <stddef.h>

/// Opens every library that pages may need, where that is to happen before a process serves; the name of the first that is missing, or null.
const char *clibraries_open_all(void);

/// The arguments of `main`, the program's name included; also without /proc.
int clibraries_argument_count(void);
/// Null where there is none.
const char *clibraries_argument(int index);
/// Overwrites a part of an argument with asterisks.
void clibraries_hide_argument(int index, size_t start, size_t count);
/// The file of this program without symbolic links, written to `path`; null where it is not known.
const char *clibraries_program(char path[PATH_MAX]);
