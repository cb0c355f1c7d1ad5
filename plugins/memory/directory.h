/* The entries of one directory: a skip list, sorted by the bytes of the names.
 *
 * Finding, adding and removing take O(log n); the lowest level is the listing.
 * All of it under the tree lock. An entry owns its name and holds one reference
 * to its node; insert and remove only link, so they cannot fail.
 *
 * The names of a directory that was listed are kept in one piece until it changes:
 * entries lie all over the memory, and a list of many is asked for again. Such a
 * listing never changes, and is read without the lock. */
#ifndef MEMORY_DIRECTORY_H
#define MEMORY_DIRECTORY_H

#include "path.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct memory_node;

enum { MEMORY_DIRECTORY_LEVELS = 12 };

struct memory_entry {
  struct memory_node *node;
  unsigned short length;       /* of the name */
  unsigned char height;        /* levels that it stands on */
  struct memory_entry *next[]; /* height of them, then the name and a NUL */
};

/* Names with their NULs, sorted, one behind the other. */
struct memory_listing {
  atomic_size_t references;
  size_t count;
  char *end;
  char text[];
};

struct memory_directory {
  size_t count;
  unsigned height;
  struct memory_listing *listing; /* NULL: not listed since the last change */
  struct memory_entry *first[MEMORY_DIRECTORY_LEVELS];
};

/* An entry in no directory; takes over the reference to node, which may be NULL for now. */
struct memory_entry *memory_entry_new(struct memory_name name, struct memory_node *node);

/* Frees an entry in no directory, not its node. NULL is allowed. */
void memory_entry_free(struct memory_entry *entry);

/* The name, NUL-terminated. Owns: the entry. */
const char *memory_entry_name(const struct memory_entry *entry);

struct memory_directory *memory_directory_new(void);

/* The same entries for another directory, sharing the nodes. NULL when memory is short. */
struct memory_directory *memory_directory_clone(const struct memory_directory *directory);

/* Frees a directory; whatever is still in it is handed to drop, node by node. NULL is allowed. */
void memory_directory_free(struct memory_directory *directory,
                           void (*drop)(struct memory_node *node, void *context), void *context);

/* The entry of that name, or NULL. */
struct memory_entry *memory_directory_find(const struct memory_directory *directory,
                                           struct memory_name name);

/* The first entry behind that name, which need not be there; NULL at the end. */
struct memory_entry *memory_directory_after(const struct memory_directory *directory,
                                            struct memory_name name);

/* The names as they are now; NULL when memory is short. Owns: the caller releases it. */
struct memory_listing *memory_directory_list(struct memory_directory *directory);

/* NULL is allowed. Needs no lock. */
void memory_listing_release(struct memory_listing *listing);

/* Links an entry whose name is not there yet. */
void memory_directory_insert(struct memory_directory *directory, struct memory_entry *entry);

/* Unlinks an entry that is there. */
void memory_directory_remove(struct memory_directory *directory, struct memory_entry *entry);

#endif
