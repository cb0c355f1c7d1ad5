/* Following links.
 *
 * A walk has two texts: the route so far, which has no links, and the rest, which is text of the
 * path and of targets. A name moves from the rest to the route; a link is replaced, in the rest, by
 * its target. `nodes` has the node of "/" and of each name of the route, NULL where nothing exists,
 * so that ".." costs a step and no walk from the root.
 *
 * With `staged`, a node that is the top of a scope is the staged one, and what lies below it is
 * reached from there. So writers see the links of their transaction, and readers the committed ones.
 *
 * All of it is under the tree lock, and nodes are borrowed. What is allocated here is freed here,
 * but the route's path, which is the caller's. Fork: nothing to do beyond lock.c. */
#include "route.h"

#include "directory.h"
#include "filesystem.h"
#include "node.h"
#include "scope.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 40 };

struct walk {
  const struct memory_filesystem *filesystem;
  struct memory_route *route;
  struct memory_node **nodes;
  size_t depth; /* of the route: nodes[depth] is where the walk stands */
  size_t room;
  char *rest;
  const char *at; /* what is left of the rest */
  const char *end;
  size_t own; /* bytes at its end that are the path's, not a target's */
  int links;
  bool below_file; /* the route goes on below a file, where nothing can be */
};

/* The staged node where the route is the top of a scope. */
static struct memory_node *present_node(const struct walk *walk, struct memory_node *committed) {
  const struct memory_route *route = walk->route;
  if (!route->staged || walk->filesystem->scope_count == 0) return committed;
  const char *path = route->length ? route->path : "/";
  size_t length = route->length ? route->length : 1;
  const struct memory_scope *scope = memory_scope_find(walk->filesystem, path, length);
  return scope && scope->length == length ? scope->node : committed;
}

static memory_error put_node(struct walk *walk, size_t depth, struct memory_node *node) {
  if (depth >= walk->room) {
    size_t room = walk->room ? 2 * walk->room : 64;
    struct memory_node **nodes = realloc(walk->nodes, room * sizeof(struct memory_node *));
    if (!nodes) return MEMORY_NO_MEMORY;
    walk->nodes = nodes;
    walk->room = room;
  }
  walk->nodes[depth] = node;
  walk->depth = depth;
  return MEMORY_OK;
}

static void drop_name(struct memory_route *route) {
  const char *slash = memrchr(route->path, '/', route->length);
  route->length = slash ? (size_t)(slash - route->path) : 0;
}

/* "." and ".." are names of directories alone. */
static memory_error step_dots(struct walk *walk, size_t dots) {
  const struct memory_node *here = walk->nodes[walk->depth];
  if (!here && !walk->below_file) return MEMORY_NO_PARENT;
  if (!here || !here->directory) return MEMORY_PARENT_IS_FILE;
  if (dots == 2 && walk->depth > 0) {
    drop_name(walk->route);
    walk->depth--;
  }
  return MEMORY_OK;
}

static size_t scheme_of(const char *target) {
  size_t length = memory_path_scheme_length(target);
  return length > 0 && strncmp(target, "mem:", 4) == 0 ? length : 0;
}

/* Puts the target of a link before what is left of the rest. */
static memory_error follow(struct walk *walk, const struct memory_node *link) {
  const char *target = link->content->data;
  size_t scheme = scheme_of(target), length = link->length, left = (size_t)(walk->end - walk->at);
  if (++walk->links > MOST_LINKS) return MEMORY_LOOP;
  char *rest = malloc(length + left + 2), *out = rest;
  if (!rest) return MEMORY_NO_MEMORY;
  out = mempcpy(out, target + scheme, length - scheme);
  if (left == 0 && target[length - 1] == '/') *out++ = '.'; /* the slash wants a directory */
  out = mempcpy(out, walk->at, left);
  free(walk->rest);
  walk->rest = rest;
  walk->at = rest;
  walk->end = out;
  if (left < walk->own) walk->own = left;
  if (left == 0) walk->route->leads = true;
  if (scheme > 0 || *target == '/') walk->depth = walk->route->length = 0;
  return MEMORY_OK;
}

static memory_error add_name(struct memory_route *route, struct memory_name name) {
  if (name.length > MEMORY_NAME_MAX || route->length + 1 + name.length > MEMORY_PATH_MAX)
    return MEMORY_TOO_LONG;
  route->path[route->length] = '/';
  memcpy(route->path + route->length + 1, name.text, name.length);
  route->length += 1 + name.length;
  return MEMORY_OK;
}

static struct memory_node *child_of(const struct memory_node *above, struct memory_name name) {
  if (!above || !above->directory) return NULL;
  const struct memory_entry *entry = memory_directory_find(above->directory, name);
  return entry ? entry->node : NULL;
}

static memory_error step_name(struct walk *walk, struct memory_name name) {
  struct memory_route *route = walk->route;
  const struct memory_node *above = walk->nodes[walk->depth];
  size_t before = route->length, left = (size_t)(walk->end - walk->at);
  memory_error error = add_name(route, name);
  if (error) return error;
  struct memory_node *node = present_node(walk, child_of(above, name));
  if (node && node->is_link && (left > 0 || route->follows)) {
    route->length = before;
    return follow(walk, node);
  }
  if (!node && left >= walk->own) route->dangling = true;
  if (above && !above->directory) walk->below_file = true;
  return put_node(walk, walk->depth + 1, node);
}

static memory_error walk_all(struct walk *walk) {
  memory_error error = put_node(walk, 0, present_node(walk, walk->filesystem->root));
  struct memory_name name;
  while (!error && memory_path_next(&walk->at, walk->end, &name)) {
    bool dots = name.length <= 2 && memcmp(name.text, "..", name.length) == 0;
    error = dots ? step_dots(walk, name.length) : step_name(walk, name);
  }
  return error;
}

memory_error memory_route_find(const struct memory_filesystem *filesystem, const char *path,
                               size_t length, struct memory_route *route) {
  struct walk walk = {.filesystem = filesystem, .route = route, .own = length};
  memory_error error = MEMORY_NO_MEMORY;
  route->path = malloc(MEMORY_PATH_MAX + 1);
  walk.rest = strndup(path, length);
  if (route->path && walk.rest) {
    walk.at = walk.rest;
    walk.end = walk.rest + length;
    error = walk_all(&walk);
  }
  free(walk.nodes);
  free(walk.rest);
  if (error) {
    memory_route_fini(route);
    return error;
  }
  if (route->length == 0) route->path[route->length++] = '/';
  route->path[route->length] = '\0';
  return MEMORY_OK;
}

void memory_route_fini(struct memory_route *route) {
  free(route->path);
  route->path = NULL;
}
