// Opens libraries on the first call of one of their functions. Each function in `functions.h` is defined here, with hidden visibility, as a
// jump through a slot. Initially the slot points to `clibraries_first_call`, which opens the library, fills the slots of all its functions,
// and continues with the call. Callers and headers are unaffected, and the linker (`--as-needed`) finds that the library is not needed.
//
// With CLIBRARIES_LINKED there are no stubs: the libraries are linked as usual, and the loader opens them at each start
// (`OFFPRINT_STUBS=0`, docs/install.md).
#define _GNU_SOURCE
#include "clibraries.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <jpeglib.h>

// The file for the libjpeg ABI that the codecs are compiled for, which differs between Debian and Ubuntu.
#if JPEG_LIB_VERSION >= 80
#define JPEG_FILE "libjpeg.so.8"
#define JPEG_PACKAGE "libjpeg-turbo8"
#else
#define JPEG_FILE "libjpeg.so.62"
#define JPEG_PACKAGE "libjpeg62-turbo"
#endif

const char *clibraries_jpeg_file(void) { return JPEG_FILE; }

#ifdef CLIBRARIES_LINKED

// The loader has found all of them; otherwise the program would not have started.
const char *clibraries_missing(void) { return NULL; }

#else

#if defined(__x86_64__)
// The addresses of the slot and the library are passed to the first call in registers that are not used for arguments.
#define JUMP "jmp *8f(%rip)\n9: leaq 8f(%rip), %r11\n"
#define OPEN(library) "leaq clibraries_" #library "(%rip), %r10\njmp clibraries_first_call\n"
#elif defined(__aarch64__)
#define JUMP "adrp x16, 8f\nldr x17, [x16, :lo12:8f]\nbr x17\n9: adrp x16, 8f\nadd x16, x16, :lo12:8f\n"
#define OPEN(library) "adrp x17, clibraries_" #library "\nadd x17, x17, :lo12:clibraries_" #library "\nb clibraries_first_call\n"
#else
#error "The stubs are written for x86-64 and AArch64: build with OFFPRINT_STUBS=0."
#endif

// The data of a library is contiguous: its slots, and in the same order the names of its functions, terminated by an empty one.
#define SLOTS(library) ".pushsection .data.clibraries_slots_" #library ",\"aw\"\n"
#define NAMES(library) ".pushsection .rodata.clibraries_names_" #library ",\"a\"\n"
#define END ".popsection\n"

#define LIBRARY(library, file, package) \
  asm(SLOTS(library) ".balign 8\nclibraries_slots_" #library ":\n" END NAMES(library) "clibraries_names_" #library ":\n" END);
#define FUNCTION(library, name) \
  asm(".text\n.globl " #name "\n.hidden " #name "\n.type " #name ", %function\n" #name ":\n" JUMP OPEN(library) \
      SLOTS(library) "8: .quad 9b\n" END NAMES(library) ".asciz \"" #name "\"\n" END);
#include "functions.h"
#undef LIBRARY
#undef FUNCTION

#define LIBRARY(library, file, package) asm(NAMES(library) ".byte 0\n" END);
#define FUNCTION(library, name)
#include "functions.h"
#undef LIBRARY

struct opened_library {
  const char *file, *package, *names;
  void **slots;
};

#define LIBRARY(library, file, package) \
  extern void *clibraries_slots_##library[]; \
  extern const char clibraries_names_##library[]; \
  __attribute__((visibility("hidden"))) struct opened_library clibraries_##library = { \
      file, package, clibraries_names_##library, clibraries_slots_##library};
#include "functions.h"
#undef LIBRARY

/// Returns null, or the name of the missing library. Threads that call it concurrently write the same values.
static const char *fill_slots(const struct opened_library *library) {
  void *handle = clibraries_open_file(library->file);
  if (!handle) return library->file;
  void **slot = library->slots;
  for (const char *name = library->names; *name; name += strlen(name) + 1, slot++) {
    void *function = dlsym(handle, name);
    if (!function) return name;
    __atomic_store_n(slot, function, __ATOMIC_RELEASE);
  }
  return NULL;
}

#define LIBRARY(library, file, package) &clibraries_##library,
static const struct opened_library *const all[] = {
#include "functions.h"
};
#undef LIBRARY
enum { COUNT = sizeof all / sizeof *all };

const char *clibraries_missing(void) {
  static _Thread_local char message[2048];
  char files[1024] = "", packages[512] = "";
  for (size_t i = 0; i < COUNT; i++) {
    if (!fill_slots(all[i])) continue;
    snprintf(files + strlen(files), sizeof files - strlen(files), "%s%s", *files ? ", " : "", all[i]->file);
    snprintf(packages + strlen(packages), sizeof packages - strlen(packages), " %s", all[i]->package);
  }
  if (!*files) return NULL;
  snprintf(message, sizeof message, "%s: not found, or too old; on Debian and Ubuntu: apt-get install%s", files, packages);
  return message;
}

/// Called by `clibraries_first_call`. A missing function cannot be reported to the caller, so the process exits, as it does when the loader
/// misses a library. In a host process this does not happen: a renderer is only created if all libraries could be opened.
__attribute__((visibility("hidden"), used)) void clibraries_open(const struct opened_library *library) {
  if (!fill_slots(library)) return;
  const char *missing = clibraries_missing();
  fprintf(stderr, "offprint: libraryMissing: %s.\n", missing ? missing : library->file);
  _exit(127);
}

// Saves every register that may contain arguments, opens the library, and jumps to the new value of the slot.
#if defined(__x86_64__)
asm(".text\n"
    "clibraries_first_call:\n"
    "pushq %rbp\n movq %rsp, %rbp\n subq $208, %rsp\n"
    "movq %rdi, (%rsp)\n movq %rsi, 8(%rsp)\n movq %rdx, 16(%rsp)\n movq %rcx, 24(%rsp)\n movq %r8, 32(%rsp)\n movq %r9, 40(%rsp)\n"
    "movq %rax, 48(%rsp)\n movq %r11, 56(%rsp)\n"
    "movups %xmm0, 64(%rsp)\n movups %xmm1, 80(%rsp)\n movups %xmm2, 96(%rsp)\n movups %xmm3, 112(%rsp)\n"
    "movups %xmm4, 128(%rsp)\n movups %xmm5, 144(%rsp)\n movups %xmm6, 160(%rsp)\n movups %xmm7, 176(%rsp)\n"
    "movq %r10, %rdi\n call clibraries_open\n"
    "movups 64(%rsp), %xmm0\n movups 80(%rsp), %xmm1\n movups 96(%rsp), %xmm2\n movups 112(%rsp), %xmm3\n"
    "movups 128(%rsp), %xmm4\n movups 144(%rsp), %xmm5\n movups 160(%rsp), %xmm6\n movups 176(%rsp), %xmm7\n"
    "movq (%rsp), %rdi\n movq 8(%rsp), %rsi\n movq 16(%rsp), %rdx\n movq 24(%rsp), %rcx\n movq 32(%rsp), %r8\n movq 40(%rsp), %r9\n"
    "movq 48(%rsp), %rax\n movq 56(%rsp), %r11\n leave\n jmp *(%r11)\n");
#elif defined(__aarch64__)
asm(".text\n"
    "clibraries_first_call:\n"
    "stp x29, x30, [sp, #-224]!\n mov x29, sp\n"
    "stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n stp x6, x7, [sp, #64]\n stp x8, x16, [sp, #80]\n"
    "stp q0, q1, [sp, #96]\n stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n stp q6, q7, [sp, #192]\n"
    "mov x0, x17\n bl clibraries_open\n"
    "ldp q0, q1, [sp, #96]\n ldp q2, q3, [sp, #128]\n ldp q4, q5, [sp, #160]\n ldp q6, q7, [sp, #192]\n"
    "ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n ldp x6, x7, [sp, #64]\n ldp x8, x16, [sp, #80]\n"
    "ldp x29, x30, [sp], #224\n ldr x17, [x16]\n br x17\n");
#endif

#endif
