#include "filesystem.h"
#include "fs.h"
#include "lock.h"
#include "node.h"
#include "place.h"
#include "scope.h"
#include "tree.h"

#include <string.h>

static const struct memory_transaction *transaction_of(const struct memory_place *place) {
  return place->scope ? place->scope->transaction : NULL;
}

/* Finds what the entry leads to: itself or, for a link, the node at its end; NULL: nowhere. Fails only
 * for lack of memory. */
static memory_error find_end(const struct memory_place *place, const struct memory_node **node) {
  struct memory_place end = {0};
  *node = place->node;
  if (!place->node || !place->node->is_link) return MEMORY_OK;
  memory_error error = memory_place_find(place->filesystem, place->path, place->length, true, &end);
  memory_place_fini(&end);
  *node = error ? NULL : end.node;
  return error == MEMORY_NO_MEMORY ? error : MEMORY_OK;
}

/* Links are moved and replaced as such, but a link to a directory is not replaced; and one that leads
 * to the target stays, as it would lead to itself. */
static memory_error check_rename(const struct memory_place *from, const struct memory_place *to,
                                 bool *stays) {
  const struct memory_node *source, *target;
  memory_error error = find_end(from, &source);
  if (!error) error = find_end(to, &target);
  if (error) return error;
  if (from->node->directory || (target && target->directory)) return MEMORY_IS_DIRECTORY;
  *stays = to->node && (from->node == to->node || source == to->node);
  if (*stays) return MEMORY_OK;
  return transaction_of(from) == transaction_of(to) ? MEMORY_OK : MEMORY_CROSSES;
}

static memory_error rename_place(struct memory_place *from, struct memory_place *to) {
  bool stays = false;
  if (!from->node) return MEMORY_MISSING;
  memory_error error = check_rename(from, to, &stays);
  if (error || stays) return error;
  error = memory_place_prepare(from);
  if (!error) error = memory_place_prepare(to);
  if (error) return error;
  memory_place_link(to, memory_node_share(from->node));
  memory_place_unlink(from);
  return MEMORY_OK;
}

static memory_error rename_path(struct memory_filesystem *self, const char *src, const char *dst,
                                struct memory_place *from, struct memory_place *to) {
  size_t src_length, dst_length;
  memory_error error = memory_path_check(src, &src_length);
  if (!error) error = memory_path_check(dst, &dst_length);
  if (!error) error = memory_place_find(self, src, src_length, false, from);
  if (!error && !from->node) error = MEMORY_MISSING;
  if (!error) error = memory_place_find(self, dst, dst_length, false, to);
  return error ? error : rename_place(from, to);
}

void memory_fs_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                           TF_Status *status) {
  struct memory_place from = {0}, to = {0};
  memory_lock_tree();
  memory_error error = rename_path(memory_filesystem_of(filesystem), src, dst, &from, &to);
  memory_unlock_tree();
  memory_place_fini(&from);
  memory_place_fini(&to);
  memory_error_report(error, status);
}

struct copy_source {
  struct memory_node *node;
  const char *path;
};

static memory_error copy_to(struct memory_place *to, void *context) {
  struct copy_source *source = context;
  struct memory_node *copy;
  if (to->node && to->node->directory) return MEMORY_IS_DIRECTORY;
  if (!to->node && to->route.leads) return MEMORY_BROKEN_LINK;
  if (to->node == source->node || strcmp(source->path, to->path) == 0) return MEMORY_OK;
  memory_error error = memory_place_prepare(to);
  if (!error) error = memory_node_copy(source->node, memory_place_owner(to), &copy);
  if (!error && to->node) memory_node_inherit(copy, to->node);
  if (!error) memory_place_link(to, copy);
  return error;
}

void memory_fs_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                         TF_Status *status) {
  struct copy_source source = {NULL, src};
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), src, &source.node);
  if (!error && source.node->directory) error = MEMORY_IS_DIRECTORY;
  if (!error) {
    error = memory_place_change(filesystem, dst, true, copy_to, &source);
    error = memory_tree_blame_link(memory_filesystem_of(filesystem), dst, error);
  }
  memory_node_release(source.node);
  memory_error_report(error, status);
}
