#include "directory.h"
#include "filesystem.h"
#include "fs.h"
#include "lock.h"
#include "names.h"
#include "node.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* The lock is held for that many entries at most. */
enum { ENTRIES_AT_ONCE = 256 };

/* A cursor is the last name returned, so entries may be created and deleted on both sides of it. */
struct memory_cursor {
  struct memory_node *node;
  size_t length;
  char name[MEMORY_NAME_MAX + 1];
};

static memory_error open_node(const TF_Filesystem *filesystem, const char *path,
                              struct memory_node **node) {
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), path, node);
  return !error && !(*node)->directory ? MEMORY_IS_FILE : error;
}

static struct memory_listing *take_listing(struct memory_node *node) {
  memory_lock_tree();
  struct memory_listing *listing = memory_directory_list(node->directory);
  memory_unlock_tree();
  return listing;
}

static memory_error collect(struct memory_node *node, struct memory_names *names) {
  struct memory_listing *listing = take_listing(node);
  memory_error error = listing ? memory_names_reserve(names, listing->count) : MEMORY_NO_MEMORY;
  for (const char *name = listing ? listing->text : NULL; !error && name < listing->end;) {
    size_t length = strlen(name);
    char *copy;
    error = memory_names_add(names, length, &copy);
    if (!error) memcpy(copy, name, length);
    name += length + 1;
  }
  memory_listing_release(listing);
  return error;
}

int memory_fs_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                           TF_Status *status) {
  struct memory_names names = {0};
  struct memory_node *node = NULL;
  memory_error error = open_node(filesystem, path, &node);
  if (!error) error = collect(node, &names);
  memory_node_release(node);
  return memory_names_give(&names, error, entries, status);
}

void memory_fs_open_directory(const TF_Filesystem *filesystem, const char *path,
                              modfs_directory *directory, TF_Status *status) {
  struct memory_cursor *self = calloc(1, sizeof(*self));
  memory_error error = MEMORY_NO_MEMORY;
  directory->plugin_directory = self;
  if (self) error = open_node(filesystem, path, &self->node);
  if (error) memory_fs_close_directory(directory);
  memory_error_report(error, status);
}

static const struct memory_entry *entry_after(const struct memory_cursor *self) {
  return memory_directory_after(self->node->directory,
                                (struct memory_name){self->name, self->length});
}

static void move_to(struct memory_cursor *self, const struct memory_entry *entry) {
  self->length = entry->length;
  memcpy(self->name, memory_entry_name(entry), (size_t)entry->length + 1);
}

bool memory_fs_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                          TF_Status *status) {
  struct memory_cursor *self = directory->plugin_directory;
  (void)status;
  memory_lock_tree();
  const struct memory_entry *next = entry_after(self);
  if (next) {
    move_to(self, next);
    entry->kind = memory_node_kind(next->node);
  }
  memory_unlock_tree();
  if (next) entry->name = self->name;
  return next != NULL;
}

/* Packs one entry; returns how many bytes it takes, 0 when there is no room. */
static size_t pack(const struct memory_entry *entry, char *to, size_t room) {
  size_t size = (size_t)entry->length + 1;
  if (room <= size) return 0;
  to[0] = (char)memory_node_kind(entry->node);
  memcpy(to + 1, memory_entry_name(entry), size);
  return size + 1;
}

size_t memory_fs_next_entries(const modfs_directory *directory, char *block, size_t size,
                              TF_Status *status) {
  struct memory_cursor *self = directory->plugin_directory;
  const struct memory_entry *last = NULL;
  size_t used = 0, taken = 1;
  (void)status;
  memory_lock_tree();
  const struct memory_entry *next = entry_after(self);
  for (size_t i = 0; next && taken > 0 && i < ENTRIES_AT_ONCE; i++) {
    taken = pack(next, block + used, size - used);
    if (taken > 0) last = next;
    used += taken;
    next = next->next[0];
  }
  if (last) move_to(self, last);
  memory_unlock_tree();
  return used;
}

void memory_fs_close_directory(modfs_directory *directory) {
  struct memory_cursor *self = directory->plugin_directory;
  if (!self) return;
  memory_node_release(self->node);
  free(self);
  directory->plugin_directory = NULL;
}
