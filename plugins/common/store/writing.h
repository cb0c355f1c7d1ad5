/* What ends the use of a file that is being written: its first failure, which stays, and a fork. */
#ifndef STORE_WRITING_H
#define STORE_WRITING_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The state of such a file begins with one. */
typedef struct store_writing {
  TF_Status *failure; /* the first one; it stays */
  pid_t pid;          /* of the process that opened it */
} store_writing;

/* A state of that size, of zeroes but for its beginning; NULL: no memory, and status says so. Owns: the caller,
 * store_writing_free. */
void *store_writing_new(size_t size, TF_Status *status);
void store_writing_free(store_writing *self);

bool store_writing_is_inherited(const store_writing *self);

/* Whether nothing has failed yet. */
bool store_writing_is_good(const store_writing *self);

/* Whether this process can go on; if not, status says why. */
bool store_writing_may_go_on(const store_writing *self, TF_Status *status);

#endif
