/* Making one tree like another. Names are looked up on the other side one by one, so that a directory
 * of any width needs no list of them. */
#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "tree_target.h"

enum { CHUNK = 256 * 1024 };

/* Deleting ------------------------------------------------------------------------------ */

static uint64_t count_entries(const modfs_fs *fs, const char *path) {
  modfs_tree_counts counts = tree_measured(fs, path, 1);
  return counts.files + counts.dirs;
}

/* What a deletion that was refused as a whole leaves is in no plugin's counts: it is counted again. */
static uint64_t delete_directory(tree_hand *hand, const char *path) {
  const modfs_fs *fs = hand->tree->sides[1].fs;
  uint64_t files = 0, dirs = 0, entries = count_entries(fs, path);
  if (hand->tree->options.dry_run) return entries;
  modfs_fs_delete_recursively(fs, path, &files, &dirs, hand->status);
  uint64_t left = status_ok(hand->status) ? 0 : count_entries(fs, path);
  return entries > left ? entries - left : 0;
}

/* Deletes what stands at path on the target's side; false, after noting it, when not all went. */
static bool delete_at(tree_hand *hand, tree_node *node, const char *path, bool directory) {
  uint64_t deleted = 1;
  status_clear(hand->status);
  if (directory)
    deleted = delete_directory(hand, path);
  else if (!hand->tree->options.dry_run)
    modfs_fs_delete_file(hand->tree->sides[1].fs, path, hand->status);
  bool done = status_ok(hand->status);
  if (!done) tree_note(hand, node, path);
  tree_count(hand, (modfs_tree_counts){.deleted = done || directory ? deleted : 0});
  return done;
}

/* Whether the source has nothing of that name; a failure to find out is noted, and means no. */
static bool is_missing(tree_hand *hand, tree_node *node, const char *name) {
  modfs_attributes attributes;
  const char *src = tree_path_of(hand, 0, node, name);
  if (!src) return false;
  tree_look(hand->tree->sides[0].fs, src, &attributes, hand->status);
  if (TF_GetCode(hand->status) == TF_NOT_FOUND) return true;
  if (!status_ok(hand->status)) tree_note(hand, node, src);
  return false;
}

static void delete_one(tree_hand *hand, tree_node *node, const modfs_entry *entry) {
  modfs_attributes attributes = {.kind = entry->kind};
  if (!is_missing(hand, node, entry->name)) return;
  const char *dst = tree_path_of(hand, 1, node, entry->name);
  if (!dst) return;
  if (entry->kind == MODFS_KIND_UNKNOWN)
    tree_look(hand->tree->sides[1].fs, dst, &attributes, hand->status);
  delete_at(hand, node, dst, attributes.kind == MODFS_KIND_DIRECTORY);
}

static void delete_others(tree_hand *hand, tree_node *node) {
  const char *path = tree_path_of(hand, 1, node, "");
  modfs_listing *listing =
      path ? modfs_listing_open(hand->tree->sides[1].fs, path, hand->status) : NULL;
  modfs_entry entry;
  while (listing && !hand->tree->cancelled && modfs_listing_next(listing, &entry, hand->status))
    delete_one(hand, node, &entry);
  if (path && !status_ok(hand->status)) {
    path = tree_path_of(hand, 1, node, "");
    if (path) tree_note(hand, node, path);
  }
  modfs_listing_close(listing);
}

/* Directories ---------------------------------------------------------------------------- */

/* What stands at the counterpart: NOT_FOUND leaves is_there false, other failures are noted. */
static bool ask_target(tree_hand *hand, tree_node *node, const char *dst, TF_FileStatistics *stats,
                       bool *is_there) {
  modfs_fs_stat(hand->tree->sides[1].fs, dst, stats, hand->status);
  *is_there = status_ok(hand->status);
  if (*is_there || TF_GetCode(hand->status) == TF_NOT_FOUND) return true;
  tree_note(hand, node, dst);
  return false;
}

/* Makes room where the target is of the other kind; only deletes allows that. */
static bool clear_way(tree_hand *hand, tree_node *node, const char *dst, bool was_directory) {
  if (hand->tree->options.deletes) return delete_at(hand, node, dst, was_directory);
  tree_refuse(hand, node, dst, TF_FAILED_PRECONDITION,
              was_directory ? "it is a directory; delete = true replaces it"
                            : "it is no directory; delete = true replaces it");
  return false;
}

static bool sync_enter(tree_hand *hand, tree_node *node) {
  const modfs_tree_options *options = &hand->tree->options;
  TF_FileStatistics stats;
  bool is_there = false;
  const char *dst = tree_path_of(hand, 1, node, "");
  if (!dst) return false;
  if (node->parent && node->parent->fresh)
    node->fresh = true;
  else if (!ask_target(hand, node, dst, &stats, &is_there))
    return false;
  if (is_there && !stats.is_directory && !clear_way(hand, node, dst, false)) return false;
  bool stays = is_there && stats.is_directory;
  if (options->dry_run)
    node->fresh = !stays;
  else if ((!stays && !tree_make_directory(hand, node)) || tree_is_target(hand, node))
    return false;
  if (options->deletes && stays) delete_others(hand, node);
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

/* What cannot be compared is copied, and the copy tells why not. */
static bool same_content(tree_hand *hand, const char *src, const char *dst) {
  modfs_file *a = modfs_file_open(hand->tree->sides[0].fs, src, hand->status);
  modfs_file *b = a ? modfs_file_open(hand->tree->sides[1].fs, dst, hand->status) : NULL;
  char *buffer = b ? malloc(2 * (size_t)CHUNK) : NULL;
  bool same = buffer && same_bytes(a, b, buffer, hand->status);
  free(buffer);
  modfs_file_close(b);
  modfs_file_close(a);
  return same;
}

/* A copy is at least as new as what it was made from. */
static bool is_same(tree_hand *hand, const char *src, const TF_FileStatistics *from,
                    const char *dst, const TF_FileStatistics *to) {
  if (from->length != to->length || to->is_directory) return false;
  if (hand->tree->options.checksum) return same_content(hand, src, dst);
  return from->mtime_nsec <= to->mtime_nsec;
}

static void copy(tree_hand *hand, tree_node *node, const char *name, int kind,
                 const TF_FileStatistics *from) {
  uint64_t bytes = (uint64_t)from->length;
  bool dry = hand->tree->options.dry_run;
  if (dry || tree_copy_file(hand, node, name, kind, &bytes))
    tree_count(hand, (modfs_tree_counts){.files = 1, .bytes = bytes});
}

static void sync_file(tree_hand *hand, tree_node *node, const char *name, int kind,
                      TF_FileStatistics *from) {
  const char *src = tree_path_of(hand, 0, node, name), *dst = tree_path_of(hand, 1, node, name);
  TF_FileStatistics to;
  bool is_there = false;
  if (!src || !dst) return;
  modfs_fs_stat(hand->tree->sides[0].fs, src, from, hand->status);
  if (status_ok(hand->status) && from->is_directory) {
    tree_refuse(hand, node, src, TF_FAILED_PRECONDITION,
                "a link to a directory, which is not followed");
  } else if (!status_ok(hand->status)) {
    tree_note(hand, node, src);
  } else if (node->fresh || ask_target(hand, node, dst, &to, &is_there)) {
    if (is_there && is_same(hand, src, from, dst, &to))
      tree_count(hand, (modfs_tree_counts){.kept = 1});
    else if (!is_there || !to.is_directory || clear_way(hand, node, dst, true))
      copy(hand, node, name, kind, from);
  }
}

static void sync_entry(tree_hand *hand, tree_node *node, const char *name, int kind) {
  TF_FileStatistics from = {0, 0, false};
  sync_file(hand, node, name, kind, &from);
  const char *path = tree_path_of(hand, 0, node, name);
  if (path) tree_report(hand, path, from.is_directory ? 0 : (uint64_t)from.length);
}

static const tree_ops sync_ops = {
    .name = "sync", .at_once = 8, .enter = sync_enter, .entry = sync_entry};

modfs_tree *modfs_tree_sync(const modfs_fs *from, const char *src, const modfs_fs *to,
                            const char *dst, const modfs_tree_options *options, TF_Status *status) {
  return tree_new_pair(&sync_ops, from, src, to, dst, options, status);
}
