/* Copying one file of a tree: from one open directory into another, or by paths where a side has no
 * handles, or where the user named the file. */
#include <stdlib.h>
#include <string.h>

#include "core/fs/copy.h"
#include "core/base/status.h"
#include "tree_attributes.h"
#include "tree_target.h"
#include "tree_xattrs.h"

/* Notes why a copy failed, unless it was given up because the operation was cancelled; located: the
 * status has operation and path already. */
static void note_copy(tree_worker *worker, tree_node *node, const char *name, bool located) {
  if (TF_GetCode(worker->status) == TF_CANCELLED && worker->tree->cancelled) return;
  const char *src = tree_path_of(worker, 0, node, name), *dst = tree_path_of(worker, 1, node, name);
  if (!src || !dst) return;
  char *both = located ? NULL : malloc(strlen(src) + strlen(dst) + 5);
  if (both) stpcpy(stpcpy(stpcpy(both, src), " to "), dst);
  if (!located) status_locate(worker->status, worker->tree->ops->name, both ? both : src);
  free(both);
  tree_note(worker, node, src);
}

/* A link at the target, where links can be detected, must not be written through. */
static bool check_place(const fs_directory *to, const char *name, TF_Status *status) {
  modfs_attributes attributes;
  directory_attributes(to, name, &attributes, status);
  if (TF_GetCode(status) == TF_NOT_FOUND) status_clear(status);
  if (status_ok(status) && attributes.kind == MODFS_KIND_LINK)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the target is a symbolic link, which is not followed");
  return status_ok(status);
}

/* The same for a target that is written by its path, unless the user named it. */
static bool check_path(tree_worker *worker, tree_node *node, const char *name) {
  bool is_named = tree_is_named(node, name);
  if (is_named || node->fresh || !worker->tree->sides[1].fs->may_have_links) return true;
  const fs_directory *to = tree_open(worker, node, 1);
  return to && check_place(to, name, worker->status);
}

/* By paths: by a call of the filesystem if both are the same. */
static void copy_paths(tree_worker *worker, tree_node *node, const tree_file *file,
                       copy_terms *terms, uint64_t *bytes) {
  const tree_side *sides = worker->tree->sides;
  const char *name = file->name;
  *bytes = 0;
  if (!check_path(worker, node, name)) {
    note_copy(worker, node, name, false);
    return;
  }
  const char *src = tree_path_of(worker, 0, node, name), *dst = tree_path_of(worker, 1, node, name);
  if (!src || !dst) return;
  int64_t size = copy_listed(sides[0].fs, src, sides[1].fs, dst, terms, worker->status);
  /* The source's size: in a transaction the copy is not visible yet. */
  if (size < 0 && status_ok(worker->status))
    size = file->from.kind != MODFS_KIND_UNKNOWN
               ? file->from.length
               : modfs_fs_get_file_size(sides[0].fs, src, worker->status);
  if (!status_ok(worker->status)) note_copy(worker, node, name, true);
  if (size > 0) *bytes = (uint64_t)size;
}

/* Opening ---------------------------------------------------------------------------------- */

static modfs_file *open_path(tree_worker *worker, int side, const char *path) {
  modfs_file *file = modfs_file_open(worker->tree->sides[side].fs, path, worker->status);
  status_rename(worker->status, worker->tree->ops->name);
  return file;
}

modfs_file *tree_open_target(tree_worker *worker, tree_node *node, const char *name) {
  bool by_path = tree_is_named(node, name);
  const fs_directory *self = by_path ? NULL : tree_open(worker, node, 1);
  const char *path = tree_path_of(worker, 1, node, name);
  if (!path || (!self && !by_path)) return NULL;
  return self ? directory_reader(self, name, path, worker->status) : open_path(worker, 1, path);
}

modfs_file *tree_open_source(tree_worker *worker, tree_node *node, const tree_file *file) {
  bool link = file->kind == MODFS_KIND_LINK && !file->end.name;
  bool by_path = tree_is_named(node, file->name) || link;
  const fs_directory *self = file->end.name ? &file->end.directory : NULL;
  if (!self && !by_path) self = tree_open(worker, node, 0);
  const char *path = tree_path_of(worker, 0, node, file->name);
  if (!path || (!self && !by_path)) return NULL;
  const char *name = file->end.name ? file->end.name : file->name;
  return self ? directory_reader(self, name, path, worker->status) : open_path(worker, 0, path);
}

/* Asking ----------------------------------------------------------------------------------- */

static void ask_path(tree_worker *worker, tree_node *node, tree_file *file) {
  const char *src = tree_path_of(worker, 0, node, file->name);
  if (!src) return;
  modfs_fs_get_attributes(worker->tree->sides[0].fs, src, &file->from, worker->status);
  if (status_ok(worker->status)) return;
  file->from.kind = MODFS_KIND_UNKNOWN;
  src = tree_path_of(worker, 0, node, file->name);
  if (src) tree_note(worker, node, src);
}

static void ask_entry(tree_worker *worker, tree_node *node, tree_file *file) {
  const fs_directory *self = file->end.name ? &file->end.directory : NULL;
  if (!self) self = tree_directory(worker, node, 0);
  if (!self) return;
  const char *name = file->end.name ? file->end.name : file->name;
  directory_attributes(self, name, &file->from, worker->status);
  if (status_ok(worker->status)) return;
  file->from.kind = MODFS_KIND_UNKNOWN;
  tree_fail(worker, node, 0, file->name);
}

bool tree_ask_source(tree_worker *worker, tree_node *node, tree_file *file) {
  bool named = tree_is_named(node, file->name), link = file->kind == MODFS_KIND_LINK && !named;
  bool follows = worker->tree->options.links == MODFS_LINKS_FOLLOW;
  if (file->from.kind != MODFS_KIND_UNKNOWN) return true;
  if (link && !follows && !tree_find_end(worker, node, file->name, &file->end)) return false;
  if (named || (link && follows))
    ask_path(worker, node, file);
  else
    ask_entry(worker, node, file);
  if (file->from.kind != MODFS_KIND_DIRECTORY) return file->from.kind != MODFS_KIND_UNKNOWN;
  tree_refuse(worker, node, 0, file->name, "symbolic link to a directory, which is not followed");
  return false;
}

void tree_file_fini(tree_file *file) {
  modfs_file_close(file->opened);
  tree_place_fini(&file->end);
}

/* Copying ---------------------------------------------------------------------------------- */

static uint64_t write_target(tree_worker *worker, tree_node *node, const char *name,
                             const modfs_file *from, copy_terms *terms) {
  const modfs_fs *fs = worker->tree->sides[1].fs;
  if (directory_is_path(fs)) {
    if (!check_path(worker, node, name)) return 0;
    const char *dst = tree_path_of(worker, 1, node, name);
    return dst ? (uint64_t)copy_opened(from, fs, dst, terms, worker->status) : 0;
  }
  const fs_directory *to = tree_open(worker, node, 1);
  if (!to || (!node->fresh && !check_place(to, name, worker->status))) return 0;
  return (uint64_t)copy_to_entry(from, to, name, terms, worker->status);
}

/* By one call of the plugin. */
static void copy_within(tree_worker *worker, const fs_directory *from, const fs_directory *to,
                        const tree_file *file, uint64_t *bytes) {
  modfs_attributes attributes = file->from;
  directory_copy(from, to, file->name, worker->status);
  if (status_ok(worker->status) && attributes.kind == MODFS_KIND_UNKNOWN)
    directory_attributes(from, file->name, &attributes, worker->status);
  if (status_ok(worker->status)) *bytes = (uint64_t)attributes.length;
}

/* Likewise, with the attributes: the source is not queried before, nor the copy afterwards. With an
 * owner all are left to be set, as the others are set after it. */
static void copy_keeping(tree_worker *worker, tree_node *node, tree_file *file, copy_terms *terms,
                         uint64_t *bytes) {
  const fs_directory *to = tree_open(worker, node, 1),
                     *from = to ? tree_open(worker, node, 0) : NULL;
  const uint64_t owners = MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP;
  uint64_t all = worker->tree->wanted, later = all & owners ? all : 0;
  fs_wanted left = {.which = all & ~later};
  if (from) directory_copy_keeping(from, to, file->name, &left, worker->status);
  if (status_ok(worker->status)) {
    file->from = left.attributes;
    *bytes = (uint64_t)file->from.length;
    terms->wanted.which = (left.which | later) & file->from.known;
  } else {
    note_copy(worker, node, file->name, false);
  }
}

/* Copies from one open directory into the other. */
static void copy_entry(tree_worker *worker, tree_node *node, const tree_file *file,
                       copy_terms *terms, uint64_t *bytes) {
  bool listed = file->kind != MODFS_KIND_LINK; /* else there is another way to the source */
  const fs_directory *to = tree_open(worker, node, 1),
                     *from = to && listed ? tree_open(worker, node, 0) : NULL;
  if (from && directory_can_copy(from, to)) {
    copy_within(worker, from, to, file, bytes);
  } else if (to && (from || !listed)) {
    modfs_file *opened = tree_open_source(worker, node, file);
    if (opened) *bytes = write_target(worker, node, file->name, opened, terms);
    modfs_file_close(opened);
  }
  if (!status_ok(worker->status)) note_copy(worker, node, file->name, false);
}

/* Sets what the copy has not got while it was written. A query is cheaper than setting a mode in an
 * open directory, and the copy mostly has its own already. */
static void complete(tree_worker *worker, tree_node *node, const char *name, fs_wanted *wanted) {
  bool by_path = tree_is_named(node, name) || directory_is_path(worker->tree->sides[1].fs);
  const fs_directory *to = by_path || !wanted->which ? NULL : tree_open(worker, node, 1);
  modfs_attributes there;
  if (to) directory_attributes(to, name, &there, worker->status);
  if (to && status_ok(worker->status)) tree_drop_equal(wanted, &there);
  tree_set(worker, node, name, wanted);
}

/* A new file whose mode is not kept has that of its source by the umask, like a file that the plugin
 * copies itself; the umask is taken from the mode that it was created with. */
static void narrow(tree_worker *worker, tree_node *node, const tree_file *file) {
  const fs_directory *to = tree_open(worker, node, 1);
  modfs_attributes there;
  if (!to || !(file->from.known & MODFS_ATTRIBUTE_MODE)) return;
  directory_attributes(to, file->name, &there, worker->status);
  if (!status_ok(worker->status) || !(there.known & MODFS_ATTRIBUTE_MODE)) return;
  uint32_t most = there.mode | ((there.mode & 0444) >> 2), mode = file->from.mode & most;
  if (mode != there.mode) tree_try_mode(worker, node, file->name, mode);
}

/* The mode and time of a file that will get another owner are set again after that; not where it
 * appears with all of them when it is closed. */
static fs_wanted terms_of(const modfs_fs *fs, const fs_wanted *wanted) {
  const uint64_t owners = MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP;
  fs_wanted terms = *wanted;
  if (!(terms.which & owners) || fs->anew) return terms;
  terms.which &= ~owners;
  terms.attributes.mode &= 0700;
  return terms;
}

/* A file that is being copied, for the callback between two blocks. */
typedef struct copied {
  tree_worker *worker;
  const tree_node *node;
  const char *name;
} copied;

static bool tell_block(void *context, uint64_t done, uint64_t total) {
  const copied *file = context;
  (void)total;
  tree_report_part(file->worker, file->node, file->name, done);
  return !file->worker->tree->cancelled;
}

/* Opens a file whose plugin tells its attributes at that, which saves the query. A file that cannot
 * be opened is noted when it is queried. */
static bool open_telling(tree_worker *worker, tree_node *node, tree_file *file) {
  const modfs_fs *from = worker->tree->sides[0].fs;
  bool listed = file->kind == MODFS_KIND_FILE && !tree_is_named(node, file->name);
  if (!from->readers_tell || from == worker->tree->sides[1].fs || !listed) return false;
  if (file->from.kind != MODFS_KIND_UNKNOWN) return false;
  file->opened = tree_open_source(worker, node, file);
  if (!file->opened) return false;
  file_attributes(file->opened, &file->from, worker->status);
  return status_ok(worker->status);
}

static uint64_t copy_open(tree_worker *worker, tree_node *node, const tree_file *file,
                          copy_terms *terms) {
  uint64_t bytes = write_target(worker, node, file->name, file->opened, terms);
  if (!status_ok(worker->status)) note_copy(worker, node, file->name, false);
  return bytes;
}

static void copy(tree_worker *worker, tree_node *node, const tree_file *file, copy_terms *terms,
                 uint64_t *bytes) {
  const tree_side *sides = worker->tree->sides;
  bool both_paths = directory_is_path(sides[0].fs) && directory_is_path(sides[1].fs);
  status_clear(worker->status);
  if (file->opened)
    *bytes = copy_open(worker, node, file, terms);
  else if (tree_is_named(node, file->name) || (both_paths && !file->end.name))
    copy_paths(worker, node, file, terms, bytes);
  else
    copy_entry(worker, node, file, terms, bytes);
}

/* What is left to be done about the attributes of a complete copy. */
static void finish(tree_worker *worker, tree_node *node, const tree_file *file,
                   const copy_terms *terms) {
  const modfs_tree *tree = worker->tree;
  fs_wanted wanted = tree_want(tree, &file->from);
  fs_wanted offered = terms_of(tree->sides[1].fs, &wanted);
  if (offered.which == wanted.which) wanted.which = terms->wanted.which;
  tree_keep_xattrs(worker, node, file);
  complete(worker, node, file->name, &wanted);
  bool keeps_mode = (tree->wanted & MODFS_ATTRIBUTE_MODE) != 0;
  bool by_umask = terms->created && !keeps_mode && tree->sides[1].fs->sets_attributes;
  if (by_umask && !tree_is_named(node, file->name)) narrow(worker, node, file);
}

/* Whether one call copies a file with its attributes, between open directories of one filesystem. */
static bool can_keep(const modfs_tree *tree, const tree_node *node, const tree_file *file) {
  const modfs_fs *fs = tree->sides[0].fs;
  bool listed = file->kind == MODFS_KIND_FILE && !tree_is_named(node, file->name);
  return listed && fs->copies_keep && fs == tree->sides[1].fs;
}

/* Queries the source, which nothing in the plugin does by the way. */
static bool ask(tree_worker *worker, tree_node *node, tree_file *file) {
  bool asks =
      worker->tree->wanted || !tree_is_named(node, file->name) || file->kind == MODFS_KIND_LINK;
  return !asks || open_telling(worker, node, file) || tree_ask_source(worker, node, file);
}

/* The length of a file, for storage that is written at once. Only of a disk's own files: one that cannot
 * be read to its end, as a server or an archive may have, would cost all that is written. */
static int64_t announced(const modfs_tree *tree, const tree_file *file) {
  const modfs_fs *from = tree->sides[0].fs, *to = tree->sides[1].fs;
  bool on_disk = from->extension.in_flight == 0 && file->from.inode != 0;
  bool fits = on_disk && (to->extension.deviations & MODFS_WRITTEN_AT_ONCE);
  return fits && file->from.kind == MODFS_KIND_FILE ? file->from.length : -1;
}

bool tree_copy_file(tree_worker *worker, tree_node *node, tree_file *file, uint64_t *bytes) {
  const modfs_tree *tree = worker->tree;
  copied here = {worker, node, file->name};
  const modfs_copy_progress progress = {tell_block, &here};
  copy_terms terms = {.fresh = node->fresh, .length = -1, .progress = &progress};
  if (can_keep(tree, node, file)) {
    copy_keeping(worker, node, file, &terms, bytes);
  } else {
    if (!ask(worker, node, file)) return false;
    fs_wanted wanted = tree_want(tree, &file->from);
    terms.wanted = terms_of(tree->sides[1].fs, &wanted);
    terms.length = announced(tree, file);
    copy(worker, node, file, &terms, bytes);
  }
  if (!status_ok(worker->status)) return false;
  finish(worker, node, file, &terms);
  return true;
}
