/* Counting the files, directories and bytes of a tree.
 *
 * With the option entries, files with several names are in "seen", which the tree's lock guards: a
 * table of 2^n places, half of them free. */
#include <stdlib.h>

#include "core/base/status.h"
#include "tree_delete.h"

static void measure(tree_worker *worker, tree_node *node, const char *name,
                    modfs_attributes *attributes) {
  if (tree_is_named(node, name)) {
    const tree_side *side = &worker->tree->sides[0];
    modfs_fs_lstat(side->fs, side->root, attributes, worker->status);
  } else {
    const fs_directory *self = tree_open(worker, node, 0);
    if (self) directory_attributes(self, name, attributes, worker->status);
  }
}

static bool measure_enter(tree_worker *worker, tree_node *node) {
  modfs_attributes attributes;
  if (!worker->tree->options.entries) return true;
  const fs_directory *self = tree_open(worker, node, 0);
  if (!self) return true; /* as the listing will tell */
  directory_attributes(self, "", &attributes, worker->status);
  if (status_ok(worker->status))
    tree_count(worker, (modfs_tree_counts){.bytes = (uint64_t)attributes.length});
  else if (TF_GetCode(worker->status) != TF_NOT_FOUND)
    tree_fail(worker, node, 0, "");
  return true;
}

/* The place of an entry, or a free one for it. */
static tree_identity *seen_find(const tree_seen *seen, tree_identity entry) {
  size_t at = (size_t)((entry.inode * UINT64_C(0x9e3779b97f4a7c15)) >> 32) ^ (size_t)entry.device;
  for (;; at++) {
    tree_identity *place = &seen->places[at & (seen->room - 1)];
    bool same = place->device == entry.device && place->inode == entry.inode;
    if (same || (place->device == 0 && place->inode == 0)) return place;
  }
}

static bool seen_grow(tree_seen *seen) {
  tree_seen more = {.room = seen->room ? 2 * seen->room : 64, .count = seen->count};
  more.places = calloc(more.room, sizeof *more.places);
  if (!more.places) return false;
  for (size_t i = 0; i < seen->room; i++)
    if (seen->places[i].device || seen->places[i].inode)
      *seen_find(&more, seen->places[i]) = seen->places[i];
  free(seen->places);
  *seen = more;
  return true;
}

/* Whether this is another name of what was counted. Without memory it may be counted again. */
static bool was_seen(modfs_tree *tree, const modfs_attributes *attributes) {
  const tree_identity entry = {attributes->device, attributes->inode};
  tree_seen *seen = &tree->seen;
  bool was = false;
  if (attributes->links < 2 || (entry.device == 0 && entry.inode == 0)) return false;
  tree_lock(tree);
  if (2 * seen->count < seen->room || seen_grow(seen)) {
    tree_identity *place = seen_find(seen, entry);
    was = place->device == entry.device && place->inode == entry.inode;
    seen->count += !was;
    *place = entry;
  }
  tree_unlock(tree);
  return was;
}

static void measure_entry(tree_worker *worker, tree_node *node, const char *name, int kind) {
  modfs_tree *tree = worker->tree;
  modfs_attributes attributes;
  status_clear(worker->status);
  attributes.length = 0;
  if (kind != MODFS_KIND_LINK || tree->options.entries) measure(worker, node, name, &attributes);
  if (TF_GetCode(worker->status) == TF_NOT_FOUND) return;
  if (!status_ok(worker->status)) {
    tree_fail(worker, node, 0, name);
    return;
  }
  if (tree->options.entries && was_seen(tree, &attributes)) attributes.length = 0;
  modfs_tree_counts one = {.files = 1, .bytes = (uint64_t)attributes.length};
  tree_count(worker, one);
  tree_report(worker, node, name, one.bytes);
}

static void measure_leave(tree_worker *worker, tree_node *node) {
  if (!node->gone) tree_count(worker, (modfs_tree_counts){.dirs = 1});
}

static const tree_ops measure_ops = {.name = "du",
                                     .may_vanish = true,
                                     .at_once = 16,
                                     .enter = measure_enter,
                                     .entry = measure_entry,
                                     .leave = measure_leave};

modfs_tree *modfs_tree_measure(const modfs_fs *fs, const char *path,
                               const modfs_tree_options *options, TF_Status *status) {
  TF_FileStatistics stats;
  modfs_fs_stat(fs, path, &stats, status);
  if (!status_ok(status)) return NULL;
  modfs_tree *tree = tree_new(&measure_ops, fs, path, NULL, NULL, options, status);
  if (tree && !stats.is_directory) tree_is_entry(tree, MODFS_KIND_FILE);
  return tree;
}

modfs_tree *tree_measure_below(const fs_directory *above, const char *name, const char *shown,
                               TF_Status *status) {
  return tree_new_below(&measure_ops, above, name, shown, status);
}

modfs_tree_counts tree_measured(const modfs_fs *fs, const char *path, size_t threads,
                                modfs_choice *choice, tree_ahead ahead) {
  const modfs_tree_options options = {.threads = threads, .choice = choice};
  modfs_tree_counts counts = {0};
  modfs_tree_event event;
  TF_Status *status = TF_NewStatus();
  modfs_tree *tree = status ? modfs_tree_measure(fs, path, &options, status) : NULL;
  if (tree) {
    tree->ahead = ahead;
    while (modfs_tree_step(tree, &event, status)) {
    }
    counts = modfs_tree_result(tree);
  }
  modfs_tree_close(tree);
  TF_DeleteStatus(status);
  return counts;
}
