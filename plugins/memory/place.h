/* The place of a path: where its entry is or would be, for a change; by any links on the way.
 *
 * For a path that a transaction covers, the place is in the staged version; for any other
 * in the committed one. A change has three steps: find, prepare (everything that can
 * fail), then link or unlink. fini releases the node that a change displaced. */
#ifndef MEMORY_PLACE_H
#define MEMORY_PLACE_H

#include "path.h"
#include "route.h"

#include <modfs/filesystem.h>

struct memory_entry;
struct memory_filesystem;
struct memory_node;
struct memory_scope;

struct memory_place {
  struct memory_filesystem *filesystem;
  struct memory_scope *scope; /* NULL: committed */
  const char *path;           /* length bytes, not NUL-terminated; the route's if it has one */
  size_t length;
  struct memory_node **slot;  /* the top of a version, which is in no directory; else NULL and: */
  struct memory_node *parent; /* the directory */
  struct memory_entry *entry; /* in it; NULL: the name does not exist */
  struct memory_node *node;   /* of the path; NULL: it does not exist */
  struct memory_entry *spare; /* for a new name */
  struct memory_node *displaced;
  struct memory_route route; /* without a path where there was no link on the way */
};

/* A change to a place. Called under the tree lock. */
typedef memory_error (*memory_change)(struct memory_place *place, void *context);

/* Finds the place of a path; MEMORY_OK also if only its parent exists. follows: where a link that is
 * its last name leads. Under the tree lock. */
memory_error memory_place_find(struct memory_filesystem *filesystem, const char *path,
                               size_t length, bool follows, struct memory_place *place);

/* The same in the staged version of a scope that covers the path. Under the tree lock. */
memory_error memory_place_find_in(struct memory_filesystem *filesystem, struct memory_scope *scope,
                                  const char *path, size_t length, struct memory_place *place);

/* Allocates whatever link and unlink need, so that these cannot fail. Under the tree lock. */
memory_error memory_place_prepare(struct memory_place *place);

/* Links a node, replacing the present one. Takes over the reference. Under the tree lock. */
void memory_place_link(struct memory_place *place, struct memory_node *node);

/* Unlinks the present node. Under the tree lock. */
void memory_place_unlink(struct memory_place *place);

/* Makes the present node the transaction's own, to be changed in place. Under the tree lock. */
memory_error memory_place_own(struct memory_place *place);

/* Whether the place is "/". */
bool memory_place_is_root(const struct memory_place *place);

/* The owner of new nodes: the serial of the transaction, or 0. */
uint64_t memory_place_owner(const struct memory_place *place);

/* Releases what the change displaced or did not use. Call it without the tree lock if possible. */
void memory_place_fini(struct memory_place *place);

/* Checks a path, finds its place and changes it, under the tree lock. */
memory_error memory_place_change(const TF_Filesystem *filesystem, const char *path, bool follows,
                                 memory_change change, void *context);

#endif
