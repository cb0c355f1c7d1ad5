/* What a worker produces: paths, counts, errors and events.
 *
 * Paths and the counts of the current task belong to the worker, without a lock. A path keeps its
 * directory's part: "number" is that of the node it was built for, "above" that of the node's
 * parent, 0 when there is none, and numbers are never reused, so a freed node cannot be mistaken
 * for a new one. Only a last slash may have been cut off from it. Walking up to build it is safe as
 * a node's parents live at least as long as itself.
 *
 * The tree's lock guards the sums, the errors and the ring of events. Counts move to the sums when
 * a task ends; errors and events go in when they happen. The list of errors doubles when its length
 * is a power of two; without memory an error is only counted (lost_errors). Errors belong to the
 * tree until it is closed; the path of an event belongs to the ring, then to "shown", which is
 * valid until the next step.
 *
 * Started threads wait while TREE_LEAD events have not been taken; the caller's own worker must
 * not, as it is the one that takes them, and so may fill the ring beyond. Cancelling empties the
 * ring. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interruption.h"
#include "core/base/path.h"
#include "core/base/status.h"

enum { PART = 1024 * 1024 }; /* bytes of a file between two reports */

/* Paths ------------------------------------------------------------------------------ */

static bool path_reserve(tree_path *path, size_t size) {
  if (size <= path->room) return true;
  char *text = realloc(path->text, 2 * size);
  if (!text) return false;
  path->text = text;
  path->room = 2 * size;
  return true;
}

/* Writes the directory's part, from its end backwards to what is there already: the part of the
 * directory before or of its parent, so that a way down or up costs a name for each level. */
static bool path_stem(tree_path *path, const tree_side *side, const tree_node *node) {
  size_t root = strlen(side->root);
  bool slash = path_wants_slash(side->root, root);
  size_t end = root + slash + node->length + (node->length > 0);
  const tree_node *at = node;
  if (!path_reserve(path, end + 1)) return false;
  path->stem = end;
  for (; at->parent && at->number != path->number && at->number != path->above; at = at->parent) {
    size_t n = strlen(at->name);
    path->text[--end] = '/';
    end -= n;
    memcpy(path->text + end, at->name, n);
  }
  if (!at->parent) {
    memcpy(path->text, side->root, root);
    if (slash) path->text[root] = '/';
  }
  path->number = node->number;
  path->above = node->parent ? node->parent->number : 0;
  return true;
}

const char *tree_path_of(tree_worker *worker, int side, const tree_node *node, const char *name) {
  tree_path *path = &worker->paths[side];
  const tree_side *of = &worker->tree->sides[side];
  size_t size = strlen(name) + 1;
  if (path->stem > 0) path->text[path->stem - 1] = '/';
  bool made = path->number == node->number || path_stem(path, of, node);
  if (!made || !path_reserve(path, path->stem + size)) {
    status_no_memory(worker->status);
    status_locate(worker->status, "list", of->root);
    tree_note(worker, NULL, of->root);
    return NULL;
  }
  memcpy(path->text + path->stem, name, size);
  if (size > 1) return path->text;
  if (!node->parent) return of->root;
  path->text[path->stem - 1] = '\0';
  return path->text;
}

bool tree_is_named(const tree_node *node, const char *name) {
  return !node->parent && *name == '\0';
}

/* What came of it -------------------------------------------------------------------- */

static void errors_add(modfs_tree *tree, modfs_tree_error error) {
  size_t n = tree->error_count;
  bool full = (n & (n - 1)) == 0;
  modfs_tree_error *errors = tree->errors;
  if (full) errors = realloc(errors, (n ? 2 * n : 1) * sizeof *errors);
  if (!errors || !error.path || !error.message) {
    tree->counts.lost_errors++;
    free((char *)error.path);
    free((char *)error.message);
    if (errors) tree->errors = errors;
    return;
  }
  tree->errors = errors;
  errors[tree->error_count++] = error;
}

void tree_note(tree_worker *worker, tree_node *node, const char *path) {
  modfs_tree *tree = worker->tree;
  TF_Code code = TF_GetCode(worker->status);
  /* What is given up because the operation is to end is no failure of its own. */
  bool given_up = code == TF_CANCELLED && (tree->cancelled || interruption_is_wanted());
  status_rename(worker->status, tree->ops->name);
  tree_lock(tree);
  if (node) node->spoilt = true;
  if (!given_up)
    errors_add(tree, (modfs_tree_error){strdup(path), strdup(TF_Message(worker->status)), code});
  tree_unlock(tree);
}

void tree_fail(tree_worker *worker, tree_node *node, int side, const char *name) {
  const char *path = tree_path_of(worker, side, node, name);
  if (!path) return;
  status_locate(worker->status, worker->tree->ops->name, path);
  tree_note(worker, node, path);
}

void tree_break_off(tree_worker *worker) {
  modfs_tree *tree = worker->tree;
  status_locate(worker->status, tree->ops->name, tree->sides[0].root);
  tree->broken_off = true;
  tree->cancelled = true;
  atomic_store(&tree->context.ends, TF_CANCELLED);
  tree_note(worker, NULL, tree->sides[0].root);
}

/* UINT64_MAX stands for any sum beyond 2^63 - 1. */
static uint64_t add_bytes(uint64_t a, uint64_t b) {
  bool fits = a <= INT64_MAX && b <= INT64_MAX - a;
  return fits ? a + b : UINT64_MAX;
}

static void counts_add(modfs_tree_counts *counts, const modfs_tree_counts *more) {
  counts->files += more->files;
  counts->dirs += more->dirs;
  counts->bytes = add_bytes(counts->bytes, more->bytes);
  counts->kept += more->kept;
  counts->deleted += more->deleted;
  counts->left_files += more->left_files;
  counts->left_dirs += more->left_dirs;
}

void tree_count(tree_worker *worker, modfs_tree_counts more) {
  counts_add(&worker->counts, &more);
}

/* Records the overflow of the sum of bytes, once. The lock is held. */
static void note_overflow(tree_worker *worker) {
  modfs_tree *tree = worker->tree;
  const tree_side *from = &tree->sides[0];
  modfs_set_status(worker->status, TF_OUT_OF_RANGE,
                   "the file lengths reported by the plugin %s add up to more than 2^63 - 1 bytes",
                   from->fs->plugin->path);
  status_locate(worker->status, tree->ops->name, from->root);
  errors_add(tree, (modfs_tree_error){strdup(from->root), strdup(TF_Message(worker->status)),
                                      TF_OUT_OF_RANGE});
}

/* What has progress to report counts the bytes of files that need not be copied, too. */
void tree_tell(modfs_tree *tree) {
  job_context *job = tree->stepper;
  if (!job) return;
  const modfs_tree_counts *counts = &tree->counts;
  uint64_t files = counts->files + counts->kept;
  uint64_t bytes = tree->total_bytes > 0 ? counts->done : add_bytes(counts->bytes, tree->under_way);
  job->files = tree->ahead ? 0 : files;
  job->bytes = tree->ahead ? 0 : bytes;
  job->total_files = tree->ahead ? files : tree->total_files;
  job->total_bytes = tree->ahead == TREE_ALL_AHEAD ? bytes : tree->total_bytes;
}

void tree_add_results(tree_worker *worker) {
  modfs_tree *tree = worker->tree;
  bool fitted = tree->counts.bytes <= INT64_MAX;
  counts_add(&tree->counts, &worker->counts);
  worker->counts = (modfs_tree_counts){0};
  tree->under_way -= worker->under_way;
  worker->under_way = 0;
  tree_tell(tree);
  if (fitted && tree->counts.bytes > INT64_MAX) note_overflow(worker);
}

/* No thread runs far ahead of the events taken: so a cancel comes in time, and no event is lost. */
static void keep_pace(tree_worker *worker) {
  modfs_tree *tree = worker->tree;
  while (worker != &tree->own && tree->event_count >= TREE_LEAD && !tree->cancelled)
    tree_wait(tree);
}

static void report(tree_worker *worker, const tree_node *node, const char *name, uint64_t bytes) {
  modfs_tree *tree = worker->tree;
  if (!tree->options.progress || tree->cancelled) return;
  const char *path = tree_path_of(worker, 0, node, name);
  char *copy = path ? strdup(path) : NULL;
  tree_lock(tree);
  keep_pace(worker);
  tree->counts.done = add_bytes(tree->counts.done, bytes);
  if (copy && !tree->cancelled && tree->event_count < TREE_EVENTS) {
    size_t at = (tree->event_first + tree->event_count++) % TREE_EVENTS;
    tree->events[at] = (tree_event){tree->counts.done, copy};
    copy = NULL;
    tree_wake(tree);
  }
  tree_unlock(tree);
  free(copy);
}

void tree_report(tree_worker *worker, const tree_node *node, const char *name, uint64_t bytes) {
  report(worker, node, name, bytes > worker->told ? bytes - worker->told : 0);
  worker->told = worker->seen = 0;
}

static void tell_part(tree_worker *worker, uint64_t bytes) {
  modfs_tree *tree = worker->tree;
  worker->seen += bytes;
  worker->under_way += bytes;
  tree_lock(tree);
  tree->under_way += bytes;
  tree_tell(tree);
  tree_unlock(tree);
}

/* The caller's own worker can return no event before its task ends. */
void tree_report_part(tree_worker *worker, const tree_node *node, const char *name,
                      uint64_t bytes) {
  if (bytes >= worker->seen + PART) tell_part(worker, bytes - worker->seen);
  if (worker == &worker->tree->own || bytes < worker->told + PART) return;
  report(worker, node, name, bytes - worker->told);
  worker->told = bytes;
}
