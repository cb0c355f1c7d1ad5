/* Symbolic links below the root of a copy.
 *
 * A link that is kept is read in the open directory of the source and created in that of the target.
 * One that is followed within the source goes its way name by name from open directories, each
 * queried before it is entered, so that neither a link on the way nor anyone who exchanges entries
 * meanwhile leads out of the root. Where links are followed everywhere (MODFS_LINKS_FOLLOW), a
 * directory is opened by its path, and compared with those above it. */
#include "tree_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/status.h"
#include "tree_attributes.h"
#include "tree_target.h"

enum { MOST_LINKS = 40, MOST_TRIES = 100 };

char *tree_read_link(tree_worker *worker, tree_node *node, int side, const char *name) {
  const fs_directory *self = tree_open(worker, node, side);
  char *text = self ? directory_read_link(self, name, worker->status) : NULL;
  if (!text) tree_fail(worker, node, side, name);
  return text;
}

/* Keeping -------------------------------------------------------------------------------- */

/* What the link says now; NULL: it is no link any more. */
static char *present_text(tree_worker *worker, const fs_directory *to, const char *name) {
  char *text = directory_read_link(to, name, worker->status);
  if (TF_GetCode(worker->status) == TF_FAILED_PRECONDITION)
    TF_SetStatus(worker->status, TF_FAILED_PRECONDITION,
                 "the target is not a symbolic link; it was not replaced");
  return text;
}

/* In one step where directories are handles: by a name of the operation's own. */
static void relink(tree_worker *worker, const fs_directory *to, const char *name,
                   const char *text) {
  char temporary[64];
  const char *beside = directory_is_path(to->fs) ? NULL : temporary;
  int tries = 0;
  do {
    snprintf(temporary, sizeof temporary, ".modfs-link-%ld-%llu", (long)getpid(),
             (unsigned long long)tree_number(worker->tree));
    directory_relink(to, name, text, beside, worker->status);
  } while (beside && TF_GetCode(worker->status) == TF_ALREADY_EXISTS && ++tries < MOST_TRIES);
}

bool tree_put_link(tree_worker *worker, tree_node *node, const char *name, const char *text) {
  const fs_directory *to = tree_open(worker, node, 1);
  if (to) directory_link(to, name, text, worker->status);
  if (to && TF_GetCode(worker->status) == TF_ALREADY_EXISTS) {
    char *present = present_text(worker, to, name);
    if (present && strcmp(present, text) != 0) relink(worker, to, name, text);
    free(present);
  }
  if (status_ok(worker->status)) return true;
  tree_fail(worker, node, 1, name);
  return false;
}

/* A link has no mode. */
void tree_keep_link(tree_worker *worker, tree_node *node, const char *name) {
  const modfs_tree *tree = worker->tree;
  modfs_attributes own, there;
  if (!(tree->wanted & ~(uint64_t)MODFS_ATTRIBUTE_MODE)) return;
  const fs_directory *from = tree_open(worker, node, 0), *to = tree_open(worker, node, 1);
  if (from && to) directory_attributes(from, name, &own, worker->status);
  if (!from || !to || !status_ok(worker->status)) return;
  fs_wanted wanted = tree_want(tree, &own);
  wanted.which &= ~(uint64_t)MODFS_ATTRIBUTE_MODE;
  directory_attributes(to, name, &there, worker->status);
  if (status_ok(worker->status)) tree_drop_equal(&wanted, &there);
  wanted.which |= MODFS_ATTRIBUTE_OF_LINK;
  tree_set(worker, node, name, &wanted);
}

/* Following within the tree --------------------------------------------------------------- */

/* The way to the end of a link. */
typedef struct chase {
  tree_worker *worker;
  tree_place *place; /* the directory that was reached */
  char *done;        /* its path below the root, without slashes at its ends; "": the root */
  char *rest;        /* what is to be gone from there */
  int links;
} chase;

static const char leads_out[] = "symbolic link that leads out of the tree, which is not followed";

static void refuse(const chase *way, const char *what) {
  TF_SetStatus(way->worker->status, TF_FAILED_PRECONDITION, what);
}

/* Takes a string in place of another one; NULL: memory is short. */
static bool replace(const chase *way, char **string, char *by) {
  if (!by) status_no_memory(way->worker->status);
  free(*string);
  *string = by;
  return by != NULL;
}

static char *join(const char *a, const char *b) {
  char *joined = malloc(strlen(a) + strlen(b) + 2);
  if (joined) stpcpy(stpcpy(stpcpy(joined, a), *a && *b ? "/" : ""), b);
  return joined;
}

static void leave_directory(const chase *way) {
  if (way->place->owned) directory_close(&way->place->directory);
  way->place->owned = false;
}

/* Enters the directory that has this name in the present one. */
static bool enter_below(const chase *way, const char *name) {
  fs_directory below;
  directory_open_below(&way->place->directory, name, &below, way->worker->status);
  if (!status_ok(way->worker->status)) return false;
  leave_directory(way);
  way->place->directory = below;
  way->place->owned = true;
  return true;
}

static bool enter_root(const chase *way) {
  tree_node *root = way->worker->pinned[0];
  while (root->parent)
    root = root->parent;
  const fs_directory *self = tree_open(way->worker, root, 0);
  leave_directory(way);
  if (self) way->place->directory = *self;
  return self != NULL;
}

/* Takes the next name from the front of a path; NULL at its end, or without memory. */
static char *take_name(const chase *way, char **path) {
  size_t slashes = strspn(*path, "/"), length = strcspn(*path + slashes, "/");
  char *name = length > 0 ? strndup(*path + slashes, length) : NULL;
  if (length > 0 && !name) status_no_memory(way->worker->status);
  memmove(*path, *path + slashes + length, strlen(*path + slashes + length) + 1);
  return name;
}

/* Goes from the root to the path done, each name of which is a directory. */
static bool enter_again(const chase *way) {
  char *path = strdup(way->done);
  bool fine = path && enter_root(way);
  if (!path) status_no_memory(way->worker->status);
  for (char *name; fine && (name = take_name(way, &path));) {
    fine = enter_below(way, name);
    free(name);
  }
  free(path);
  return fine && status_ok(way->worker->status);
}

static bool go_up(const chase *way) {
  char *slash = strrchr(way->done, '/');
  if (*way->done == '\0') refuse(way, leads_out);
  if (*way->done == '\0') return false;
  *(slash ? slash : way->done) = '\0';
  return enter_again(way);
}

/* The part of an absolute target below the root; NULL: it leads out, or without memory. */
static const char *below_root(const chase *way, const char *text) {
  const tree_side *from = &way->worker->tree->sides[0];
  TF_Status *status = way->worker->status;
  char *absolute = modfs_path_absolute(from->root, status);
  const char *root = absolute ? fs_enter(from->fs, absolute, status) : NULL;
  size_t length = root ? strlen(root) : 0;
  while (length > 0 && root[length - 1] == '/')
    length--;
  bool below = root && strncmp(text, root, length) == 0 && (text[length] == '/' || !text[length]);
  if (root && !below) refuse(way, leads_out);
  if (absolute) fs_free_name(from->fs, absolute, root);
  free(absolute);
  return below ? text + length : NULL;
}

/* Goes on where a link leads. */
static bool take_link(chase *way, const char *name) {
  char *text = directory_read_link(&way->place->directory, name, way->worker->status);
  bool fine = text && ++way->links <= MOST_LINKS;
  if (text && !fine) refuse(way, "too many levels of symbolic links");
  if (fine && *text == '/') {
    const char *below = below_root(way, text);
    *way->done = '\0';
    fine = below && replace(way, &way->rest, join(below, way->rest)) && enter_root(way);
  } else if (fine) {
    fine = replace(way, &way->rest, join(text, way->rest));
  }
  free(text);
  return fine;
}

static bool is_end(const char *rest) {
  return rest[strspn(rest, "/")] == '\0';
}

/* Goes one name on. Whether there is more to go; the place has its name at the end. */
static bool take_step(chase *way, char *name) {
  modfs_attributes attributes;
  TF_Status *status = way->worker->status;
  if (strcmp(name, ".") == 0) return true;
  if (strcmp(name, "..") == 0) return go_up(way);
  directory_attributes(&way->place->directory, name, &attributes, status);
  if (!status_ok(status)) return false;
  if (attributes.kind == MODFS_KIND_LINK) return take_link(way, name);
  if (attributes.kind == MODFS_KIND_DIRECTORY)
    return enter_below(way, name) && replace(way, &way->done, join(way->done, name));
  if (*way->rest == '\0')
    way->place->name = strdup(name);
  else
    refuse(way, "the symbolic link leads through a file");
  if (*way->rest == '\0' && !way->place->name) status_no_memory(status);
  return false;
}

static void follow(chase *way) {
  char *name;
  bool more = true;
  while (more && (name = take_name(way, &way->rest))) {
    more = take_step(way, name);
    free(name);
  }
  if (more && status_ok(way->worker->status) && is_end(way->rest))
    refuse(way, "symbolic link to a directory, which is not followed");
}

/* The path of a node below the root. */
static char *path_below(tree_worker *worker, const tree_node *node) {
  const char *path = tree_path_of(worker, 0, node, "");
  return path ? strdup(node->length > 0 ? path + strlen(path) - node->length : "") : NULL;
}

bool tree_find_end(tree_worker *worker, tree_node *node, const char *name, tree_place *place) {
  chase way = {.worker = worker, .place = place};
  *place = (tree_place){.name = NULL};
  const fs_directory *self = tree_open(worker, node, 0);
  if (self) {
    place->directory = *self;
    way.done = path_below(worker, node);
    way.rest = strdup(name);
    if (way.done && way.rest)
      follow(&way);
    else
      status_no_memory(worker->status);
  }
  free(way.done);
  free(way.rest);
  if (place->name) return true;
  tree_place_fini(place);
  tree_fail(worker, node, 0, name);
  return false;
}

void tree_place_fini(tree_place *place) {
  if (place->owned) directory_close(&place->directory);
  free(place->name);
  *place = (tree_place){.name = NULL};
}

/* Following everywhere ----------------------------------------------------------------------- */

/* Where directories have no identity, many links on one way mean a circle. */
bool tree_is_circle(tree_worker *worker, tree_node *node) {
  const modfs_attributes *own = node->own;
  bool known = own->device || own->inode, circle = false;
  int links = 0;
  for (const tree_node *at = node->parent; at && !circle; at = at->parent) {
    links += at->linked;
    circle = known && at->own && at->own->device == own->device && at->own->inode == own->inode;
  }
  if (circle || links >= MOST_LINKS)
    tree_refuse(worker, node, 0, "", "symbolic link to a directory above it: it has no end");
  return circle || links >= MOST_LINKS;
}
