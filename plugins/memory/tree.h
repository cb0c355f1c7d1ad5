/* Looks up nodes by path. */
#ifndef MEMORY_TREE_H
#define MEMORY_TREE_H

#include "error.h"

#include <stddef.h>

struct memory_filesystem;
struct memory_node;

/* Follows the names between `at` and `end` down from a node. MEMORY_MISSING: only the last name does
 * not exist; MEMORY_NO_PARENT: an earlier one. In both cases *missing, unless NULL, becomes the end of
 * the first name that does not exist. Under the tree lock. */
memory_error memory_tree_walk(struct memory_node *from, const char *at, const char *end,
                              struct memory_node **node, const char **missing);

/* Finds the committed parent directory of a path other than "/". Under the tree lock. */
memory_error memory_tree_parent(const struct memory_filesystem *filesystem, const char *path,
                                size_t length, struct memory_node **parent);

/* Finds the committed node of a path, for a reader. Takes the tree lock.
 * Owns: the caller releases the node. */
memory_error memory_tree_open(const struct memory_filesystem *filesystem, const char *path,
                              struct memory_node **node);

#endif
