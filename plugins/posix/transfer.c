#include "transfer.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "../common/interrupt/interrupt.h"

enum { MOST = 16 << 20 }; /* the user may interrupt it between two calls */

static ssize_t move_range(int from, int to) {
  return copy_file_range(from, NULL, to, NULL, MOST, 0);
}

static ssize_t move_pages(int from, int to) {
  return sendfile(to, from, NULL, MOST);
}

static int write_whole(int to, const char *bytes, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t put = write(to, bytes + done, n - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put < 0 ? errno : ENOSPC;
    done += (size_t)put;
  }
  return 0;
}

static ssize_t move_bytes(int from, int to) {
  char bytes[32 * 1024];
  ssize_t got = read(from, bytes, sizeof bytes);
  if (got <= 0) return got;
  int error = write_whole(to, bytes, (size_t)got);
  if (error == 0) return got;
  errno = error;
  return -1;
}

/* From the fastest way to the one that always works. */
static ssize_t (*const movers[])(int from, int to) = {move_range, move_pages, move_bytes};
enum { LAST_MOVER = sizeof movers / sizeof *movers - 1 };

static ssize_t move_some(int mover, int from, int to) {
  if (!interrupt_is_wanted()) return movers[mover](from, to);
  errno = ECANCELED;
  return -1;
}

static bool is_refusal(int error) {
  return error == EXDEV || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ||
         error == EPERM || error == EBADF;
}

int posix_transfer(int from, int to, off_t size) {
  off_t done = 0;
  int mover = 0;
  while (size == 0 || done < size) {
    ssize_t moved = move_some(mover, from, to);
    if (moved > 0) {
      done += moved;
    } else if (moved < 0 && errno == EINTR) {
      continue;
    } else if (moved < 0 && !(is_refusal(errno) && mover < LAST_MOVER)) {
      return errno;
    } else if (moved < 0) {
      mover++;
    } else if (done == 0 && mover < LAST_MOVER) {
      mover = LAST_MOVER; /* content that is made on reading is copied by reading alone */
    } else {
      break;
    }
  }
  return 0;
}
