/* A scope is one path that a transaction holds, with everything below it.
 *
 * While it is held there are two versions of that subtree: the committed one in
 * the filesystem's tree, for all readers, and the staged one here, for all that
 * changes something. They share every node that the transaction has not touched
 * yet. The end of the transaction exchanges the two; aborting drops the staged one.
 *
 * No scope lies below another, whatever their transactions; adding a path above
 * one's own scopes takes them in. And nothing deletes a directory that has a scope
 * below it: so what is staged can always be committed. Under the tree lock. */
#ifndef MEMORY_SCOPE_H
#define MEMORY_SCOPE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct memory_entry;
struct memory_filesystem;
struct memory_node;
struct memory_transaction;

struct memory_scope {
  struct memory_transaction *transaction;
  struct memory_node *node;   /* the staged version; NULL: nothing is there */
  struct memory_entry *spare; /* for the commit, which must not fail; NULL for "/" */
  struct memory_scope *next;  /* among those that detach gave out */
  size_t length;
  char path[];
};

/* The scope that covers a path, or NULL. */
struct memory_scope *memory_scope_find(const struct memory_filesystem *filesystem, const char *path,
                                       size_t length);

/* Whether there is a scope strictly below a path that is under none itself. */
bool memory_scope_is_below(const struct memory_filesystem *filesystem, const char *path,
                           size_t length);

/* Puts a path under a transaction. On failure nothing has changed. */
memory_error memory_scope_add(struct memory_filesystem *filesystem,
                              struct memory_transaction *transaction, const char *path,
                              size_t length);

/* Exchanges the committed and the staged version. */
void memory_scope_apply(struct memory_filesystem *filesystem, struct memory_scope *scope);

/* Takes all scopes of a transaction out of the filesystem; gives them as a list, or NULL. */
struct memory_scope *memory_scope_detach(struct memory_filesystem *filesystem,
                                         const struct memory_transaction *transaction);

/* Frees a list of scopes that are in no filesystem, with their versions. NULL is allowed.
 * Best without the tree lock. */
void memory_scope_free(struct memory_scope *scopes);

#endif
