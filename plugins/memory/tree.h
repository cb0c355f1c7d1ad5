/* Looks up nodes by path. */
#ifndef MEMORY_TREE_H
#define MEMORY_TREE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct memory_filesystem;
struct memory_node;

/* Follows the names between `at` and `end` down from a node. MEMORY_MISSING: only the last name does
 * not exist; MEMORY_NO_PARENT: an earlier one. In both cases *missing, unless NULL, becomes the end of
 * the first name that does not exist. MEMORY_VIA_LINK: the way goes through a link, so that it
 * takes a route (route.h); the last name may be one. Under the tree lock. */
memory_error memory_tree_walk(struct memory_node *from, const char *at, const char *end,
                              struct memory_node **node, const char **missing);

/* Finds the committed parent directory of a path other than "/". Under the tree lock. */
memory_error memory_tree_parent(const struct memory_filesystem *filesystem, const char *path,
                                size_t length, struct memory_node **parent);

/* Finds the committed node of a path by any links on the way; follows: and by a link that is the
 * path's last name. Under the tree lock. */
memory_error memory_tree_find(const struct memory_filesystem *filesystem, const char *path,
                              size_t length, bool follows, struct memory_node **node);

/* The same for a reader, of what the path leads to and of the entry itself. Both take the tree lock.
 * Owns: the caller releases the node. */
memory_error memory_tree_open_entry(const struct memory_filesystem *filesystem, const char *path,
                                    struct memory_node **node);
memory_error memory_tree_open(const struct memory_filesystem *filesystem, const char *path,
                              struct memory_node **node);

/* For changes that create nothing behind a dangling link: turns MEMORY_NO_PARENT into
 * MEMORY_BROKEN_LINK where the entry at the path is a link. Takes the tree lock. */
memory_error memory_tree_blame_link(const struct memory_filesystem *filesystem, const char *path,
                                    memory_error error);

#endif
