/* The target of a copy: what exists there, and whether it may be written to. */
#ifndef MODFS_CORE_TREE_TARGET_H
#define MODFS_CORE_TREE_TARGET_H

#include "tree.h"

/* Checks of both kinds of copies before anything is written; is_directory: whether src is one.
 * Returns NULL and a failure when src is missing, or one of the two is inside the other (the source
 * inside the target fails only if entries missing from the source are deleted). */
modfs_tree *tree_new_pair(const tree_ops *ops, const modfs_fs *from, const char *src,
                          const modfs_fs *to, const char *dst, const modfs_tree_options *options,
                          TF_Status *status);

/* Creates the counterpart of a directory; false, after noting the failure. */
bool tree_make_directory(tree_worker *worker, tree_node *node);

/* Whether this directory of the source is the target's root under another name, which is noted. */
bool tree_is_target(tree_worker *worker, tree_node *node);

/* Opens a file of one side: in its directory, or by its path if it is the root or a link. Of links,
 * only those to files are followed. */
modfs_file *tree_open_file(tree_worker *worker, int side, tree_node *node, const char *name,
                           int kind);

/* Copies one file; *bytes becomes its size. False after noting the failure. */
bool tree_copy_file(tree_worker *worker, tree_node *node, const char *name, int kind,
                    uint64_t *bytes);

/* Sets and notes FAILED_PRECONDITION about an entry of one side. */
void tree_refuse(tree_worker *worker, tree_node *node, int side, const char *name,
                 const char *what);

#endif
