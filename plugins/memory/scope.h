/* A scope is one path that a transaction covers, with everything below it.
 *
 * While the transaction is open that subtree has two versions: the committed one in the
 * filesystem's tree, which all readers see, and the staged one here, which all changes
 * go to. They share every node that the transaction has not changed. Commit exchanges
 * the two; abort drops the staged one.
 *
 * No scope lies below another, whatever their transactions; adding a path above one's
 * own scopes absorbs them. Nothing deletes a directory that has a scope below it, so
 * what is staged can always be committed. Under the tree lock. */
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
  struct memory_node *node;   /* the staged version; NULL: nothing exists there */
  struct memory_entry *spare; /* for the commit, which must not fail; NULL for "/" */
  struct memory_scope *next;  /* in a list that detach returned */
  size_t length;
  char path[];
};

/* Finds the scope that covers a path; NULL: none does. */
struct memory_scope *memory_scope_find(const struct memory_filesystem *filesystem, const char *path,
                                       size_t length);

/* Whether a scope lies strictly below a path that no scope covers. */
bool memory_scope_is_below(const struct memory_filesystem *filesystem, const char *path,
                           size_t length);

/* Adds a path to a transaction. On failure nothing has changed. */
memory_error memory_scope_add(struct memory_filesystem *filesystem,
                              struct memory_transaction *transaction, const char *path,
                              size_t length);

/* Exchanges the committed and the staged version. */
void memory_scope_apply(struct memory_filesystem *filesystem, struct memory_scope *scope);

/* Removes all scopes of a transaction from the filesystem and returns them as a list; NULL: none. */
struct memory_scope *memory_scope_detach(struct memory_filesystem *filesystem,
                                         const struct memory_transaction *transaction);

/* Frees detached scopes with their versions. NULL is allowed. Call it without the tree lock if
 * possible: it may free much. */
void memory_scope_free(struct memory_scope *scopes);

#endif
