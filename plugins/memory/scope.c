/* The scopes of a filesystem: which paths open transactions cover, and their staged versions.
 *
 * `scopes` is sorted by path, and no scope lies below another, whatever their transactions. So only
 * the last scope at or before a path can cover it, and those below it follow it without a gap.
 *
 * A scope's `node` is the root of its staged version, NULL where nothing is to exist. Staged and
 * committed version share every node that the transaction has not changed. Copy on write: a node is
 * changed in place only if its `owner` is the transaction's serial (see place.c), and a clone is
 * made of any other. Serials are not reused, so what a commit has published is nobody's own.
 *
 * Commit cannot fail: it exchanges two pointers, or links the `spare` entry that the scope has
 * allocated beforehand. It needs the parent in the committed tree, and nothing deletes a directory
 * that has a scope below it.
 *
 * Locks: all under the tree lock, but memory_scope_free, which needs none: it takes scopes that
 * detach has removed. Who frees: the filesystem owns the array, whoever detached a list frees it; a
 * scope owns one reference to its node, and its spare entry.
 * Fork: the tree lock is held meanwhile (lock.c); a child's transactions are independent copies. */
#include "scope.h"

#include "directory.h"
#include "filesystem.h"
#include "node.h"
#include "place.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* Counts the scopes at or before a path: only the last of them can cover it. */
static size_t scope_rank(const struct memory_filesystem *filesystem, const char *path,
                         size_t length) {
  size_t low = 0, high = filesystem->scope_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct memory_scope *scope = filesystem->scopes[middle];
    if (memory_path_compare(scope->path, scope->length, path, length) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct memory_scope *memory_scope_find(const struct memory_filesystem *filesystem, const char *path,
                                       size_t length) {
  size_t rank = scope_rank(filesystem, path, length);
  struct memory_scope *scope = rank ? filesystem->scopes[rank - 1] : NULL;
  return scope && memory_path_covers(scope->path, scope->length, path, length) ? scope : NULL;
}

static bool scope_at_is_below(const struct memory_filesystem *filesystem, size_t index,
                              const char *path, size_t length) {
  if (index >= filesystem->scope_count) return false;
  const struct memory_scope *scope = filesystem->scopes[index];
  return memory_path_covers(path, length, scope->path, scope->length);
}

bool memory_scope_is_below(const struct memory_filesystem *filesystem, const char *path,
                           size_t length) {
  return scope_at_is_below(filesystem, scope_rank(filesystem, path, length), path, length);
}

static bool scope_reserve(struct memory_filesystem *filesystem) {
  if (filesystem->scope_count < filesystem->scope_room) return true;
  size_t room = filesystem->scope_room ? 2 * filesystem->scope_room : 8;
  struct memory_scope **scopes = realloc(filesystem->scopes, room * sizeof(*scopes));
  if (!scopes) return false;
  filesystem->scopes = scopes;
  filesystem->scope_room = room;
  return true;
}

static struct memory_scope *scope_new(struct memory_filesystem *filesystem,
                                      struct memory_transaction *transaction, const char *path,
                                      size_t length) {
  struct memory_scope *scope = calloc(1, sizeof(*scope) + length + 1);
  struct memory_node *node = NULL;
  if (!scope) return NULL;
  scope->transaction = transaction;
  scope->length = length;
  memcpy(scope->path, path, length);
  scope->spare = length > 1 ? memory_entry_new(memory_path_base(path, length), NULL) : NULL;
  if (length > 1 && !scope->spare) {
    memory_scope_free(scope);
    return NULL;
  }
  if (memory_tree_walk(filesystem->root, path, path + length, &node, NULL) == MEMORY_OK)
    scope->node = memory_node_share(node);
  return scope;
}

/* Copies what a lower scope has staged into the new scope above it. */
static memory_error scope_absorb(struct memory_filesystem *filesystem, struct memory_scope *scope,
                                 const struct memory_scope *lower) {
  struct memory_place place = {0};
  memory_error error = memory_place_find_in(filesystem, scope, lower->path, lower->length, &place);
  if (error) return lower->node ? error : MEMORY_OK; /* nothing to delete where no parent is */
  if (place.node == lower->node) return MEMORY_OK;
  error = memory_place_prepare(&place);
  if (!error && lower->node) memory_place_link(&place, memory_node_share(lower->node));
  if (!error && !lower->node) memory_place_unlink(&place);
  memory_place_fini(&place);
  return error;
}

/* Replaces `count` scopes from `first` on with one scope, and frees them. */
static void scope_replace(struct memory_filesystem *filesystem, size_t first, size_t count,
                          struct memory_scope *scope) {
  struct memory_scope **at = filesystem->scopes + first;
  for (size_t i = 0; i < count; ++i)
    memory_scope_free(at[i]);
  memmove(at + 1, at + count, (filesystem->scope_count - first - count) * sizeof(*at));
  *at = scope;
  filesystem->scope_count = filesystem->scope_count - count + 1;
}

memory_error memory_scope_add(struct memory_filesystem *filesystem,
                              struct memory_transaction *transaction, const char *path,
                              size_t length) {
  const struct memory_scope *above = memory_scope_find(filesystem, path, length);
  size_t first = scope_rank(filesystem, path, length), count = 0;
  memory_error error = MEMORY_OK;
  if (above) return above->transaction == transaction ? MEMORY_OK : MEMORY_OVERLAPS;
  for (; scope_at_is_below(filesystem, first + count, path, length); ++count)
    if (filesystem->scopes[first + count]->transaction != transaction) return MEMORY_OVERLAPS;
  if (!scope_reserve(filesystem)) return MEMORY_NO_MEMORY;
  struct memory_scope *scope = scope_new(filesystem, transaction, path, length);
  if (!scope) return MEMORY_NO_MEMORY;
  for (size_t i = 0; i < count && !error; ++i)
    error = scope_absorb(filesystem, scope, filesystem->scopes[first + i]);
  if (error)
    memory_scope_free(scope);
  else
    scope_replace(filesystem, first, count, scope);
  return error;
}

static void swap_nodes(struct memory_node **a, struct memory_node **b) {
  struct memory_node *node = *a;
  *a = *b;
  *b = node;
}

/* Exchanges committed and staged version below a parent. No branch allocates, so none can fail. */
static void apply_below(struct memory_node *parent, struct memory_scope *scope) {
  struct memory_name name = memory_path_base(scope->path, scope->length);
  struct memory_entry *entry = memory_directory_find(parent->directory, name);
  if ((entry ? entry->node : NULL) == scope->node) return;
  if (entry && scope->node) {
    swap_nodes(&entry->node, &scope->node);
  } else if (entry) {
    memory_directory_remove(parent->directory, entry);
    scope->node = entry->node;
    memory_entry_free(entry);
  } else {
    swap_nodes(&scope->spare->node, &scope->node);
    memory_directory_insert(parent->directory, scope->spare);
    scope->spare = NULL;
  }
  memory_node_touch(parent);
}

void memory_scope_apply(struct memory_filesystem *filesystem, struct memory_scope *scope) {
  struct memory_node *parent;
  if (scope->length == 1)
    swap_nodes(&filesystem->root, &scope->node);
  else if (memory_tree_parent(filesystem, scope->path, scope->length, &parent) == MEMORY_OK)
    apply_below(parent, scope);
}

struct memory_scope *memory_scope_detach(struct memory_filesystem *filesystem,
                                         const struct memory_transaction *transaction) {
  struct memory_scope *list = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < filesystem->scope_count; ++i) {
    struct memory_scope *scope = filesystem->scopes[i];
    if (scope->transaction == transaction) {
      scope->next = list;
      list = scope;
    } else {
      filesystem->scopes[kept++] = scope;
    }
  }
  filesystem->scope_count = kept;
  return list;
}

void memory_scope_free(struct memory_scope *scopes) {
  while (scopes) {
    struct memory_scope *next = scopes->next;
    memory_node_release(scopes->node);
    memory_entry_free(scopes->spare);
    free(scopes);
    scopes = next;
  }
}
