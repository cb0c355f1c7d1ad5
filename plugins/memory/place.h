/* The place of a path: where its entry is, or would be, to be changed.
 *
 * For a path under a transaction that is in the staged version, for all others in
 * the committed one. A change has three steps: find, prepare (all that can fail),
 * then link or unlink. What a change displaced is let go by fini. */
#ifndef MEMORY_PLACE_H
#define MEMORY_PLACE_H

#include "path.h"

#include <modfs/filesystem.h>

struct memory_entry;
struct memory_filesystem;
struct memory_node;
struct memory_scope;

struct memory_place {
  struct memory_filesystem *filesystem;
  struct memory_scope *scope; /* NULL: committed */
  const char *path;           /* length bytes, not NUL-terminated */
  size_t length;
  struct memory_node **slot;  /* the top of a version, which is in no directory; else NULL and: */
  struct memory_node *parent; /* the directory */
  struct memory_entry *entry; /* in it; NULL: nothing of that name */
  struct memory_node *node;   /* what is there; NULL: nothing */
  struct memory_entry *spare; /* for a link to a new name */
  struct memory_node *displaced;
};

/* What is done to a place, under the tree lock. */
typedef memory_error (*memory_change)(struct memory_place *place, void *context);

/* Finds the place of a path; MEMORY_OK also when there is nothing, but its parent. Tree lock. */
memory_error memory_place_find(struct memory_filesystem *filesystem, const char *path,
                               size_t length, struct memory_place *place);

/* The same in the staged version of a scope that covers the path. Tree lock. */
memory_error memory_place_find_in(struct memory_filesystem *filesystem, struct memory_scope *scope,
                                  const char *path, size_t length, struct memory_place *place);

/* Takes whatever link and unlink need, so that these cannot fail. Tree lock. */
memory_error memory_place_prepare(struct memory_place *place);

/* Puts a node there, in place of what there was. Takes over the reference. Tree lock. */
void memory_place_link(struct memory_place *place, struct memory_node *node);

/* Takes away what is there. Tree lock. */
void memory_place_unlink(struct memory_place *place);

/* Whether the place is "/". */
bool memory_place_is_root(const struct memory_place *place);

/* The number for new nodes: that of the transaction, or 0. */
uint64_t memory_place_owner(const struct memory_place *place);

/* Lets go of what is left over. Best without the tree lock. */
void memory_place_fini(struct memory_place *place);

/* Checks a path, finds its place and changes it, under the tree lock. */
memory_error memory_place_change(const TF_Filesystem *filesystem, const char *path,
                                 memory_change change, void *context);

#endif
