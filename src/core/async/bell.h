/* Connections of the process to itself, which get a byte when a queue is no longer empty: for loops that
 * can wait for what a socket brings, but not for a descriptor of others. */
#ifndef MODFS_CORE_BELL_H
#define MODFS_CORE_BELL_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

enum { BELL_CONNECTIONS = 64 };

typedef struct bell {
  int listener;   /* -1: none */
  char path[108]; /* of its socket, alone in a directory; as long as the kernel takes one */
  int connections[BELL_CONNECTIONS];
  size_t count;
} bell;

void bell_init(bell *self);
void bell_fini(bell *self);

/* Listens for one connection at self->path, which only this user can reach: below TMPDIR, or /tmp
 * where that is not set, relative or too long. */
bool bell_listen(bell *self, TF_Status *status);

/* Takes the connection of this process that was made meanwhile, and stops listening. */
bool bell_accept(bell *self, TF_Status *status);

/* Writes a byte to each connection, and closes those whose other end is closed. Does not wait. */
void bell_ring(bell *self);

#endif
