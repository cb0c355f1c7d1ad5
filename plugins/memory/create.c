#include "directory.h"
#include "filesystem.h"
#include "fs.h"
#include "lock.h"
#include "node.h"
#include "place.h"
#include "scope.h"
#include "tree.h"

static memory_error create_directory(struct memory_place *place, void *context) {
  (void)context;
  if (place->node) return MEMORY_EXISTS;
  memory_error error = memory_place_prepare(place);
  if (error) return error;
  struct memory_node *node =
      memory_node_new_directory(place->filesystem, memory_place_owner(place));
  if (!node) return MEMORY_NO_MEMORY;
  memory_place_link(place, node);
  return MEMORY_OK;
}

void memory_fs_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  memory_error_report(memory_place_change(filesystem, path, false, create_directory, NULL), status);
}

/* Creates a directory inside one that is not linked into the tree yet. */
static struct memory_node *chain_add(struct memory_node *last, struct memory_name name) {
  struct memory_node *node = memory_node_new_directory(last->filesystem, last->owner);
  struct memory_entry *entry = node ? memory_entry_new(name, node) : NULL;
  if (entry)
    memory_directory_insert(last->directory, entry);
  else
    memory_node_release(node);
  return entry ? node : NULL;
}

/* Creates nested directories, one for each name from `at` to `end`, below a new one. */
static struct memory_node *chain_new(struct memory_filesystem *self, uint64_t owner, const char *at,
                                     const char *end) {
  struct memory_node *top = memory_node_new_directory(self, owner), *last = top;
  struct memory_name name;
  while (last && memory_path_next(&at, end, &name))
    last = chain_add(last, name);
  if (last) return top;
  memory_node_release(top);
  return NULL;
}

/* Links a chain at the first name that does not exist; that name ends at `missing`, the path at `end`. */
static memory_error create_missing(struct memory_filesystem *self, const char *path,
                                   const char *missing, const char *end) {
  struct memory_place place = {0};
  memory_error error = memory_place_find(self, path, (size_t)(missing - path), false, &place);
  if (!error) error = memory_place_prepare(&place);
  if (!error) {
    struct memory_node *top = chain_new(self, memory_place_owner(&place), missing, end);
    if (top)
      memory_place_link(&place, top);
    else
      error = MEMORY_NO_MEMORY;
  }
  memory_place_fini(&place);
  return error;
}

/* Creates the missing directories of one version, from the node of the path up to `at`. */
static memory_error create_below(struct memory_filesystem *self, struct memory_node *from,
                                 const char *at, const char *path, const char *end) {
  struct memory_node *node;
  const char *missing;
  memory_error error = memory_tree_walk(from, at, end, &node, &missing);
  if (error == MEMORY_MISSING || error == MEMORY_NO_PARENT)
    return create_missing(self, path, missing, end);
  if (error) return error;
  if (node->is_link) return MEMORY_VIA_LINK;
  return node->directory ? MEMORY_OK : MEMORY_IS_FILE;
}

/* Directories above a scope are created in the committed tree: they are not part of its transaction. */
static memory_error create_path(struct memory_filesystem *self, const char *path, size_t length) {
  const char *end = path + length;
  struct memory_scope *scope = memory_scope_find(self, path, length);
  if (!scope) return create_below(self, self->root, path, path, end);
  const char *parent_end = path + memory_path_parent_length(scope->path, scope->length);
  memory_error error = create_below(self, self->root, path, path, parent_end);
  if (error) return error == MEMORY_IS_FILE ? MEMORY_PARENT_IS_FILE : error;
  if (!scope->node) return create_missing(self, path, path + scope->length, end);
  return create_below(self, scope->node, path + scope->length, path, end);
}

/* The same where links lead; one that leads nowhere is in the way. */
static memory_error create_by_links(struct memory_filesystem *self, const char *path,
                                    size_t length) {
  struct memory_route route = {.staged = true, .follows = true};
  memory_error error = memory_route_find(self, path, length, &route);
  if (error == MEMORY_NO_PARENT || (!error && route.dangling)) error = MEMORY_BROKEN_LINK;
  if (!error) error = create_path(self, route.path, route.length);
  memory_route_fini(&route);
  return error;
}

void memory_fs_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                      TF_Status *status) {
  size_t length;
  memory_error error = memory_path_check(path, &length);
  if (!error) {
    memory_lock_tree();
    error = create_path(memory_filesystem_of(filesystem), path, length);
    if (error == MEMORY_VIA_LINK)
      error = create_by_links(memory_filesystem_of(filesystem), path, length);
    memory_unlock_tree();
  }
  memory_error_report(error, status);
}
