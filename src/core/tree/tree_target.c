#include "tree_target.h"

#include <stdlib.h>
#include <string.h>

#include "core/fs/copy.h"
#include "core/base/status.h"
#include "tree_attributes.h"

void tree_refuse(tree_worker *worker, tree_node *node, int side, const char *name,
                 const char *what) {
  TF_SetStatus(worker->status, TF_FAILED_PRECONDITION, what);
  tree_fail(worker, node, side, name);
}

/* Which is which ---------------------------------------------------------------------- */

/* Notes the identity of the target's root, by which tree_is_target knows it under other names. */
static void remember_target(tree_worker *worker, tree_node *root) {
  modfs_tree *tree = worker->tree;
  fs_directory *self;
  if (tree->sides[0].fs->plugin != tree->sides[1].fs->plugin) return;
  if (!(self = tree_open(worker, root, 1))) return;
  directory_identity(self, &tree->target_device, &tree->target_inode, worker->status);
  tree->has_target = tree->target_device || tree->target_inode;
}

bool tree_is_target(tree_worker *worker, tree_node *node) {
  modfs_tree *tree = worker->tree;
  uint64_t device, inode;
  if (!node->parent) remember_target(worker, node);
  const fs_directory *own = tree->has_target ? tree_open(worker, node, 0) : NULL;
  if (!own) return false; /* the failure to open it is reported when it is listed */
  directory_identity(own, &device, &inode, worker->status);
  if (device != tree->target_device || inode != tree->target_inode) return false;
  TF_SetStatus(worker->status, TF_INVALID_ARGUMENT,
               "source and target are the same file under two names");
  tree_fail(worker, node, 0, "");
  return true;
}

/* Whether b is a or inside it, by the text of the paths alone. */
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
                                 : "the target is inside the source");
  else if (tree->options.deletes && holds(dst, src))
    TF_SetStatus(status, TF_INVALID_ARGUMENT,
                 "the source is inside the target and would be deleted");
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
  if (dst) fs_free_name(to->fs, to->root, dst);
  if (src) fs_free_name(from->fs, from->root, src);
}

/* At the target there must be nothing, or an entry of the source's kind; with "deletes" anything.
 */
static void check_target(const modfs_tree *tree, bool is_directory, TF_Status *status) {
  const tree_side *to = &tree->sides[1];
  TF_FileStatistics stats;
  modfs_fs_stat(to->fs, to->root, &stats, status);
  if (TF_GetCode(status) == TF_NOT_FOUND && *to->root) {
    status_clear(status);
  } else if (status_ok(status) && stats.is_directory != is_directory && !tree->options.deletes) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 is_directory ? "the target is not a directory"
                              : "the target is a directory; name the file in it");
    status_locate(status, tree->ops->name, to->root);
  }
}

/* Some storage is written as a whole. A transaction that the caller has open stays the caller's. */
static void begin_transaction(modfs_tree *tree, TF_Status *status) {
  const tree_side *to = &tree->sides[1];
  if (!(to->fs->extension.deviations & MODFS_WRITTEN_AT_ONCE) || tree->options.dry_run) return;
  modfs_transaction *open = modfs_transaction_get(to->fs, to->root, status);
  modfs_transaction_drop(open);
  if (open) return;
  tree->transaction = modfs_transaction_start(to->fs, status);
  if (tree->transaction) modfs_transaction_add(tree->transaction, to->root, status);
}

static void count_ahead(modfs_tree *tree) {
  const tree_side *from = &tree->sides[0];
  modfs_tree_counts counts = tree_measured(from->fs, from->root, tree->options.threads,
                                           tree->options.choice, TREE_ALL_AHEAD);
  tree->counts.total = tree->total_bytes = counts.bytes;
  tree->total_files = counts.files;
}

static modfs_tree *new_pair(const tree_ops *ops, const modfs_fs *from, const char *src,
                            const modfs_fs *to, const char *dst, const modfs_tree_options *options,
                            TF_Status *status) {
  TF_FileStatistics stats;
  modfs_fs_stat(from, src, &stats, status);
  if (!status_ok(status)) return NULL;
  modfs_tree *tree = tree_new(ops, from, src, to, dst, options, status);
  if (!tree) return NULL;
  tree->keeps_links = options->links == MODFS_LINKS_KEEP && from->has_links && to->has_links;
  tree_choose_attributes(tree, status);
  if (!stats.is_directory)
    tree_is_entry(tree, MODFS_KIND_FILE);
  else if (status_ok(status))
    check_names(tree, status);
  if (status_ok(status)) check_target(tree, stats.is_directory, status);
  if (status_ok(status) && options->progress) count_ahead(tree);
  if (status_ok(status)) begin_transaction(tree, status);
  if (status_ok(status)) return tree;
  modfs_tree_close(tree);
  return NULL;
}

modfs_tree *tree_new_pair(const tree_ops *ops, const modfs_fs *from, const char *src,
                          const modfs_fs *to, const char *dst, const modfs_tree_options *options,
                          TF_Status *status) {
  if (status_takes(status, "the target", dst))
    return new_pair(ops, from, src, to, dst, options, status);
  status_locate(status, ops->name, src);
  return NULL;
}

/* Directories -------------------------------------------------------------------------- */

static void make_root(tree_worker *worker, tree_node *node) {
  const tree_side *to = &worker->tree->sides[1];
  modfs_fs_path_exists(to->fs, to->root, worker->status);
  node->fresh = TF_GetCode(worker->status) == TF_NOT_FOUND;
  modfs_fs_recursively_create_dir(to->fs, to->root, worker->status);
}

/* An existing entry must be a directory itself: a link to one leads out of the tree. */
static void check_taken(const fs_directory *above, const char *name, TF_Status *status) {
  int kind = directory_kind(above, name, status);
  if (status_ok(status) && kind != MODFS_KIND_DIRECTORY)
    TF_SetStatus(
        status, TF_FAILED_PRECONDITION,
        kind == MODFS_KIND_LINK
            ? "the target is a symbolic link, which is not followed; nothing was copied from "
              "the source's directory"
            : "the target is not a directory; nothing was copied from the source's directory");
}

static void make_below(tree_worker *worker, tree_node *node) {
  const fs_directory *above = tree_open(worker, node->parent, 1);
  if (!above) return;
  directory_create(above, node->name, worker->status);
  node->fresh = status_ok(worker->status);
  if (TF_GetCode(worker->status) == TF_ALREADY_EXISTS)
    check_taken(above, node->name, worker->status);
}

bool tree_make_directory(tree_worker *worker, tree_node *node) {
  status_clear(worker->status);
  if (node->parent)
    make_below(worker, node);
  else
    make_root(worker, node);
  if (status_ok(worker->status)) {
    tree_begin_directory(worker, node);
    return true;
  }
  if (node->parent)
    tree_fail(worker, node, 1, "");
  else
    tree_note(worker, node, worker->tree->sides[1].root);
  return false;
}
