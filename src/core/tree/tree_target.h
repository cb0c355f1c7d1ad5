/* The target of a copy: what exists there, and whether it may be written to. */
#ifndef MODFS_CORE_TREE_TARGET_H
#define MODFS_CORE_TREE_TARGET_H

#include "tree.h"
#include "tree_link.h"

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

/* A file of the source, or a link that is copied as what it leads to. */
typedef struct tree_file {
  const char *name;
  int kind;              /* as it was listed */
  modfs_attributes from; /* kind UNKNOWN until they are queried; of a link those of its end */
  tree_place end;        /* of a link that is followed within the tree */
  modfs_file *opened;    /* a file that told its attributes when it was opened, or NULL */
} tree_file;

void tree_file_fini(tree_file *file);

/* Queries the source, once; false, after noting why, when it is nothing to copy. */
bool tree_ask_source(tree_worker *worker, tree_node *node, tree_file *file);

/* Opens the file of the source, which was queried if it is a link; or the target's of that name. */
modfs_file *tree_open_source(tree_worker *worker, tree_node *node, const tree_file *file);
modfs_file *tree_open_target(tree_worker *worker, tree_node *node, const char *name);

/* Copies one file; *bytes becomes its size. False after noting the failure. */
bool tree_copy_file(tree_worker *worker, tree_node *node, tree_file *file, uint64_t *bytes);

/* Sets and notes FAILED_PRECONDITION about an entry of one side. */
void tree_refuse(tree_worker *worker, tree_node *node, int side, const char *name,
                 const char *what);

#endif
