/* They are set before the permissions, which may forbid it, and which access control lists change. */
#include "tree_xattrs.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"

/* An entry of one side: in the directory of the node, in another one, or at a path. */
typedef struct subject {
  tree_worker *worker;
  tree_node *node;
  int side;
  const fs_directory *other;
  const char *path;
  const char *name; /* in a directory */
} subject;

static subject source_of(tree_worker *worker, tree_node *node, const tree_file *file) {
  subject self = {worker, node, 0, NULL, NULL, file->name};
  bool followed = file->kind == MODFS_KIND_LINK || tree_is_named(node, file->name);
  if (file->end.name) {
    self.other = &file->end.directory;
    self.name = file->end.name;
  } else if (followed) {
    self.path = tree_path_of(worker, 0, node, file->name);
  }
  return self;
}

static subject target_of(tree_worker *worker, tree_node *node, const tree_file *file) {
  bool named = tree_is_named(node, file->name);
  return (subject){worker, node, 1, NULL, named ? worker->tree->sides[1].root : NULL, file->name};
}

/* NULL: the entry is at a path or, with a failure in the status, its directory cannot be opened. */
static const fs_directory *open_directory(const subject *of) {
  status_clear(of->worker->status);
  if (of->path) return NULL;
  return of->other ? of->other : tree_open(of->worker, of->node, of->side);
}

static fs_xattrs get(const subject *of) {
  const modfs_fs *fs = of->worker->tree->sides[of->side].fs;
  TF_Status *status = of->worker->status;
  fs_xattrs xattrs = {NULL, 0};
  const fs_directory *directory = open_directory(of);
  if (directory) return directory_xattrs(directory, of->name, status);
  const char *name = of->path ? fs_enter(fs, of->path, status) : NULL;
  if (name) xattrs = fs_get_xattrs(fs, NULL, name, status);
  fs_free_name(fs, of->path, name);
  return xattrs;
}

static void set(const subject *of, const fs_xattrs *xattrs) {
  const modfs_fs *fs = of->worker->tree->sides[of->side].fs;
  TF_Status *status = of->worker->status;
  const fs_directory *directory = open_directory(of);
  if (directory) directory_set_xattrs(directory, of->name, xattrs, status);
  const char *name = of->path ? fs_enter(fs, of->path, status) : NULL;
  if (name) fs_set_xattrs(fs, NULL, name, xattrs, status);
  fs_free_name(fs, of->path, name);
}

/* Whether the call for one side did well; a failure is noted where it matters. */
static bool check(const subject *of, const char *shown) {
  tree_worker *worker = of->worker;
  bool fine = status_ok(worker->status);
  if (!fine && worker->tree->insists_on_xattrs) tree_fail(worker, of->node, of->side, shown);
  status_clear(worker->status);
  return fine;
}

static void keep(subject from, subject to, const char *shown) {
  fs_xattrs own = get(&from), there = {NULL, 0};
  bool fine = check(&from, shown);
  if (fine) there = get(&to);
  fine = fine && check(&to, shown);
  fs_pair_xattrs(&own, &there);
  if (fine && !fs_same_xattrs(&own, &there)) {
    set(&to, &own);
    check(&to, shown);
  }
  free(there.block);
  free(own.block);
}

void tree_keep_xattrs(tree_worker *worker, tree_node *node, const tree_file *file) {
  if (worker->tree->keeps_xattrs)
    keep(source_of(worker, node, file), target_of(worker, node, file), file->name);
}

void tree_keep_xattrs_of_directory(tree_worker *worker, tree_node *node) {
  if (worker->tree->keeps_xattrs)
    keep((subject){worker, node, 0, NULL, NULL, ""}, (subject){worker, node, 1, NULL, NULL, ""},
         "");
}
