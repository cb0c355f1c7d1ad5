/* Guarded buffers: bytes between inaccessible pages.
 *
 * The bytes end at the end of a page, and the page behind is inaccessible: reading or writing one byte
 * too far is a SIGSEGV at once. Before the bytes is a margin of one byte up to one page, filled with
 * MARK; runner_guard_intact finds writes there. The page before the margin is inaccessible.
 *
 * A guard has one owner at a time, and no lock; a plugin may write to the bytes from any of its threads
 * before its call returns. Pages are reserved and use memory when they are touched, so huge sizes work.
 * Who frees: runner_guard_close unmaps all pages. Fork: a child has a private copy. */
#include "guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MARK = 0x5a };

/* One inaccessible page, the margin and the bytes, one inaccessible page. */
bool runner_guard_open(runner_guard *guard, size_t n) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t middle = (n + page) / page * page;
  guard->size = middle + 2 * page;
  guard->pages =
      mmap(NULL, guard->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (guard->pages == MAP_FAILED) return false;
  mprotect(guard->pages + page, middle, PROT_READ | PROT_WRITE);
  guard->n = n;
  guard->bytes = guard->pages + page + middle - n;
  memset(guard->pages + page, MARK, middle - n);
  return true;
}

bool runner_guard_intact(const runner_guard *guard) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (const char *at = guard->pages + page; at < guard->bytes; at++)
    if (*at != MARK) return false;
  return true;
}

void runner_guard_close(runner_guard *guard) {
  munmap(guard->pages, guard->size);
}
