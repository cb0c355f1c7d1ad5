/* The entries of one directory: a skip list, sorted by the bytes of the names.
 *
 * Find, insert and remove take O(log n); the lowest level is the listing. All of it is
 * under the tree lock. An entry owns its name and one reference to its node; insert and
 * remove only link, so they cannot fail.
 *
 * The names of a listed directory are cached in one block until it changes: entries are
 * scattered over the memory, and large directories are listed repeatedly. Such a listing
 * is constant and is read without the lock. */
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
  unsigned char height;        /* number of levels that link it */
  struct memory_entry *next[]; /* one for each level, then the name and a NUL */
};

/* Names with their NULs, sorted, concatenated. */
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

/* A new entry, not in a directory yet; takes over the reference to node, which may be NULL for now. */
struct memory_entry *memory_entry_new(struct memory_name name, struct memory_node *node);

/* Frees an entry that is in no directory, without its node. NULL is allowed. */
void memory_entry_free(struct memory_entry *entry);

/* The name, NUL-terminated. Owns: the entry. */
const char *memory_entry_name(const struct memory_entry *entry);

struct memory_directory *memory_directory_new(void);

/* A directory with the same entries, sharing the nodes; NULL without memory. */
struct memory_directory *memory_directory_clone(const struct memory_directory *directory);

/* Frees a directory and calls drop for each node that is still in it. NULL is allowed. */
void memory_directory_free(struct memory_directory *directory,
                           void (*drop)(struct memory_node *node, void *context), void *context);

/* Finds the entry of that name; NULL: there is none. */
struct memory_entry *memory_directory_find(const struct memory_directory *directory,
                                           struct memory_name name);

/* Finds the first entry after that name, which need not exist; NULL at the end. */
struct memory_entry *memory_directory_after(const struct memory_directory *directory,
                                            struct memory_name name);

/* The current names; NULL without memory. Owns: the caller releases the listing. */
struct memory_listing *memory_directory_list(struct memory_directory *directory);

/* NULL is allowed. Needs no lock. */
void memory_listing_release(struct memory_listing *listing);

/* Links an entry whose name does not exist yet. */
void memory_directory_insert(struct memory_directory *directory, struct memory_entry *entry);

/* Unlinks an entry of this directory. Owns: the caller frees it. */
void memory_directory_remove(struct memory_directory *directory, struct memory_entry *entry);

#endif
