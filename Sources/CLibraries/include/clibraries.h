#pragma once
#include <limits.h>
#include <stddef.h>

/// Opens every library that pages may need, where that is to happen before a process serves. Null, or those that are missing and the packages
/// to install, for a message.
const char *clibraries_missing(void);

/// Opens a library by the name of its file: from `lib/offprint` beside the program's `bin` where that is there, else from the system.
/// `OFFPRINT_LIBRARIES` is `bundled` or `system` for one of them alone. Null where it cannot be opened.
void *clibraries_open_file(const char *name);
/// The file of libjpeg that this program was compiled for.
const char *clibraries_jpeg_file(void);
/// The folder of the bundled libraries, with a slash at its end; null where the system's are used.
const char *clibraries_folder(void);

/// Digits of a build ID, and the end of the string.
#define CLIBRARIES_BUILD_ID 129
/// Where a library is that would be opened, and its build ID in hexadecimal digits, or its size and time where it has none; 0 where there is no such file.
/// The library is not opened.
int clibraries_file(const char *name, char path[PATH_MAX], char build_id[CLIBRARIES_BUILD_ID]);

/// The arguments of `main`, the program's name included; also without /proc.
int clibraries_argument_count(void);
/// Null where there is none.
const char *clibraries_argument(int index);
/// Overwrites a part of an argument with asterisks.
void clibraries_hide_argument(int index, size_t start, size_t count);
/// The file of this program without symbolic links, written to `path`; null where it is not known.
const char *clibraries_program(char path[PATH_MAX]);
/// The same of the file that this code is in: the program, or a shared library that a host opened.
const char *clibraries_object(char path[PATH_MAX]);

/// What this code is a part of, which decides what it may do to its process and how messages name options.
enum { CLIBRARIES_SWIFT_LIBRARY, CLIBRARIES_C_LIBRARY, CLIBRARIES_PROGRAM };
void clibraries_set_role(int role);
int clibraries_role(void);
