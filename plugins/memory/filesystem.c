#include "filesystem.h"

#include "lock.h"
#include "node.h"
#include "path.h"
#include "transaction.h"

#include <stdlib.h>

bool memory_filesystem_charge(struct memory_filesystem *filesystem, size_t n) {
  uint_fast64_t stored = atomic_load_explicit(&filesystem->stored, memory_order_relaxed), limit;
  do {
    limit = atomic_load_explicit(&filesystem->limit, memory_order_relaxed);
    if (n && limit && (stored > limit || n > limit - stored)) return false;
  } while (!atomic_compare_exchange_weak(&filesystem->stored, &stored, stored + n));
  return true;
}

void memory_filesystem_discharge(struct memory_filesystem *filesystem, size_t n) {
  atomic_fetch_sub_explicit(&filesystem->stored, n, memory_order_relaxed);
}

void memory_fs_init(TF_Filesystem *filesystem, TF_Status *status) {
  struct memory_filesystem *self = NULL;
  if (memory_lock_init()) self = calloc(1, sizeof(*self));
  if (self) self->root = memory_node_new_directory(self, 0);
  if (self && self->root) {
    filesystem->plugin_filesystem = self;
    return;
  }
  free(self);
  memory_error_report(MEMORY_NO_MEMORY, status);
}

void memory_fs_cleanup(TF_Filesystem *filesystem) {
  struct memory_filesystem *self = memory_filesystem_of(filesystem);
  if (!self) return;
  memory_transaction_abort_all(self);
  memory_node_release(self->root);
  free(self->scopes);
  free(self);
  filesystem->plugin_filesystem = NULL;
}

char *memory_fs_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  return memory_path_translate(uri);
}

void memory_fs_flush_caches(const TF_Filesystem *filesystem) {
  (void)filesystem;
}
