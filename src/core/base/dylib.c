/* Shared objects.
 *
 * Nothing is kept here but the path of this code, which is found once and never changes: the loader's own
 * list is the state. Libraries are opened and never closed, so an
 * address, once found, stays valid, and threads need no lock but the loader's. dlerror is per thread,
 * and its text is copied before the next call.
 *
 * Opening runs the constructors of the library, which may do anything, also fork or load modfs. So no
 * lock of the core is held meanwhile (registry.c: the claim alone keeps other threads away). */
#include "dylib.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "status.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__i386__)
#define MACHINE EM_386
#elif defined(__arm__)
#define MACHINE EM_ARM
#elif defined(__riscv)
#define MACHINE EM_RISCV
#else
#error "this build of modfs does not know the ELF machine number of this processor"
#endif

#define OWN_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define OWN_DATA (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

enum { SEGMENTS = 16 }; /* whose headers are read by one call */

static bool read_at(int descriptor, uint64_t offset, void *out, size_t size) {
  return pread(descriptor, out, size, (off_t)offset) == (ssize_t)size;
}

static const char *header_fault(const ElfW(Ehdr) * header) {
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return "not an ELF file";
  if (header->e_ident[EI_CLASS] != OWN_CLASS || header->e_ident[EI_DATA] != OWN_DATA ||
      header->e_machine != MACHINE)
    return "an ELF file for another machine";
  if (header->e_type != ET_DYN) return "not a shared object";
  if (header->e_phnum == 0 || header->e_phentsize != sizeof(ElfW(Phdr)))
    return "an ELF file without program headers";
  return NULL;
}

/* Every segment must lie within the file: the dynamic loader maps what the headers say, unchecked.
 */
static bool segment_fits(const ElfW(Phdr) * segment, uint64_t size) {
  bool is_mapped = segment->p_type == PT_LOAD || segment->p_type == PT_DYNAMIC;
  return !is_mapped || (segment->p_filesz <= size && segment->p_offset <= size - segment->p_filesz);
}

static const char *segments_fault(int descriptor, const ElfW(Ehdr) * header, uint64_t size) {
  bool dynamic = false, loadable = false;
  ElfW(Phdr) segments[SEGMENTS];
  for (unsigned i = 0; i < header->e_phnum; i++) {
    const ElfW(Phdr) *segment = &segments[i % SEGMENTS];
    unsigned left = header->e_phnum - i, count = left < SEGMENTS ? left : SEGMENTS;
    uint64_t offset = header->e_phoff + (uint64_t)i * sizeof *segment;
    if (i % SEGMENTS == 0 && (offset < header->e_phoff ||
                              !read_at(descriptor, offset, segments, count * sizeof *segment)))
      return "truncated: its program headers are missing";
    if (!segment_fits(segment, size)) return "truncated: a segment ends beyond the file";
    dynamic = dynamic || segment->p_type == PT_DYNAMIC;
    loadable = loadable || segment->p_type == PT_LOAD;
  }
  return dynamic && loadable ? NULL : "an ELF file without code to load";
}

void dylib_check(int descriptor, TF_Status *status) {
  ElfW(Ehdr) header;
  struct stat stat;
  const char *fault = "truncated: no ELF header";
  if (fstat(descriptor, &stat) != 0 || !S_ISREG(stat.st_mode))
    fault = "not a regular file";
  else if (read_at(descriptor, 0, &header, sizeof header))
    fault = header_fault(&header);
  else if (stat.st_size < SELFMAG || !read_at(descriptor, 0, &header, SELFMAG) ||
           memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    fault = "not an ELF file";
  if (!fault) fault = segments_fault(descriptor, &header, (uint64_t)stat.st_size);
  if (fault) modfs_set_status(status, TF_FAILED_PRECONDITION, "not a plugin: %s", fault);
}

/* A handle of the runtime library that core and plugins share; it need not be closed. */
static void *runtime_library(int flags) {
  TF_Status *(*const bound)(void) = TF_NewStatus;
  const void *address;
  Dl_info info;
  memcpy(&address, &bound, sizeof address);
  return dladdr(address, &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | flags) : NULL;
}

/* Opens a library that is never closed. On failure copies the loader's message, which the next call
 * overwrites. */
static void *open_library(const char *path, char *reason, size_t size) {
  errno = 0;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const char *words = library ? NULL : dlerror();
  if (!library) snprintf(reason, size, "%s", words ? words : "no reason given");
  return library;
}

/* A plugin that is not linked to the runtime needs its symbols to be global. As that affects the
 * whole process, they are made global only when a plugin lacks a TF_* symbol. */
void *dylib_open(const char *path, TF_Status *status) {
  char reason[1024];
  void *library = open_library(path, reason, sizeof reason);
  if (!library && strstr(reason, "undefined symbol: TF_") && runtime_library(RTLD_GLOBAL))
    library = open_library(path, reason, sizeof reason);
  int error = errno; /* of the system call that failed */
  TF_Code code = error == EMFILE || error == ENFILE ? TF_RESOURCE_EXHAUSTED : TF_NOT_FOUND;
  if (!library) modfs_set_status(status, code, "dynamic loader: %s", reason);
  return library;
}

static bool is_function(const void *address) {
  const ElfW(Sym) *symbol = NULL;
  Dl_info info;
  if (dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || !symbol) return false;
  unsigned type = symbol->st_info & 0xf; /* the same in both ELF classes */
  return type == STT_FUNC || type == STT_GNU_IFUNC;
}

void *dylib_symbol(void *library, const char *name) {
  void *address = dlsym(library, name);
  struct link_map *map = NULL, *owner = NULL;
  Dl_info info;
  if (!address || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 ||
      dladdr1(address, &info, (void **)&owner, RTLD_DL_LINKMAP) == 0)
    return NULL;
  return owner == map && is_function(address) ? address : NULL;
}

bool dylib_function(void *library, const char *name, void *function) {
  void *address = dylib_symbol(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

bool dylib_owns(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0;
}

static struct {
  pthread_once_t once;
  char *path;
} self = {.once = PTHREAD_ONCE_INIT};

static void find_self(void) {
  Dl_info info;
  struct link_map *map = NULL;
  static const char anchor = 0;
  if (dladdr1(&anchor, &info, (void **)&map, RTLD_DL_LINKMAP) == 0) return;
  /* The main program has an empty name in the loader's list. */
  self.path = realpath(map->l_name[0] ? map->l_name : "/proc/self/exe", NULL);
}

const char *dylib_self(void) {
  pthread_once(&self.once, find_self);
  return self.path;
}

void *dylib_runtime_symbol(const char *name) {
  void *library = runtime_library(0);
  return library ? dlsym(library, name) : NULL;
}
