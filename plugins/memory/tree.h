/* Finding nodes by path. */
#ifndef MEMORY_TREE_H
#define MEMORY_TREE_H

#include "error.h"

#include <stddef.h>

struct memory_filesystem;
struct memory_node;

/* Follows the names from *at to end, downwards from a node. MEMORY_MISSING: only the last one is
 * not there; *missing, if wanted, is then the end of the first name that is not there, as it is for
 * MEMORY_NO_PARENT. Under the tree lock. */
memory_error memory_tree_walk(struct memory_node *from, const char *at, const char *end,
                              struct memory_node **node, const char **missing);

/* Finds the committed directory that a path other than "/" is in. Under the tree lock. */
memory_error memory_tree_parent(const struct memory_filesystem *filesystem, const char *path,
                                size_t length, struct memory_node **parent);

/* Finds the committed node of a path, as all readers do. Takes the tree lock.
 * Owns: the caller releases the node. */
memory_error memory_tree_open(const struct memory_filesystem *filesystem, const char *path,
                              struct memory_node **node);

#endif
