#include "tree_target.h"

#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "status.h"

void tree_refuse(tree_hand *hand, tree_node *node, const char *path, TF_Code code,
                 const char *what) {
  TF_SetStatus(hand->status, code, what);
  status_locate(hand->status, hand->tree->ops->name, path);
  tree_note(hand, node, path);
}

/* Which is which ---------------------------------------------------------------------- */

/* With "/." behind it a name is that of the directory, also where it is a link to one. */
bool tree_identity(const modfs_fs *fs, const char *path, modfs_attributes *attributes,
                   TF_Status *status) {
  *attributes = (modfs_attributes){.kind = MODFS_KIND_UNKNOWN};
  const char *name = fs->tells_links ? fs_enter(fs, path, status) : NULL;
  char *inside = name ? malloc(strlen(name) + 3) : NULL;
  if (inside) {
    stpcpy(stpcpy(inside, name), "/.");
    fs_lstat(fs, inside, attributes, status);
  }
  bool known = inside && status_ok(status) && (attributes->device || attributes->inode);
  free(inside);
  if (name) fs_forget(fs, path, name);
  status_clear(status);
  return known;
}

/* The root is where its other names can be told from. */
static void remember_target(tree_hand *hand, const tree_node *root) {
  modfs_tree *tree = hand->tree;
  modfs_attributes attributes;
  const char *path = tree_path_of(hand, 1, root, "");
  if (tree->sides[0].fs->plugin != tree->sides[1].fs->plugin) return;
  if (!path || !tree_identity(tree->sides[1].fs, path, &attributes, hand->status)) return;
  tree->has_target = true;
  tree->target_device = attributes.device;
  tree->target_inode = attributes.inode;
}

bool tree_is_target(tree_hand *hand, tree_node *node) {
  modfs_tree *tree = hand->tree;
  modfs_attributes own;
  if (!node->parent) remember_target(hand, node);
  if (!tree->has_target) return false;
  const char *path = tree_path_of(hand, 0, node, "");
  if (!path || !tree_identity(tree->sides[0].fs, path, &own, hand->status)) return false;
  if (own.device != tree->target_device || own.inode != tree->target_inode) return false;
  tree_refuse(hand, node, path, TF_INVALID_ARGUMENT, "it is the target itself, under another name");
  return true;
}

/* Whether b is a or lies in it, by the text of the names. */
static bool holds(const char *a, const char *b) {
  size_t n = strlen(a);
  if (strcmp(a, ".") == 0) return *b != '/' && strncmp(b, "..", 2) != 0;
  while (n > 0 && a[n - 1] == '/')
    n--;
  return strncmp(a, b, n) == 0 && (b[n] == '\0' || b[n] == '/');
}

static void check_apart(const modfs_tree *tree, const char *src, const char *dst,
                        TF_Status *status) {
  const char *name = tree->ops->name;
  if (holds(src, dst))
    TF_SetStatus(status, TF_INVALID_ARGUMENT,
                 holds(dst, src) ? "source and target are the same"
                                 : "the target lies in the source, which would never end");
  else if (tree->options.deletes && holds(dst, src))
    TF_SetStatus(status, TF_INVALID_ARGUMENT,
                 "the source lies in the target, where it would be deleted");
  char *both = malloc(strlen(tree->sides[0].root) + strlen(tree->sides[1].root) + 5);
  if (both) stpcpy(stpcpy(stpcpy(both, tree->sides[0].root), " to "), tree->sides[1].root);
  status_locate(status, name, both ? both : tree->sides[0].root);
  free(both);
}

static void check_names(const modfs_tree *tree, TF_Status *status) {
  const tree_side *from = &tree->sides[0], *to = &tree->sides[1];
  const char *src = fs_enter(from->fs, from->root, status);
  const char *dst = src ? fs_enter(to->fs, to->root, status) : NULL;
  bool comparable = dst && (from->fs == to->fs || (fs_same_file(from->fs, "/", to->fs, "/") &&
                                                   (*src == '/') == (*dst == '/')));
  if (comparable) check_apart(tree, src, dst, status);
  if (dst) fs_forget(to->fs, to->root, dst);
  if (src) fs_forget(from->fs, from->root, src);
}

/* What stands at the target's place must be nothing or of the source's kind; deleting makes room. */
static void check_target(const modfs_tree *tree, bool directory, TF_Status *status) {
  const tree_side *to = &tree->sides[1];
  TF_FileStatistics stats;
  modfs_fs_stat(to->fs, to->root, &stats, status);
  if (TF_GetCode(status) == TF_NOT_FOUND && *to->root) {
    status_clear(status);
  } else if (status_ok(status) && stats.is_directory != directory && !tree->options.deletes) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 directory ? "the target is no directory"
                           : "the target is a directory; name the file in it");
    status_locate(status, tree->ops->name, to->root);
  }
}

modfs_tree *tree_new_pair(const tree_ops *ops, const modfs_fs *from, const char *src,
                          const modfs_fs *to, const char *dst, const modfs_tree_options *options,
                          TF_Status *status) {
  TF_FileStatistics stats;
  modfs_fs_stat(from, src, &stats, status);
  if (!status_ok(status)) return NULL;
  modfs_tree *tree = tree_new(ops, from, src, to, dst, options, status);
  if (!tree) return NULL;
  if (stats.is_directory)
    check_names(tree, status);
  else
    tree_is_entry(tree, MODFS_KIND_FILE);
  if (status_ok(status)) check_target(tree, stats.is_directory, status);
  if (status_ok(status) && options->progress)
    tree->counts.total = tree_measured(from, src, options->threads).bytes;
  if (status_ok(status)) return tree;
  modfs_tree_close(tree);
  return NULL;
}

/* Directories -------------------------------------------------------------------------- */

static void make_root(tree_hand *hand, tree_node *node, const char *path) {
  const modfs_fs *fs = hand->tree->sides[1].fs;
  modfs_fs_path_exists(fs, path, hand->status);
  node->fresh = TF_GetCode(hand->status) == TF_NOT_FOUND;
  modfs_fs_recursively_create_dir(fs, path, hand->status);
}

static void make_below(tree_hand *hand, tree_node *node, const char *path) {
  const modfs_fs *fs = hand->tree->sides[1].fs;
  modfs_fs_create_dir(fs, path, hand->status);
  node->fresh = status_ok(hand->status);
  if (TF_GetCode(hand->status) != TF_ALREADY_EXISTS) return;
  bool directory = modfs_fs_is_directory(fs, path, hand->status);
  if (!status_ok(hand->status) || directory) return;
  TF_SetStatus(hand->status, TF_FAILED_PRECONDITION,
               "the target is no directory; nothing of the source's directory was copied");
  status_locate(hand->status, hand->tree->ops->name, path);
}

bool tree_make_directory(tree_hand *hand, tree_node *node) {
  const char *path = tree_path_of(hand, 1, node, "");
  if (!path) return false;
  if (node->parent)
    make_below(hand, node, path);
  else
    make_root(hand, node, path);
  if (!status_ok(hand->status)) {
    tree_note(hand, node, path);
    return false;
  }
  return true;
}

/* Files -------------------------------------------------------------------------------- */

static bool leads_to_directory(tree_hand *hand, const char *src) {
  bool directory = modfs_fs_is_directory(hand->tree->sides[0].fs, src, hand->status);
  return status_ok(hand->status) && directory;
}

bool tree_copy_file(tree_hand *hand, tree_node *node, const char *name, int kind, uint64_t *bytes) {
  const char *src = tree_path_of(hand, 0, node, name), *dst = tree_path_of(hand, 1, node, name);
  if (!src || !dst) return false;
  if (kind == MODFS_KIND_LINK && leads_to_directory(hand, src)) {
    tree_refuse(hand, node, src, TF_FAILED_PRECONDITION,
                "a link to a directory, which is not followed");
    return false;
  }
  const modfs_fs *from = hand->tree->sides[0].fs, *to = hand->tree->sides[1].fs;
  int64_t size = copy_listed(from, src, to, dst, node->fresh, hand->status);
  if (!status_ok(hand->status)) {
    tree_note(hand, node, src);
    return false;
  }
  /* Under a transaction the copy cannot be seen yet. */
  if (size < 0) size = modfs_fs_get_file_size(from, src, hand->status);
  *bytes = size > 0 ? (uint64_t)size : 0;
  return true;
}
