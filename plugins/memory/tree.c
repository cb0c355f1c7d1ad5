/* Lookup of nodes by path.
 *
 * This file has no state. It reads directories, which change under the tree lock only, so walk and
 * parent need that lock, and what they return is borrowed: it stays valid while the lock is held.
 * memory_tree_open takes the lock itself and adds a reference, which outlives the lock.
 *
 * Names are walked without links; where one is met, the way is taken from route.c, and walked again.
 *
 * A walk from the filesystem's root sees committed nodes alone, as every reader does; from a scope's
 * node it sees that staged version. It never mixes the two: what a transaction stages is reached from
 * its scope only (place.c). Fork: nothing to do beyond lock.c. */
#include "tree.h"

#include "directory.h"
#include "filesystem.h"
#include "lock.h"
#include "node.h"
#include "route.h"

memory_error memory_tree_walk(struct memory_node *from, const char *at, const char *end,
                              struct memory_node **node, const char **missing) {
  struct memory_name name;
  while (memory_path_next(&at, end, &name)) {
    if (!from->directory) return from->is_link ? MEMORY_VIA_LINK : MEMORY_PARENT_IS_FILE;
    const struct memory_entry *entry = memory_directory_find(from->directory, name);
    if (!entry) {
      if (missing) *missing = at;
      return at == end ? MEMORY_MISSING : MEMORY_NO_PARENT;
    }
    from = entry->node;
  }
  *node = from;
  return MEMORY_OK;
}

memory_error memory_tree_parent(const struct memory_filesystem *filesystem, const char *path,
                                size_t length, struct memory_node **parent) {
  const char *end = path + memory_path_parent_length(path, length);
  memory_error error = memory_tree_walk(filesystem->root, path, end, parent, NULL);
  if (error) return error == MEMORY_MISSING ? MEMORY_NO_PARENT : error;
  if ((*parent)->is_link) return MEMORY_VIA_LINK;
  return (*parent)->directory ? MEMORY_OK : MEMORY_PARENT_IS_FILE;
}

memory_error memory_tree_find(const struct memory_filesystem *filesystem, const char *path,
                              size_t length, bool follows, struct memory_node **node) {
  struct memory_route route = {.follows = follows};
  struct memory_node *found;
  memory_error error = memory_tree_walk(filesystem->root, path, path + length, &found, NULL);
  if (error == MEMORY_VIA_LINK || (!error && follows && found->is_link)) {
    error = memory_route_find(filesystem, path, length, &route);
    if (error) return error;
    error = memory_tree_walk(filesystem->root, route.path, route.path + route.length, &found, NULL);
    memory_route_fini(&route);
  }
  if (!error) *node = found;
  return error;
}

static memory_error open_node(const struct memory_filesystem *filesystem, const char *path,
                              bool follows, struct memory_node **node) {
  size_t length;
  memory_error error = memory_path_check(path, &length);
  if (error) return error;
  memory_lock_tree();
  error = memory_tree_find(filesystem, path, length, follows, node);
  if (!error) memory_node_share(*node);
  memory_unlock_tree();
  return error;
}

memory_error memory_tree_open_entry(const struct memory_filesystem *filesystem, const char *path,
                                    struct memory_node **node) {
  return open_node(filesystem, path, false, node);
}

memory_error memory_tree_open(const struct memory_filesystem *filesystem, const char *path,
                              struct memory_node **node) {
  return open_node(filesystem, path, true, node);
}

memory_error memory_tree_blame_link(const struct memory_filesystem *filesystem, const char *path,
                                    memory_error error) {
  struct memory_node *node = NULL;
  if (error != MEMORY_NO_PARENT) return error;
  bool is_link = memory_tree_open_entry(filesystem, path, &node) == MEMORY_OK && node->is_link;
  memory_node_release(node);
  return is_link ? MEMORY_BROKEN_LINK : error;
}
