/* Deleting entries of an open directory. */
#ifndef MODFS_CORE_TREE_DELETE_H
#define MODFS_CORE_TREE_DELETE_H

#include "tree.h"

/* Like modfs_tree_delete and modfs_tree_measure, with one thread, for the directory name in another
 * one, which must stay open meanwhile. shown: its path, for messages. */
modfs_tree *tree_delete_below(const fs_directory *above, const char *name, const char *shown,
                              TF_Status *status);
modfs_tree *tree_measure_below(const fs_directory *above, const char *name, const char *shown,
                               TF_Status *status);

#endif
