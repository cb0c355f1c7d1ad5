/* The table of all living blocks of the process.
 *
 * An open hash table with linear probing, keyed by start. An entry is empty (start NULL) or living. `used`
 * counts the living ones and stays at or below half of `room`, a power of two, so every probe ends at
 * a NULL. An entry that is removed is filled from behind, so that no probe ends too early and the table
 * is as large as the most blocks that ever lived, not as all that were made: a child looks at all of it
 * after each case. It never shrinks. `inside` counts the living blocks that were made inside.
 *
 * Locks: one, which spins, for the C library's are interposed by locks.c. All functions but lock and unlock
 * need it held by the caller; blocks_each calls its visitor under it. Nothing here calls malloc, which
 * would come back here.
 *
 * Who frees: grow unmaps the old table. The blocks themselves belong to memory.c.
 *
 * Fork: the forking thread holds the lock during the fork, so a child finds the table complete and the
 * lock free. (vfork, _Fork and posix_spawn run no fork handlers, and need none for a program that is
 * started at once.) The handlers are the first to be registered, so those of other libraries, which may
 * allocate, run before the lock is taken. */
#include "blocks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static block *table;
static size_t room, used, inside;

void blocks_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    sched_yield();
}

void blocks_unlock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(blocks_lock, blocks_unlock, blocks_unlock);
}

static size_t place_of(const char *start) {
  uintptr_t key = (uintptr_t)start >> 4;
  return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
}

static void put(const block *each) {
  size_t i = place_of(each->start);
  while (table[i].start)
    i = (i + 1) & (room - 1);
  table[i] = *each;
  used++;
}

static bool grow(void) {
  block *old = table;
  size_t old_room = room;
  size_t wider = room ? room * 2 : 1 << 14;
  /* Directly from the kernel: malloc is implemented with this table, and mmap is interposed. */
  long address = syscall(SYS_mmap, NULL, wider * sizeof(block), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == -1) return false;
  table = (block *)address;
  room = wider;
  used = 0;
  for (size_t i = 0; i < old_room; i++)
    if (old[i].start) put(&old[i]);
  if (old) syscall(SYS_munmap, old, old_room * sizeof *old);
  return true;
}

bool blocks_add(char *start, size_t size, bool is_inside) {
  if (used * 2 >= room && !grow()) return false;
  put(&(block){start, size, is_inside});
  inside += is_inside;
  return true;
}

/* The entry of the block that starts there; NULL: none. */
static block *entry_of(const char *start) {
  if (!table) return NULL;
  for (size_t i = place_of(start); table[i].start; i = (i + 1) & (room - 1))
    if (table[i].start == start) return &table[i];
  return NULL;
}

/* Empties an entry: those behind it that a probe reached over it move up. */
static void empty(size_t hole) {
  for (size_t i = (hole + 1) & (room - 1); table[i].start; i = (i + 1) & (room - 1)) {
    size_t from_home = (i - place_of(table[i].start)) & (room - 1);
    if (from_home < ((i - hole) & (room - 1))) continue;
    table[hole] = table[i];
    hole = i;
  }
  table[hole].start = NULL;
  used--;
}

bool blocks_take(const char *start, block *found) {
  block *entry = entry_of(start);
  if (!entry) return false;
  *found = *entry;
  empty((size_t)(entry - table));
  inside -= found->inside;
  return true;
}

static bool contains(const block *each, const char *address) {
  return address >= each->start && (size_t)(address - each->start) <= each->size;
}

/* The living block around an address inside it; NULL: none. A plugin may give out many parts of one block,
 * one after the other, so the block that was found last is tried before all. */
static const block *entry_around(const char *address) {
  static const char *last;
  const block *entry = last ? entry_of(last) : NULL;
  if (entry && contains(entry, address)) return entry;
  for (size_t i = 0; i < room; i++) {
    entry = &table[i];
    if (!entry->start || !contains(entry, address)) continue;
    last = entry->start;
    return entry;
  }
  return NULL;
}

bool blocks_find(const char *address, block *found) {
  const block *entry = entry_of(address);
  if (!entry) entry = entry_around(address);
  if (entry) *found = *entry;
  return entry != NULL;
}

size_t blocks_inside(void) {
  return inside;
}

bool blocks_each(bool (*visit)(const block *each)) {
  for (size_t i = 0; i < room; i++)
    if (table[i].start && visit(&table[i])) return true;
  return false;
}
