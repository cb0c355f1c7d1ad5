/* malloc and its family, for a checked process.
 *
 * Every block of the process is in the table of blocks.c, from its allocation to its free. Behind its
 * `size` bytes are TAIL bytes END, which show a write beyond its end. A freed block of up to KEPT_SIZE is
 * filled with FREED and kept from glibc until KEPT others have been freed after it, which shows a late
 * write or a second free. `fault` holds the first fault since it was last queried; later ones are
 * dropped.
 *
 * Locks: one lock, that of blocks.c, guards the table and all variables here; only has_failed is also
 * read without it, after the call that it is about. It is not recursive: under it only the __libc_
 * functions allocate, and nothing may call malloc or free, nor any function that does.
 *
 * Who frees: blocks in `kept` are freed when they are displaced, so up to KEPT blocks stay allocated.
 *
 * Fork: the lock is held during it (blocks.c), so a child may allocate, with a copy of everything here. */
#include "memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "blocks.h"
#include "injected.h"
#include "stops.h"

#define EXPORT __attribute__((visibility("default")))

/* glibc's own functions, under names that are not interposed. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

enum { TAIL = 16, END = 0xfb, FREED = 0xdb, KEPT = 2048, KEPT_SIZE = 16384 };

static char fault[256];
static size_t fail_at, asked; /* 0: none fails; allocations inside since fail_at was set */
static bool has_failed;

/* Freed blocks, kept from reuse for a while so that late writes to them are found. */
static block kept[KEPT];
static size_t kept_next;

static void note_fault(const char *what, const void *address) {
  if (!fault[0]) snprintf(fault, sizeof fault, "%s (%p)", what, address);
}

/* Counts allocations inside; true for the one that must fail. */
static bool is_doomed(bool inside, size_t size) {
  if (!inside || !fail_at || ++asked != fail_at) return false;
  has_failed = true;
  injected_tell("allocation %zu, of %zu bytes, fails", asked, size);
  return true;
}

static void *make(size_t alignment, size_t size) {
  bool inside = shim_is_inside();
  stops_meet();
  blocks_lock();
  bool doomed = is_doomed(inside, size);
  char *start = NULL;
  if (!doomed && size < PTRDIFF_MAX - TAIL)
    start = alignment ? __libc_memalign(alignment, size + TAIL) : __libc_malloc(size + TAIL);
  if (start && !blocks_add(start, size, inside)) {
    __libc_free(start);
    start = NULL;
  }
  if (start) memset(start + size, END, TAIL);
  blocks_unlock();
  if (!start) errno = ENOMEM;
  return start;
}

static bool is_overrun(const block *each) {
  for (size_t i = 0; i < TAIL; i++)
    if ((unsigned char)each->start[each->size + i] != END) return true;
  return false;
}

static bool was_written(const block *each) {
  for (size_t i = 0; i < each->size; i++)
    if ((unsigned char)each->start[i] != FREED) return true;
  return false;
}

static bool is_kept(const char *start) {
  for (size_t i = 0; i < KEPT; i++)
    if (kept[i].start == start) return true;
  return false;
}

static void keep(const block *each) {
  if (each->size > KEPT_SIZE) {
    __libc_free(each->start);
    return;
  }
  block *place = &kept[kept_next++ % KEPT];
  if (place->start) {
    if (was_written(place)) note_fault("a block was written to after it was freed", place->start);
    __libc_free(place->start);
  }
  memset(each->start, FREED, each->size);
  *place = *each;
}

static void name_fault(const char *start) {
  block around;
  if (is_kept(start))
    note_fault("a block was freed twice", start);
  else if (blocks_find(start, &around))
    note_fault("free of an address inside a block", start);
  else
    note_fault("free of an address that malloc never gave", start);
}

static void drop(char *start) {
  block found;
  stops_meet();
  blocks_lock();
  if (!blocks_take(start, &found)) {
    name_fault(start);
  } else {
    if (is_overrun(&found)) note_fault("a block was written to beyond its end", start);
    keep(&found);
  }
  blocks_unlock();
}

EXPORT void *malloc(size_t size) {
  return make(0, size);
}

EXPORT void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void *start = make(0, bytes);
  return start ? memset(start, 0, bytes) : NULL;
}

EXPORT void free(void *start) {
  int saved = errno;
  if (start) drop(start);
  errno = saved;
}

static bool size_of(const void *start, size_t *size) {
  block found = {0};
  blocks_lock();
  bool known = blocks_find(start, &found) && found.start == start;
  blocks_unlock();
  *size = found.size;
  return known;
}

EXPORT void *realloc(void *old, size_t size) {
  size_t before = 0;
  if (!old) return make(0, size);
  if (!size_of(old, &before)) {
    drop(old);
    errno = ENOMEM;
    return NULL;
  }
  if (!size) {
    drop(old);
    return NULL;
  }
  void *start = make(0, size);
  if (!start) return NULL;
  memcpy(start, old, before < size ? before : size);
  drop(old);
  return start;
}

EXPORT void *reallocarray(void *old, size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(old, bytes);
  errno = ENOMEM;
  return NULL;
}

EXPORT void *memalign(size_t alignment, size_t size) {
  return make(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
  return make(alignment, size);
}

EXPORT int posix_memalign(void **start, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || !alignment)
    return EINVAL;
  void *made = make(alignment, size);
  if (made) *start = made;
  return made ? 0 : ENOMEM;
}

EXPORT void *valloc(size_t size) {
  return make(4096, size);
}

EXPORT void *pvalloc(size_t size) {
  return make(4096, (size + 4095) & ~(size_t)4095);
}

EXPORT size_t malloc_usable_size(void *start) {
  size_t size = 0;
  if (start) size_of(start, &size);
  return size;
}

size_t memory_blocks(void) {
  blocks_lock();
  size_t count = blocks_inside();
  blocks_unlock();
  return count;
}

const void *memory_block(const void *address, size_t *size) {
  block found = {0};
  blocks_lock();
  if (blocks_find(address, &found)) *size = found.size;
  blocks_unlock();
  return found.start;
}

static bool note_overrun(const block *each) {
  if (!is_overrun(each)) return false;
  note_fault("a block was written to beyond its end", each->start);
  memset(each->start + each->size, END, TAIL); /* so that it is not reported again */
  return true;
}

bool memory_fault(bool thorough, char *text, size_t size) {
  blocks_lock();
  if (thorough) blocks_each(note_overrun);
  for (size_t i = 0; thorough && i < KEPT; i++)
    if (kept[i].start && was_written(&kept[i]))
      note_fault("a block was written to after it was freed", kept[i].start);
  bool found = fault[0] != '\0';
  snprintf(text, size, "%s", fault);
  fault[0] = '\0';
  blocks_unlock();
  return found;
}

void memory_fail_allocation(size_t k) {
  blocks_lock();
  fail_at = k;
  asked = 0;
  has_failed = false;
  if (k > 0) injected_clear();
  blocks_unlock();
}

bool memory_allocation_failed(void) {
  return has_failed;
}
