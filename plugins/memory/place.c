#include "place.h"

#include "directory.h"
#include "filesystem.h"
#include "lock.h"
#include "node.h"
#include "scope.h"
#include "transaction.h"
#include "tree.h"

static const char *parent_end(const struct memory_place *place) {
  return place->path + memory_path_parent_length(place->path, place->length);
}

static void place_find_entry(struct memory_place *place) {
  struct memory_name name = memory_path_base(place->path, place->length);
  place->entry = memory_directory_find(place->parent->directory, name);
  place->node = place->entry ? place->entry->node : NULL;
}

/* Finds the parent directory of the place from `top`, the node of the path up to `at`. */
static memory_error place_find_below(struct memory_place *place, struct memory_node *top,
                                     const char *at) {
  memory_error error = memory_tree_walk(top, at, parent_end(place), &place->parent, NULL);
  if (error) return error == MEMORY_MISSING ? MEMORY_NO_PARENT : error;
  if (place->parent->is_link) return MEMORY_VIA_LINK;
  if (!place->parent->directory) return MEMORY_PARENT_IS_FILE;
  place_find_entry(place);
  return MEMORY_OK;
}

static memory_error place_find_top(struct memory_place *place, struct memory_node **slot) {
  place->slot = slot;
  place->node = *slot;
  return MEMORY_OK;
}

memory_error memory_place_find_in(struct memory_filesystem *filesystem, struct memory_scope *scope,
                                  const char *path, size_t length, struct memory_place *place) {
  struct memory_node *parent;
  *place = (struct memory_place){
      .filesystem = filesystem, .scope = scope, .path = path, .length = length};
  if (scope->length > 1) {
    memory_error error = memory_tree_parent(filesystem, scope->path, scope->length, &parent);
    if (error) return error;
  }
  if (length == scope->length) return place_find_top(place, &scope->node);
  if (!scope->node) return MEMORY_NO_PARENT;
  return place_find_below(place, scope->node, path + scope->length);
}

static memory_error find_directly(struct memory_filesystem *filesystem, const char *path,
                                  size_t length, struct memory_place *place) {
  struct memory_scope *scope = memory_scope_find(filesystem, path, length);
  if (scope) return memory_place_find_in(filesystem, scope, path, length, place);
  *place = (struct memory_place){.filesystem = filesystem, .path = path, .length = length};
  if (length == 1) return place_find_top(place, &filesystem->root);
  return place_find_below(place, filesystem->root, path);
}

static memory_error find_by_links(struct memory_filesystem *filesystem, const char *path,
                                  size_t length, bool follows, struct memory_place *place) {
  struct memory_route route = {.staged = true, .follows = follows};
  memory_error error = memory_route_find(filesystem, path, length, &route);
  if (error) return error;
  error = find_directly(filesystem, route.path, route.length, place);
  place->route = route; /* freed with the place */
  return error;
}

memory_error memory_place_find(struct memory_filesystem *filesystem, const char *path,
                               size_t length, bool follows, struct memory_place *place) {
  memory_error error = find_directly(filesystem, path, length, place);
  bool is_last = !error && follows && place->node && place->node->is_link;
  if (error != MEMORY_VIA_LINK && !is_last) return error;
  return find_by_links(filesystem, path, length, follows, place);
}

/* Replaces a node that the transaction shares with a clone that it owns. */
static memory_error own_node(struct memory_node **slot, uint64_t owner) {
  struct memory_node *clone;
  if ((*slot)->owner == owner) return MEMORY_OK;
  memory_error error = memory_node_clone(*slot, owner, &clone);
  if (error) return error;
  memory_node_release(*slot);
  *slot = clone;
  return MEMORY_OK;
}

/* Does so for each directory from the top of the scope down to the parent. */
static memory_error place_own(struct memory_place *place) {
  struct memory_node **slot = &place->scope->node;
  const char *at = place->path + place->scope->length, *end = parent_end(place);
  struct memory_name name;
  for (;;) {
    memory_error error = own_node(slot, memory_place_owner(place));
    if (error) return error;
    if (!memory_path_next(&at, end, &name)) break;
    slot = &memory_directory_find((*slot)->directory, name)->node;
  }
  place->parent = *slot;
  place_find_entry(place);
  return MEMORY_OK;
}

memory_error memory_place_own(struct memory_place *place) {
  if (!place->scope || place->node->owner == memory_place_owner(place)) return MEMORY_OK;
  memory_error error = memory_place_prepare(place);
  struct memory_node **slot = place->slot ? place->slot : &place->entry->node;
  if (!error) error = own_node(slot, memory_place_owner(place));
  if (!error) place->node = *slot;
  return error;
}

memory_error memory_place_prepare(struct memory_place *place) {
  if (place->slot) return MEMORY_OK;
  memory_error error = place->scope ? place_own(place) : MEMORY_OK;
  if (error || place->entry) return error;
  place->spare = memory_entry_new(memory_path_base(place->path, place->length), NULL);
  return place->spare ? MEMORY_OK : MEMORY_NO_MEMORY;
}

void memory_place_link(struct memory_place *place, struct memory_node *node) {
  struct memory_node **slot = place->slot;
  if (!slot && !place->entry) {
    place->entry = place->spare;
    place->spare = NULL;
    memory_directory_insert(place->parent->directory, place->entry);
  }
  if (!slot) slot = &place->entry->node;
  place->displaced = *slot;
  place->node = *slot = node;
  if (place->parent) memory_node_touch(place->parent);
}

void memory_place_unlink(struct memory_place *place) {
  place->displaced = place->node;
  place->node = NULL;
  if (place->slot) {
    *place->slot = NULL;
    return;
  }
  memory_directory_remove(place->parent->directory, place->entry);
  memory_entry_free(place->entry);
  place->entry = NULL;
  memory_node_touch(place->parent);
}

bool memory_place_is_root(const struct memory_place *place) {
  return place->length == 1;
}

uint64_t memory_place_owner(const struct memory_place *place) {
  return place->scope ? place->scope->transaction->serial : 0;
}

void memory_place_fini(struct memory_place *place) {
  memory_entry_free(place->spare);
  memory_node_release(place->displaced);
  memory_route_fini(&place->route);
}

memory_error memory_place_change(const TF_Filesystem *filesystem, const char *path, bool follows,
                                 memory_change change, void *context) {
  struct memory_place place = {0};
  size_t length;
  memory_error error = memory_path_check(path, &length);
  if (error) return error;
  memory_lock_tree();
  error = memory_place_find(memory_filesystem_of(filesystem), path, length, follows, &place);
  if (!error) error = change(&place, context);
  memory_unlock_tree();
  memory_place_fini(&place);
  return error;
}
