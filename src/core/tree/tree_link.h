/* Symbolic links below the root of a copy: keeping them, and following them within the source. */
#ifndef MODFS_CORE_TREE_LINK_H
#define MODFS_CORE_TREE_LINK_H

#include "tree.h"

/* Where a link leads: an entry, which is no link, of a directory below the root. */
typedef struct tree_place {
  fs_directory directory;
  bool owned; /* the directory was opened for it */
  char *name; /* NULL: no place */
} tree_place;

/* Finds the end of a link of the source, without leaving its tree; false, after noting why, also
 * where it is a directory. The place is valid until the worker asks for another node's directory on
 * that side. Owns: the caller, tree_place_fini. */
bool tree_find_end(tree_worker *worker, tree_node *node, const char *name, tree_place *place);
void tree_place_fini(tree_place *place);

/* The target of a link on one side; NULL, after noting why. Owns: the caller frees it. */
char *tree_read_link(tree_worker *worker, tree_node *node, int side, const char *name);

/* Makes a link with that text the counterpart of one of the source, also in place of another link;
 * false after noting the failure, as for an entry of another kind. */
bool tree_put_link(tree_worker *worker, tree_node *node, const char *name, const char *text);

/* Gives the link of the target the attributes of that of the source. */
void tree_keep_link(tree_worker *worker, tree_node *node, const char *name);

/* Whether a directory that is reached by a link holds that link, so that following it would never
 * end; noted. */
bool tree_is_circle(tree_worker *worker, tree_node *node);

#endif
