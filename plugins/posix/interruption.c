#include "interruption.h"

#include <stdatomic.h>
#include <stddef.h>

/* One for both schemes, as handles of directories do not lead to a filesystem. */
static modfs_interrupted *_Atomic interrupted;

void posix_accept_interruption(const TF_Filesystem *filesystem, modfs_interrupted *function) {
  (void)filesystem;
  atomic_store(&interrupted, function);
}

bool posix_is_interrupted(void) {
  modfs_interrupted *function = atomic_load_explicit(&interrupted, memory_order_acquire);
  return function != NULL && function();
}
