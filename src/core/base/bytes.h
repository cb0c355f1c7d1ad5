/* Reference-counted blocks of bytes, whatever they are allocated by. */
#ifndef MODFS_CORE_BYTES_H
#define MODFS_CORE_BYTES_H

#include <modfs/modfs.h>

/* Frees the bytes as their allocator requires. */
typedef void (*bytes_release)(void *owner, char *data);

/* An empty block with one reference; NULL when memory is short. */
modfs_bytes *bytes_reserve(TF_Status *status);

/* Gives an empty block its bytes; the last drop calls release. */
void bytes_fill(modfs_bytes *bytes, char *data, size_t length, bytes_release release, void *owner);

#endif
