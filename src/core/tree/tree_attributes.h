/* The attributes that copies keep of their sources. */
#ifndef MODFS_CORE_TREE_ATTRIBUTES_H
#define MODFS_CORE_TREE_ATTRIBUTES_H

#include "tree.h"

/* Which a new operation keeps. A failure for what nothing can keep. */
void tree_choose_attributes(modfs_tree *tree, TF_Status *status);

/* Those of a source that its copy is to have. */
fs_wanted tree_want(const modfs_tree *tree, const modfs_attributes *from);

/* Takes those away that the target has; times are equal at the coarser precision of the two. */
void tree_drop_equal(fs_wanted *wanted, const modfs_attributes *there);
bool tree_times_equal(int64_t a, int64_t b);

/* Sets attributes of an entry of the target, or of the directory where name is "". A failure is
 * noted where the operation insists, or where it is about more than what the target cannot keep. */
void tree_set(tree_worker *worker, tree_node *node, const char *name, const fs_wanted *wanted);

/* The same for a mode that nobody asked to be kept: a failure does not matter. */
void tree_try_mode(tree_worker *worker, tree_node *node, const char *name, uint32_t mode);

/* Before a directory is filled: queries its source, where that is needed; false, after noting why,
 * if it is not to be copied. And once its counterpart exists. */
bool tree_ask_directory(tree_worker *worker, tree_node *node);
void tree_begin_directory(tree_worker *worker, tree_node *node);

/* Gives a directory its attributes, when all in it is done; not if it could not be listed. */
void tree_end_directory(tree_worker *worker, tree_node *node);

#endif
