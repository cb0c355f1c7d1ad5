/* The target of a copy: what stands there, and whether it may be written to. */
#ifndef MODFS_CORE_TREE_TARGET_H
#define MODFS_CORE_TREE_TARGET_H

#include "tree.h"

/* What both kinds of copies ask before anything is written: is_directory tells of src. Returns NULL
 * and a failure when src is missing, or one of the two lies in the other (the source in the target is
 * a failure only where the target loses what the source has not). */
modfs_tree *tree_new_pair(const tree_ops *ops, const modfs_fs *from, const char *src,
                          const modfs_fs *to, const char *dst, const modfs_tree_options *options,
                          TF_Status *status);

/* Makes the counterpart of a directory; false, after noting it, when it cannot be. */
bool tree_make_directory(tree_hand *hand, tree_node *node);

/* Whether this directory of the source is the target's root under another name; noted then. */
bool tree_is_target(tree_hand *hand, tree_node *node);

/* Copies one file; bytes: what the copy has. False after noting why not. */
bool tree_copy_file(tree_hand *hand, tree_node *node, const char *name, int kind, uint64_t *bytes);

/* Sets and notes FAILED_PRECONDITION about an entry of one side. */
void tree_refuse(tree_hand *hand, tree_node *node, int side, const char *name, const char *what);

#endif
