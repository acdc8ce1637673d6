#pragma once
#include <limits.h>
#include <stddef.h>

/// Opens every library that pages may need, for processes that should do so before serving. Returns null, or the missing libraries and the
/// packages to install, for a message.
const char *clibraries_missing(void);

/// Opens a library by its file name: from `lib/offprint` beside the program's `bin` if it exists, otherwise from the system.
/// `OFFPRINT_LIBRARIES` can be `bundled` or `system` to use only one of them. Null if it cannot be opened.
void *clibraries_open_file(const char *name);
/// The file of libjpeg that this program was compiled for.
const char *clibraries_jpeg_file(void);
/// The folder of the bundled libraries, with a trailing slash; null if the system's are used.
const char *clibraries_folder(void);

/// The maximum number of digits of a build ID, and the terminating null.
#define CLIBRARIES_BUILD_ID 129
/// The path of the library that would be opened, and its build ID in hexadecimal digits, or its size and time if it has none; 0 if the file
/// does not exist. Does not open the library.
int clibraries_file(const char *name, char path[PATH_MAX], char build_id[CLIBRARIES_BUILD_ID]);

/// The number of arguments of `main`, including the program's name; works without /proc.
int clibraries_argument_count(void);
/// Null if there is no such argument.
const char *clibraries_argument(int index);
/// Overwrites a part of an argument with asterisks.
void clibraries_hide_argument(int index, size_t start, size_t count);
/// Writes the path of this program, with symbolic links resolved, to `path`; null if it is unknown.
const char *clibraries_program(char path[PATH_MAX]);
/// The same for the file that contains this code: the program, or a shared library opened by a host.
const char *clibraries_object(char path[PATH_MAX]);

/// What this code is linked into, which determines how it may affect the process, and how messages name options.
enum { CLIBRARIES_SWIFT_LIBRARY, CLIBRARIES_C_LIBRARY, CLIBRARIES_PROGRAM };
void clibraries_set_role(int role);
int clibraries_role(void);
