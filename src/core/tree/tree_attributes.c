/* The attributes that copies keep of their sources.
 *
 * A file that is written gets them before its first byte where the plugin can (copy.c); what is left
 * is set here, when the copy is complete. A directory gets its own when all in it is done, as
 * filling it changes its time and may need permissions that it is not to have. The source's are
 * queried before its content is read: what changes meanwhile then looks changed to the next sync. */
#include "tree_attributes.h"

#include <stdlib.h>

#include "core/base/status.h"
#include "tree_link.h"
#include "tree_xattrs.h"

enum {
  OWNERS = MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP,
  SET_ID_BITS = 06000,
  OTHERS = 0055, /* what group and others may do with a new directory */
};

static const uint64_t groups[] = {OWNERS, MODFS_ATTRIBUTE_MODE, MODFS_ATTRIBUTE_MTIME};

/* Which ---------------------------------------------------------------------------------- */

static uint64_t attributes_of(uint64_t preserve) {
  uint64_t attributes = 0;
  if (preserve & MODFS_PRESERVE_MTIME) attributes |= MODFS_ATTRIBUTE_MTIME;
  if (preserve & MODFS_PRESERVE_MODE) attributes |= MODFS_ATTRIBUTE_MODE;
  if (preserve & MODFS_PRESERVE_OWNER) attributes |= OWNERS;
  return attributes;
}

void tree_choose_attributes(modfs_tree *tree, TF_Status *status) {
  const uint64_t defaults = MODFS_PRESERVE_TRY(MODFS_PRESERVE_MTIME | MODFS_PRESERVE_MODE);
  uint64_t given = tree->options.preserve;
  if (!(given & MODFS_PRESERVE_GIVEN)) given = defaults;
  uint64_t tried = given >> MODFS_PRESERVE_TRY_SHIFT;
  tree->insists = attributes_of(given);
  tree->wanted = tree->insists | attributes_of(tried);
  tree->insists_on_xattrs = (given & MODFS_PRESERVE_XATTRS) != 0;
  tree->keeps_xattrs = ((given | tried) & MODFS_PRESERVE_XATTRS) != 0;
  for (int i = 0; i < 2 && tree->keeps_xattrs; i++) {
    const tree_side *side = &tree->sides[i];
    tree->keeps_xattrs = side->fs->keeps_xattrs;
    if (tree->keeps_xattrs || !tree->insists_on_xattrs) continue;
    modfs_set_status(status, TF_UNIMPLEMENTED,
                     "%s:// has no extended attributes; leave \"xattrs\" out of preserve",
                     modfs_fs_scheme(side->fs));
    status_locate(status, tree->ops->name, side->root);
  }
}

fs_wanted tree_want(const modfs_tree *tree, const modfs_attributes *from) {
  fs_wanted wanted = {*from, tree->wanted & from->known};
  if (!(wanted.which & OWNERS)) wanted.attributes.mode &= ~(uint32_t)SET_ID_BITS;
  return wanted;
}

/* The largest of the units in which storage counts time that divides it. */
static int64_t unit_of(int64_t nanoseconds) {
  const int64_t units[] = {1000000000, 1000000, 1000};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (nanoseconds % units[i] == 0) return units[i];
  return 1;
}

static int64_t round_down(int64_t nanoseconds, int64_t unit) {
  int64_t rest = nanoseconds % unit;
  return nanoseconds - (rest < 0 ? rest + unit : rest);
}

bool tree_times_equal(int64_t a, int64_t b) {
  return a == b || a == round_down(b, unit_of(a)) || b == round_down(a, unit_of(b));
}

void tree_drop_equal(fs_wanted *wanted, const modfs_attributes *there) {
  const modfs_attributes *own = &wanted->attributes;
  uint64_t equal = 0;
  if (own->mode == there->mode) equal |= MODFS_ATTRIBUTE_MODE;
  if (own->owner == there->owner) equal |= MODFS_ATTRIBUTE_OWNER;
  if (own->group == there->group) equal |= MODFS_ATTRIBUTE_GROUP;
  if (tree_times_equal(own->mtime_nsec, there->mtime_nsec)) equal |= MODFS_ATTRIBUTE_MTIME;
  wanted->which &= ~(equal & there->known);
}

/* Setting -------------------------------------------------------------------------------- */

static bool set_some(tree_worker *worker, tree_node *node, const char *name,
                     const fs_wanted *wanted) {
  const tree_side *to = &worker->tree->sides[1];
  status_clear(worker->status);
  if (tree_is_named(node, name) && !node->made) {
    modfs_fs_set_attributes(to->fs, to->root, &wanted->attributes, wanted->which, worker->status);
  } else {
    const fs_directory *self = tree_open(worker, node, 1);
    if (self) directory_set(self, name, wanted, worker->status);
  }
  return status_ok(worker->status);
}

/* What a target cannot keep is no failure unless the user insists. */
static bool is_failure(const tree_worker *worker, uint64_t which) {
  TF_Code code = TF_GetCode(worker->status);
  bool cannot = code == TF_UNIMPLEMENTED || code == TF_PERMISSION_DENIED;
  return (worker->tree->insists & which) || !cannot;
}

/* Each by itself, as one that cannot be set keeps the others from being set. Without the owner
 * there are no set-id bits. */
static void set_each(tree_worker *worker, tree_node *node, const char *name,
                     const fs_wanted *wanted) {
  const uint64_t link = wanted->which & MODFS_ATTRIBUTE_OF_LINK;
  fs_wanted some = *wanted;
  bool noted = false;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    some.which = wanted->which & groups[i];
    if (some.which == 0) continue;
    some.which |= link;
    if (set_some(worker, node, name, &some)) continue;
    if (groups[i] == OWNERS) some.attributes.mode &= ~(uint32_t)SET_ID_BITS;
    bool failed = is_failure(worker, groups[i]);
    if (!noted && failed) tree_fail(worker, node, 1, name);
    noted = noted || failed;
  }
}

void tree_set(tree_worker *worker, tree_node *node, const char *name, const fs_wanted *wanted) {
  if ((wanted->which & ~(uint64_t)MODFS_ATTRIBUTE_OF_LINK) == 0) return;
  if (!set_some(worker, node, name, wanted)) set_each(worker, node, name, wanted);
  status_clear(worker->status);
}

void tree_try_mode(tree_worker *worker, tree_node *node, const char *name, uint32_t mode) {
  fs_wanted wanted = {.which = MODFS_ATTRIBUTE_MODE};
  wanted.attributes.mode = mode;
  set_some(worker, node, name, &wanted);
  status_clear(worker->status);
}

/* Directories ------------------------------------------------------------------------------ */

/* Where directories are but names of files they have no attributes of their own, and querying them
 * costs requests. */
static bool has_directories(const modfs_fs *fs) {
  return !(fs->extension.deviations & MODFS_PARENTS_IMPLIED);
}

/* Of the directory itself, also where its path is a link. */
static bool ask(tree_worker *worker, tree_node *node, int side, modfs_attributes *attributes) {
  const modfs_fs *fs = worker->tree->sides[side].fs;
  const char *path = directory_is_path(fs) ? tree_path_of(worker, side, node, "") : NULL;
  const fs_directory *self = directory_is_path(fs) ? NULL : tree_open(worker, node, side);
  if (!path && !self) return false;
  if (path)
    modfs_fs_get_attributes(fs, path, attributes, worker->status);
  else
    directory_attributes(self, "", attributes, worker->status);
  return status_ok(worker->status);
}

/* A failure is reported when the directory is listed. */
bool tree_ask_directory(tree_worker *worker, tree_node *node) {
  const modfs_tree *tree = worker->tree;
  const modfs_fs *from = tree->sides[0].fs, *to = tree->sides[1].fs;
  bool keeps = has_directories(from) && has_directories(to);
  if (!keeps && tree->options.links != MODFS_LINKS_FOLLOW) return true;
  modfs_attributes attributes;
  if (!ask(worker, node, 0, &attributes)) return true;
  node->own = malloc(sizeof *node->own);
  if (node->own) {
    *node->own = attributes;
    return !node->linked || !tree_is_circle(worker, node);
  }
  status_no_memory(worker->status);
  tree_fail(worker, node, 0, "");
  return false;
}

/* The mode of a new directory where modes are not kept: what it got by the umask, and no more than its
 * source's. */
static void narrow(tree_worker *worker, tree_node *node) {
  modfs_attributes there, *own = node->own;
  if (!(own->known & MODFS_ATTRIBUTE_MODE) || !worker->tree->sides[1].fs->sets_attributes) return;
  if (!ask(worker, node, 1, &there) || !(there.known & MODFS_ATTRIBUTE_MODE)) return;
  own->mode &= there.mode;
  node->narrow = own->mode != there.mode;
}

/* A directory that is closed to others stays so while it is filled. */
void tree_begin_directory(tree_worker *worker, tree_node *node) {
  const modfs_tree *tree = worker->tree;
  node->made = true;
  if (!node->own || !node->fresh || !has_directories(tree->sides[1].fs)) return;
  if (!(tree->wanted & MODFS_ATTRIBUTE_MODE)) narrow(worker, node);
  fs_wanted wanted = tree_want(tree, node->own);
  uint32_t mode = wanted.attributes.mode;
  bool closes = (wanted.which & MODFS_ATTRIBUTE_MODE) && (mode & OTHERS) != OTHERS;
  wanted.which = MODFS_ATTRIBUTE_MODE;
  wanted.attributes.mode = (mode & 0777) | 0700;
  if (closes || node->narrow) tree_set(worker, node, "", &wanted);
}

void tree_end_directory(tree_worker *worker, tree_node *node) {
  const modfs_tree *tree = worker->tree;
  modfs_attributes there;
  bool filled = node->made && node->listed && !node->torn;
  if (!filled || !node->own || !has_directories(tree->sides[1].fs)) return;
  tree_keep_xattrs_of_directory(worker, node);
  fs_wanted wanted = tree_want(tree, node->own);
  if (node->narrow) wanted.which |= MODFS_ATTRIBUTE_MODE;
  if (wanted.which && ask(worker, node, 1, &there)) tree_drop_equal(&wanted, &there);
  tree_set(worker, node, "", &wanted);
}
