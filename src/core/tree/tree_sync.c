/* Making one tree like another. Names are looked up on the other side one by one, so that a
 * directory of any width needs no list of names. */
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"
#include "tree_attributes.h"
#include "tree_delete.h"
#include "tree_target.h"
#include "tree_xattrs.h"

enum { CHUNK = 256 * 1024 };

/* Deleting ------------------------------------------------------------------------------ */

static uint64_t count_entries(const modfs_fs *fs, const char *path) {
  modfs_tree_counts counts = tree_measured(fs, path, 1, NULL, TREE_NOT_AHEAD);
  return counts.files + counts.dirs;
}

/* Returns the number of entries deleted: counted before and, after a failure, again, as no plugin
 * reports what a refused deletion has left. */
static uint64_t delete_by_path(tree_worker *worker, const char *path) {
  const modfs_fs *fs = worker->tree->sides[1].fs;
  uint64_t files = 0, dirs = 0, entries = count_entries(fs, path);
  if (worker->tree->options.dry_run) return entries;
  modfs_fs_delete_recursively(fs, path, &files, &dirs, worker->status);
  uint64_t left = status_ok(worker->status) ? 0 : count_entries(fs, path);
  return entries > left ? entries - left : 0;
}

/* Deletes the directory if it is empty; other refusals show here, before anything below it is
 * deleted. Whether the deletion has ended, in success or failure. */
static bool delete_empty(tree_worker *worker, const fs_directory *above, const char *name,
                         const char *path) {
  directory_delete(above, name, true, worker->status);
  if (TF_GetCode(worker->status) == TF_FAILED_PRECONDITION) return false;
  status_locate(worker->status, worker->tree->ops->name, path);
  return true;
}

/* Does a tree operation of its own, whose first failure is reported. */
static uint64_t run(tree_worker *worker, modfs_tree *tree) {
  modfs_tree_event event;
  if (!tree) return 0;
  while (modfs_tree_step(tree, &event, worker->status)) {
  }
  uint64_t entries = tree->counts.files + tree->counts.dirs;
  if (tree->error_count > 0)
    TF_SetStatus(worker->status, tree->errors[0].code, tree->errors[0].message);
  modfs_tree_close(tree);
  return entries;
}

/* Deletes below an open directory. */
static uint64_t delete_below(tree_worker *worker, const fs_directory *above, const char *name,
                             const char *path) {
  bool dry = worker->tree->options.dry_run;
  if (!dry && delete_empty(worker, above, name, path)) return status_ok(worker->status);
  return run(worker, dry ? tree_measure_below(above, name, path, worker->status)
                         : tree_delete_below(above, name, path, worker->status));
}

/* Deletes what is chosen below a directory, and the directory if nothing is left in it. */
static uint64_t delete_chosen(tree_worker *worker, tree_node *node, const char *name,
                              const char *path) {
  const modfs_tree_options options = {.threads = 1};
  const modfs_fs *fs = worker->tree->sides[1].fs;
  bool by_path = directory_is_path(fs);
  const fs_directory *above = by_path ? NULL : tree_directory(worker, node, 1);
  modfs_tree *tree = NULL;
  if (by_path)
    tree = modfs_tree_delete(fs, path, &options, worker->status);
  else if (above)
    tree = tree_delete_below(above, name, path, worker->status);
  if (tree) tree_choose_like(tree, worker, node, name);
  return run(worker, tree);
}

static uint64_t delete_shown(tree_worker *worker, tree_node *node, const char *name,
                             const char *path) {
  if (tree_is_named(node, name)) return delete_by_path(worker, path);
  if (worker->tree->options.choice) return delete_chosen(worker, node, name, path);
  if (directory_is_path(worker->tree->sides[1].fs)) return delete_by_path(worker, path);
  const fs_directory *above = tree_directory(worker, node, 1);
  return above ? delete_below(worker, above, name, path) : 0;
}

static uint64_t delete_directory(tree_worker *worker, tree_node *node, const char *name) {
  const char *path = tree_path_of(worker, 1, node, name);
  char *shown = path ? strdup(path) : NULL; /* the worker's path is overwritten */
  uint64_t deleted = shown ? delete_shown(worker, node, name, shown) : 0;
  if (shown && !status_ok(worker->status)) tree_note(worker, node, shown);
  free(shown);
  return deleted;
}

static void delete_file(tree_worker *worker, tree_node *node, const char *name) {
  const tree_side *to = &worker->tree->sides[1];
  if (worker->tree->options.dry_run) return;
  if (tree_is_named(node, name)) {
    modfs_fs_delete_file(to->fs, to->root, worker->status);
    if (!status_ok(worker->status)) tree_note(worker, node, to->root);
  } else {
    const fs_directory *self = tree_open(worker, node, 1);
    if (self) directory_delete(self, name, false, worker->status);
    if (!status_ok(worker->status)) tree_fail(worker, node, 1, name);
  }
}

/* Deletes an entry of the target; false, after noting it, when some of it is left. Here and below,
 * an entry is a name in a directory; "" in the root is the root. */
static bool delete_at(tree_worker *worker, tree_node *node, const char *name, bool is_directory) {
  uint64_t deleted = 1;
  status_clear(worker->status);
  if (is_directory)
    deleted = delete_directory(worker, node, name);
  else
    delete_file(worker, node, name);
  bool done = status_ok(worker->status);
  tree_count(worker, (modfs_tree_counts){.deleted = done || is_directory ? deleted : 0});
  return done;
}

/* Whether the source has no entry of that name; a failure to find out is noted, and means no. */
static bool is_missing(tree_worker *worker, tree_node *node, const char *name) {
  modfs_attributes attributes;
  const fs_directory *from = tree_directory(worker, node, 0);
  if (!from) return false;
  directory_attributes(from, name, &attributes, worker->status);
  if (TF_GetCode(worker->status) == TF_NOT_FOUND) return true;
  if (!status_ok(worker->status)) tree_fail(worker, node, 0, name);
  return false;
}

/* Whether the choice, if there is one, takes an entry of the target. */
static bool is_chosen(tree_worker *worker, tree_node *node, const char *name, int kind) {
  return !worker->tree->options.choice || tree_is_named(node, name) ||
         tree_chooses(worker, node, 1, name, kind);
}

static void delete_one(tree_worker *worker, tree_node *node, const fs_directory *to,
                       const modfs_entry *entry) {
  int kind = entry->kind;
  if (!is_missing(worker, node, entry->name)) return;
  if (kind == MODFS_KIND_UNKNOWN) kind = directory_kind(to, entry->name, worker->status);
  if (!is_chosen(worker, node, entry->name, kind)) return;
  delete_at(worker, node, entry->name, kind == MODFS_KIND_DIRECTORY);
}

static void delete_others(tree_worker *worker, tree_node *node) {
  fs_directory *to = tree_directory(worker, node, 1);
  modfs_entry entry;
  if (!to) return;
  directory_start(to, worker->status);
  while (status_ok(worker->status) && !worker->tree->cancelled &&
         directory_next(to, &entry, worker->status)) {
    delete_one(worker, node, to, &entry);
    status_clear(worker->status);
  }
  if (!status_ok(worker->status)) tree_fail(worker, node, 1, "");
}

/* Directories ---------------------------------------------------------------------------- */

/* Queries the counterpart: NOT_FOUND leaves is_there false, other failures are noted. Links are
 * followed for the root only. */
static bool ask_target(tree_worker *worker, tree_node *node, const char *name,
                       modfs_attributes *there, bool *is_there) {
  if (tree_is_named(node, name)) {
    const tree_side *to = &worker->tree->sides[1];
    modfs_fs_get_attributes(to->fs, to->root, there, worker->status);
  } else {
    const fs_directory *to = tree_open(worker, node, 1);
    if (to) directory_attributes(to, name, there, worker->status);
  }
  *is_there = status_ok(worker->status);
  if (*is_there || TF_GetCode(worker->status) == TF_NOT_FOUND) return true;
  tree_fail(worker, node, 1, name);
  return false;
}

/* Why an entry of one kind is not replaced by one of another. */
static const char *why_not(int was, int by) {
  if (was == MODFS_KIND_DIRECTORY)
    return "the target is a directory; set delete = true to replace it";
  if (was == MODFS_KIND_LINK)
    return "the target is a symbolic link; set delete = true to replace it";
  return by == MODFS_KIND_LINK ? "the target is a file; set delete = true to replace it"
                               : "the target is not a directory; set delete = true to replace it";
}

/* Deletes a target of another kind, which only the option deletes allows. Of a link, the link
 * itself is deleted, never its target. */
static bool clear_way(tree_worker *worker, tree_node *node, const char *name, int was, int by) {
  bool deletes = worker->tree->options.deletes;
  if (deletes && is_chosen(worker, node, name, was))
    return delete_at(worker, node, name, was == MODFS_KIND_DIRECTORY);
  if (worker->tree->cancelled) return false;
  tree_refuse(worker, node, 1, name,
              deletes ? "the target is of another kind and not chosen; it was not replaced"
                      : why_not(was, by));
  return false;
}

/* Whether the target of a directory is one already (*stays), or nothing that is in the way. */
static bool is_way_clear(tree_worker *worker, tree_node *node, bool *stays) {
  tree_node *above = node->parent ? node->parent : node;
  modfs_attributes there;
  bool is_there = false;
  *stays = false;
  if (node->parent && node->parent->fresh) {
    node->fresh = true;
    return true;
  }
  if (!ask_target(worker, above, node->name, &there, &is_there)) return false;
  *stays = is_there && there.kind == MODFS_KIND_DIRECTORY;
  return !is_there || *stays ||
         clear_way(worker, above, node->name, there.kind, MODFS_KIND_DIRECTORY);
}

static bool sync_enter(tree_worker *worker, tree_node *node) {
  const modfs_tree_options *options = &worker->tree->options;
  bool stays;
  if (!tree_ask_directory(worker, node) || !is_way_clear(worker, node, &stays)) return false;
  if (options->dry_run)
    node->fresh = !stays;
  else if ((!stays && !tree_make_directory(worker, node)) || tree_is_target(worker, node))
    return false;
  if (stays && !options->dry_run) tree_begin_directory(worker, node);
  if (options->deletes && stays) delete_others(worker, node);
  return true;
}

/* Files ------------------------------------------------------------------------------------ */

static bool same_bytes(const modfs_file *a, const modfs_file *b, char *buffer, TF_Status *status) {
  uint64_t offset = 0;
  int64_t n = CHUNK;
  while (n == CHUNK) {
    n = modfs_file_read(a, offset, CHUNK, buffer, status);
    if (n < 0 || modfs_file_read(b, offset, CHUNK, buffer + CHUNK, status) != n) return false;
    if (memcmp(buffer, buffer + CHUNK, (size_t)n) != 0) return false;
    offset += (uint64_t)n;
  }
  return true;
}

/* Files that cannot be compared count as different: the copy then reports the failure. */
static bool same_content(tree_worker *worker, tree_node *node, const tree_file *file) {
  modfs_file *a = tree_open_source(worker, node, file);
  modfs_file *b = a ? tree_open_target(worker, node, file->name) : NULL;
  char *buffer = b ? malloc(2 * (size_t)CHUNK) : NULL;
  bool same = buffer && same_bytes(a, b, buffer, worker->status);
  free(buffer);
  modfs_file_close(b);
  modfs_file_close(a);
  return same;
}

/* Whether the copies have the times of their sources. Others are the same if they are not older. */
static bool keeps_times(const modfs_tree *tree) {
  return (tree->wanted & MODFS_ATTRIBUTE_MTIME) && tree->sides[1].fs->sets_attributes;
}

static bool same_time(const modfs_tree *tree, const modfs_attributes *from,
                      const modfs_attributes *to) {
  return keeps_times(tree) ? tree_times_equal(from->mtime_nsec, to->mtime_nsec)
                           : from->mtime_nsec <= to->mtime_nsec;
}

/* Where entries are queried by paths, storage may tell more about a single file than about one of
 * many, such as the time that was kept with it; asked only when that decides. */
static void ask_again(tree_worker *worker, tree_node *node, int side, const tree_file *file,
                      modfs_attributes *attributes) {
  const modfs_fs *fs = worker->tree->sides[side].fs;
  bool exact = !directory_is_path(fs) || tree_is_named(node, file->name) ||
               (side == 0 && file->kind == MODFS_KIND_LINK);
  const char *path = exact ? NULL : tree_path_of(worker, side, node, file->name);
  modfs_attributes more;
  if (!path) return;
  modfs_fs_get_attributes(fs, path, &more, worker->status);
  if (status_ok(worker->status) && more.kind == attributes->kind) *attributes = more;
}

static bool same_by_time(tree_worker *worker, tree_node *node, tree_file *file,
                         modfs_attributes *to) {
  const modfs_tree *tree = worker->tree;
  if (same_time(tree, &file->from, to)) return true;
  ask_again(worker, node, 1, file, to);
  if (!same_time(tree, &file->from, to)) ask_again(worker, node, 0, file, &file->from);
  return same_time(tree, &file->from, to);
}

/* Whether only the coarser precision of one side hides which is the older: a copy that was made within
 * the second in which its source was written. */
static bool is_undecided(const modfs_tree *tree, const modfs_attributes *from,
                         const modfs_attributes *to) {
  return !keeps_times(tree) && tree_times_equal(from->mtime_nsec, to->mtime_nsec);
}

static bool is_same(tree_worker *worker, tree_node *node, tree_file *file, modfs_attributes *to) {
  const modfs_tree_options *options = &worker->tree->options;
  if (file->from.length != to->length || to->kind != MODFS_KIND_FILE) return false;
  if (options->checksum) return same_content(worker, node, file);
  if (options->size_only || same_by_time(worker, node, file, to)) return true;
  return is_undecided(worker->tree, &file->from, to) && same_content(worker, node, file);
}

static void copy(tree_worker *worker, tree_node *node, tree_file *file) {
  uint64_t bytes = (uint64_t)file->from.length;
  bool dry = worker->tree->options.dry_run;
  if (dry || tree_copy_file(worker, node, file, &bytes))
    tree_count(worker, (modfs_tree_counts){.files = 1, .bytes = bytes});
}

/* What is the same gets the attributes of its source that the target tells to be others, or that the
 * user named. */
static void keep(tree_worker *worker, tree_node *node, const tree_file *file,
                 const modfs_attributes *to) {
  const modfs_tree *tree = worker->tree;
  fs_wanted wanted = tree_want(tree, &file->from);
  tree_count(worker, (modfs_tree_counts){.kept = 1});
  wanted.which &= to->known | tree->insists;
  if (!keeps_times(tree)) wanted.which &= ~(uint64_t)MODFS_ATTRIBUTE_MTIME;
  tree_drop_equal(&wanted, to);
  if (tree->options.dry_run) return;
  tree_keep_xattrs(worker, node, file);
  tree_set(worker, node, file->name, &wanted);
}

static void sync_file(tree_worker *worker, tree_node *node, tree_file *file) {
  modfs_attributes to = {.kind = MODFS_KIND_FILE};
  bool is_there = false;
  if (node->fresh && !worker->tree->options.dry_run) { /* nothing to compare */
    copy(worker, node, file);
    return;
  }
  if (!tree_ask_source(worker, node, file)) return;
  if (!node->fresh && !ask_target(worker, node, file->name, &to, &is_there)) return;
  bool in_way = to.kind == MODFS_KIND_DIRECTORY || to.kind == MODFS_KIND_LINK;
  if (is_there && is_same(worker, node, file, &to))
    keep(worker, node, file, &to);
  else if (!is_there || !in_way || clear_way(worker, node, file->name, to.kind, MODFS_KIND_FILE))
    copy(worker, node, file);
}

/* Links -------------------------------------------------------------------------------------- */

static bool same_link(tree_worker *worker, tree_node *node, const char *name, const char *text) {
  char *present = tree_read_link(worker, node, 1, name);
  bool same = present && strcmp(present, text) == 0;
  free(present);
  return same;
}

static void put_link(tree_worker *worker, tree_node *node, const char *name, const char *text) {
  bool dry = worker->tree->options.dry_run;
  if (!dry && !tree_put_link(worker, node, name, text)) return;
  tree_count(worker, (modfs_tree_counts){.files = 1});
  if (!dry) tree_keep_link(worker, node, name);
}

static void sync_text(tree_worker *worker, tree_node *node, const char *name, const char *text) {
  modfs_attributes to = {.kind = MODFS_KIND_LINK};
  bool is_there = false;
  if (!node->fresh && !ask_target(worker, node, name, &to, &is_there)) return;
  if (is_there && to.kind == MODFS_KIND_LINK && same_link(worker, node, name, text)) {
    tree_count(worker, (modfs_tree_counts){.kept = 1});
    if (!worker->tree->options.dry_run) tree_keep_link(worker, node, name);
  } else if (!is_there || to.kind == MODFS_KIND_LINK ||
             clear_way(worker, node, name, to.kind, MODFS_KIND_LINK)) {
    put_link(worker, node, name, text);
  }
}

static void sync_link(tree_worker *worker, tree_node *node, const char *name) {
  char *text = tree_read_link(worker, node, 0, name);
  if (text) sync_text(worker, node, name, text);
  free(text);
  tree_report(worker, node, name, 0);
}

static void sync_entry(tree_worker *worker, tree_node *node, const char *name, int kind) {
  const modfs_tree *tree = worker->tree;
  bool link = kind == MODFS_KIND_LINK && !tree_is_named(node, name);
  tree_file file = {.name = name, .kind = kind};
  if (link && tree->keeps_links) {
    sync_link(worker, node, name);
    return;
  }
  if (link && tree->options.links == MODFS_LINKS_SKIP) return;
  sync_file(worker, node, &file);
  tree_file_fini(&file);
  bool is_file = file.from.kind != MODFS_KIND_DIRECTORY;
  tree_report(worker, node, name, is_file ? (uint64_t)file.from.length : 0);
}

static const tree_ops sync_ops = {.name = "sync",
                                  .at_once = 8,
                                  .enter = sync_enter,
                                  .entry = sync_entry,
                                  .leave = tree_end_directory};

modfs_tree *modfs_tree_sync(const modfs_fs *from, const char *src, const modfs_fs *to,
                            const char *dst, const modfs_tree_options *options, TF_Status *status) {
  return tree_new_pair(&sync_ops, from, src, to, dst, options, status);
}
