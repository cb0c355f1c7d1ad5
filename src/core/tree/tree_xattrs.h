/* Extended attributes that copies keep. */
#ifndef MODFS_CORE_TREE_XATTRS_H
#define MODFS_CORE_TREE_XATTRS_H

#include "tree_target.h"

/* Give the target those of its source, if the operation keeps any and they differ. A failure is noted
 * where it insists on them. */
void tree_keep_xattrs(tree_worker *worker, tree_node *node, const tree_file *file);
void tree_keep_xattrs_of_directory(tree_worker *worker, tree_node *node);

#endif
