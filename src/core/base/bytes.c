/* Reference-counted bytes.
 *
 * A block is reserved, without bytes, and filled once, before another thread sees it. From then on
 * address and length are constant, so any thread may read them while it has a reference. What the bytes
 * contain is not guarded here: who shares them agrees on who writes.
 *
 * The count is atomic. The last drop calls `release` with the owner, on whatever thread that happens, and
 * frees the block; a block that was never filled has no release. A forked child has copies of block
 * and count, and releases its own. */
#include "bytes.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "status.h"

struct modfs_bytes {
  atomic_size_t references;
  atomic_int users; /* calls on other threads: -1: one writes to it, > 0: so many read it */
  char *data;
  size_t length;
  bytes_release release;
  void *owner;
};

modfs_bytes *bytes_reserve(TF_Status *status) {
  modfs_bytes *bytes = calloc(1, sizeof *bytes);
  if (bytes)
    atomic_init(&bytes->references, 1);
  else
    status_no_memory(status);
  return bytes;
}

void bytes_fill(modfs_bytes *bytes, char *data, size_t length, bytes_release release, void *owner) {
  bytes->data = data;
  bytes->length = length;
  bytes->release = release;
  bytes->owner = owner;
}

static void release_heap(void *block, char *data) {
  (void)data;
  free(block);
}

/* Zeroed memory of calloc need not be touched: hence it is aligned within a block. */
static bool fill_zeroed(modfs_bytes *bytes, size_t length) {
  enum { PAGE = 4096 };
  size_t more = length < PAGE ? length == 0 : BYTES_ALIGNMENT;
  char *block = length <= SIZE_MAX - more ? calloc(length + more, 1) : NULL;
  if (!block) return false;
  bytes_fill(bytes, length < PAGE ? block : bytes_aligned(block), length, release_heap, block);
  return true;
}

modfs_bytes *modfs_bytes_new(size_t length, TF_Status *status) {
  status_clear(status);
  modfs_bytes *bytes = bytes_reserve(status);
  if (bytes && fill_zeroed(bytes, length)) return bytes;
  modfs_bytes_drop(bytes);
  modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "out of memory: cannot allocate %zu bytes",
                   length);
  return NULL;
}

modfs_bytes *modfs_bytes_hold(modfs_bytes *bytes) {
  atomic_fetch_add_explicit(&bytes->references, 1, memory_order_relaxed);
  return bytes;
}

void modfs_bytes_drop(modfs_bytes *bytes) {
  if (!bytes || atomic_fetch_sub_explicit(&bytes->references, 1, memory_order_acq_rel) > 1) return;
  if (bytes->release) bytes->release(bytes->owner, bytes->data);
  free(bytes);
}

bool bytes_lock(modfs_bytes *bytes, bool writes) {
  int users = atomic_load_explicit(&bytes->users, memory_order_acquire);
  if (users < 0 || (writes && users > 0)) return false;
  if (writes)
    atomic_store(&bytes->users, -1);
  else
    atomic_fetch_add(&bytes->users, 1);
  return true;
}

void bytes_unlock(modfs_bytes *bytes) {
  int none = -1;
  if (!atomic_compare_exchange_strong(&bytes->users, &none, 0)) atomic_fetch_sub(&bytes->users, 1);
}

bool bytes_is_locked(const modfs_bytes *bytes) {
  return atomic_load_explicit(&bytes->users, memory_order_acquire) != 0;
}

char *modfs_bytes_data(const modfs_bytes *bytes) {
  return bytes->data;
}

size_t modfs_bytes_length(const modfs_bytes *bytes) {
  return bytes->length;
}
