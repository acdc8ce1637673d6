#define _GNU_SOURCE
#include "clibraries.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The location of the libraries: `lib/offprint` beside the folder of the program or of liboffprint.so, as in a bundle, or the system's. The
// two are never mixed, because the bytes of images depend on the complete set.

/// With a trailing slash; empty for the system's libraries.
static char folder[PATH_MAX];
static pthread_once_t folder_once = PTHREAD_ONCE_INIT;

static void find_folder(void) {
#ifdef CLIBRARIES_LINKED
  // The loader has opened the system's libraries already.
  return;
#endif
  const char *choice = getenv("OFFPRINT_LIBRARIES");
  if (choice && !strcmp(choice, "system")) return;
  char path[PATH_MAX];
  if (!clibraries_object(path)) return;
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(path, '/');
    if (!slash) return;
    *slash = 0;
  }
  int count = snprintf(folder, sizeof folder, "%s/lib/offprint/", path);
  int is_wanted = choice && !strcmp(choice, "bundled");
  if (count < 0 || (size_t)count >= sizeof folder || (!is_wanted && access(folder, X_OK))) *folder = 0;
}

const char *clibraries_folder(void) {
  pthread_once(&folder_once, find_folder);
  return *folder ? folder : NULL;
}

/// The prefix of the names of libraries in the bundle (Distribution/bundle), which distinguishes them from other libraries in a host
/// process.
#define PREFIX "offprint-"

void *clibraries_open_file(const char *name) {
  const char *own = clibraries_folder();
  char path[PATH_MAX];
  if (own && (size_t)snprintf(path, sizeof path, "%s" PREFIX "%s", own, name) >= sizeof path) return NULL;
  return dlopen(own ? path : name, RTLD_LAZY | RTLD_LOCAL);
}

// MARK: Identifying a file without opening it as a library

#if defined(__x86_64__)
#define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#else
#define MULTIARCH "linux-gnu"
#endif

#ifdef CLIBRARIES_LINKED
/// Opens the file of a library that the program is linked with, which the loader may have found in any folder.
static int open_loaded(const char *name, char path[PATH_MAX]) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  struct link_map *map = NULL;
  int file = -1;
  if (library && !dlinfo(library, RTLD_DI_LINKMAP, &map) && (size_t)snprintf(path, PATH_MAX, "%s", map->l_name) < PATH_MAX)
    file = open(path, O_RDONLY | O_CLOEXEC);
  if (library) dlclose(library);
  return file;
}
#endif

/// Returns a descriptor, or -1. Searches the folders that the loader searches, except those in `/etc/ld.so.conf`.
static int open_for_reading(const char *name, char path[PATH_MAX]) {
  static const char *const places[] = {"/lib/" MULTIARCH "/", "/usr/lib/" MULTIARCH "/", "/lib64/", "/usr/lib64/", "/usr/local/lib/", "/lib/", "/usr/lib/"};
#ifdef CLIBRARIES_LINKED
  int loaded = open_loaded(name, path);
  if (loaded >= 0) return loaded;
#endif
  const char *own = clibraries_folder();
  const char *search = own ? NULL : getenv("LD_LIBRARY_PATH");
  while (search && *search) {
    size_t length = strcspn(search, ":");
    int file = -1;
    if (length && (size_t)snprintf(path, PATH_MAX, "%.*s/%s", (int)length, search, name) < PATH_MAX) file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) return file;
    search += length + (search[length] == ':');
  }
  for (size_t i = 0; i < (own ? 1 : sizeof places / sizeof *places); i++) {
    if ((size_t)snprintf(path, PATH_MAX, "%s%s%s", own ? own : places[i], own ? PREFIX : "", name) >= PATH_MAX) continue;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) return file;
  }
  return -1;
}

/// https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.pheader.html#note_section; finds the digest in NT_GNU_BUILD_ID.
static int find_build_id(const uint8_t *notes, size_t size, char hex[CLIBRARIES_BUILD_ID]) {
  size_t position = 0;
  while (size >= sizeof(Elf64_Nhdr) && position <= size - sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    memcpy(&note, notes + position, sizeof note);
    size_t name = position + sizeof note, value = name + (((size_t)note.n_namesz + 3) & ~(size_t)3);
    size_t end = value + (((size_t)note.n_descsz + 3) & ~(size_t)3);
    if (note.n_namesz > size || note.n_descsz > size || end > size) return 0;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4) && note.n_descsz > 0
        && note.n_descsz * 2 < CLIBRARIES_BUILD_ID) {
      for (size_t i = 0; i < note.n_descsz; i++) sprintf(hex + 2 * i, "%02x", notes[value + i]);
      return 1;
    }
    position = end;
  }
  return 0;
}

static int read_build_id(int file, char hex[CLIBRARIES_BUILD_ID]) {
  uint8_t bytes[8192];
  ssize_t count = pread(file, bytes, sizeof bytes, 0);
  Elf64_Ehdr head;
  if (count < (ssize_t)sizeof head) return 0;
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(Elf64_Phdr)) return 0;
  for (size_t i = 0; i < head.e_phnum; i++) {
    size_t start = head.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr part;
    if (head.e_phoff > sizeof bytes || start + sizeof part > (size_t)count) return 0;
    memcpy(&part, bytes + start, sizeof part);
    if (part.p_type != PT_NOTE || part.p_filesz > sizeof bytes) continue;
    uint8_t notes[sizeof bytes];
    if (part.p_offset + part.p_filesz <= (size_t)count) {
      if (find_build_id(bytes + part.p_offset, part.p_filesz, hex)) return 1;
    } else if (pread(file, notes, part.p_filesz, (off_t)part.p_offset) == (ssize_t)part.p_filesz) {
      if (find_build_id(notes, part.p_filesz, hex)) return 1;
    }
  }
  return 0;
}

int clibraries_file(const char *name, char path[PATH_MAX], char hex[CLIBRARIES_BUILD_ID]) {
  *hex = 0;
  int file = open_for_reading(name, path);
  if (file < 0) return 0;
  struct stat status;
  if (!read_build_id(file, hex) && !fstat(file, &status))
    snprintf(hex, CLIBRARIES_BUILD_ID, "%lld-%lld", (long long)status.st_size, (long long)status.st_mtime);
  close(file);
  return 1;
}
