/* Reference-counted blocks of bytes, whatever they are allocated by. */
#ifndef MODFS_CORE_BYTES_H
#define MODFS_CORE_BYTES_H

#include <modfs/modfs.h>
#include <stdint.h>

/* Where the kernel copies to memory of this alignment, a large read takes up to a tenth less time. The
 * first such byte of a block that has BYTES_ALIGNMENT bytes more than are needed. */
enum { BYTES_ALIGNMENT = 64 };
static inline char *bytes_aligned(char *block) {
  return block + (-(uintptr_t)block & (BYTES_ALIGNMENT - 1));
}

/* Frees the bytes as their allocator requires. */
typedef void (*bytes_release)(void *owner, char *data);

/* An empty block with one reference; NULL when memory is short. */
modfs_bytes *bytes_reserve(TF_Status *status);

/* Gives an empty block its bytes; the last drop calls release. */
void bytes_fill(modfs_bytes *bytes, char *data, size_t length, bytes_release release, void *owner);

/* Locks for a call on another thread that reads the bytes, or writes to them: false while another one
 * excludes that. The owner's thread locks, any thread unlocks. */
bool bytes_lock(modfs_bytes *bytes, bool writes);
void bytes_unlock(modfs_bytes *bytes);
bool bytes_is_locked(const modfs_bytes *bytes);

#endif
