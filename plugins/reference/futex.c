#include "futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The host's errno is not ours to change. */
static void call(reference_futex *word, int operation, unsigned value) {
  int before = errno;
  syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
  errno = before;
}

void reference_futex_wait(reference_futex *word, unsigned expected) {
  call(word, FUTEX_WAIT, expected);
}

void reference_futex_wake_one(reference_futex *word) {
  call(word, FUTEX_WAKE, 1);
}

void reference_futex_wake_all(reference_futex *word) {
  call(word, FUTEX_WAKE, INT_MAX);
}
