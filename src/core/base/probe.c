/* Reads of memory that may not be there, without a signal handler: handlers belong to the host.
 *
 * The kernel copies instead, and reports an unreadable address as EFAULT. A byte found readable may be
 * unmapped by the plugin a moment later; that is not detected. So everything that is checked is copied
 * first, and only the copy is used, except for lists of strings, which their plugin must leave alone
 * until they are freed. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PIECE = 512 }; /* fits into any pipe */
enum { PAGE = 4096 }; /* no page is smaller */

/* Writing unreadable memory into a pipe fails with EFAULT: for sandboxes that forbid the call
 * below. */
static bool copy_by_pipe(char *destination, const char *source, size_t n) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  while (n > 0) {
    size_t piece = n < PIECE ? n : PIECE;
    if (write(ends[1], source, piece) != (ssize_t)piece ||
        read(ends[0], destination, piece) != (ssize_t)piece)
      break;
    destination += piece;
    source += piece;
    n -= piece;
  }
  close(ends[0]);
  close(ends[1]);
  return n == 0;
}

/* Copies one or two places by one call; false: it is forbidden. */
static bool copy_by_call(char *destination, size_t n, const struct iovec *places, size_t count,
                         bool *whole) {
  struct iovec local = {destination, n};
  ssize_t copied = process_vm_readv(getpid(), &local, 1, places, count, 0);
  *whole = copied == (ssize_t)n;
  return copied >= 0 || (errno != EPERM && errno != ENOSYS);
}

bool probe_copy(void *destination, const void *source, size_t n) {
  const struct iovec place = {(void *)(size_t)source, n};
  bool whole = true;
  if (n == 0 || copy_by_call(destination, n, &place, 1, &whole)) return whole;
  return copy_by_pipe(destination, source, n);
}

bool probe_ends(const void *block, size_t n) {
  char *first = (char *)(size_t)block, *last = first + (n - 1), bytes[2];
  const struct iovec places[] = {{first, 1}, {last, 1}};
  bool whole = false;
  if (copy_by_call(bytes, sizeof bytes, places, 2, &whole)) return whole;
  return copy_by_pipe(bytes, first, 1) && copy_by_pipe(bytes, last, 1);
}

bool probe_string(char *destination, size_t size, const char *source) {
  /* Page by page: the string may end right before unmapped memory. */
  for (size_t i = 0; i < size;) {
    size_t left = PAGE - (size_t)(source + i) % PAGE, piece = size - i < left ? size - i : left;
    if (!probe_copy(destination + i, source + i, piece)) return false;
    if (memchr(destination + i, '\0', piece)) return true;
    i += piece;
  }
  return false;
}

bool probe_place(probe_pages *pages, const void *place) {
  size_t number = (size_t)place / PAGE;
  size_t *known = &pages->known[number % (sizeof pages->known / sizeof *pages->known)];
  char byte;
  if (*known != number + 1 && !probe_copy(&byte, place, 1)) return false;
  *known = number + 1;
  return true;
}

bool probe_length(probe_pages *pages, const char *text, size_t *length) {
  for (*length = 0; probe_place(pages, text + *length);) {
    size_t left = PAGE - (size_t)(text + *length) % PAGE;
    size_t piece = strnlen(text + *length, left);
    *length += piece;
    if (piece < left) return true;
  }
  return false;
}
