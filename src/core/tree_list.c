#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

enum { PIECE = 64 }; /* entries that are listed in one go */

tree_node *tree_node_new(modfs_tree *tree, tree_node *parent, const char *name) {
  size_t size = strlen(name) + 1;
  tree_node *node = calloc(1, sizeof *node + size);
  if (!node) return NULL;
  node->parent = parent;
  node->below = 1;
  node->length = size - 1;
  if (parent && parent->length > 0) node->length += parent->length + 1;
  memcpy(node->name, name, size);
  tree_lock(tree);
  node->number = ++tree->numbers;
  tree_unlock(tree);
  return node;
}

void tree_settle(tree_hand *hand, tree_node *node, size_t n) {
  modfs_tree *tree = hand->tree;
  while (node) {
    tree_lock(tree);
    node->below -= n;
    bool done = node->below == 0, leaving = done && tree->ops->leave && !tree->cancelled;
    tree_unlock(tree);
    if (!done) return;
    if (leaving) tree->ops->leave(hand, node);
    tree_node *parent = node->parent;
    if (node->spoilt && parent) {
      tree_lock(tree);
      parent->spoilt = true;
      tree_unlock(tree);
    }
    free(node);
    node = parent;
    n = 1;
  }
}

static int kind_of(tree_hand *hand, tree_node *node, const modfs_entry *entry) {
  const modfs_fs *fs = hand->tree->sides[0].fs;
  if (entry->kind != MODFS_KIND_UNKNOWN) return entry->kind;
  const char *path = tree_path_of(hand, 0, node, entry->name);
  if (!path) return MODFS_KIND_OTHER;
  modfs_attributes attributes = {.kind = MODFS_KIND_UNKNOWN};
  if (fs->tells_links) {
    tree_look(fs, path, &attributes, hand->status);
    return status_ok(hand->status) ? attributes.kind : MODFS_KIND_OTHER;
  }
  bool directory = modfs_fs_is_directory(fs, path, hand->status);
  return directory ? MODFS_KIND_DIRECTORY : MODFS_KIND_UNKNOWN;
}

tree_item *tree_item_new(tree_node *node, const char *name, int kind) {
  size_t size = strlen(name) + 1;
  tree_item *item = malloc(sizeof *item + size);
  if (!item) return NULL;
  *item = (tree_item){NULL, node, kind};
  memcpy(item->name, name, size);
  return item;
}

static bool find(tree_hand *hand, tree_node *node, const modfs_entry *entry, tree_findings *found) {
  int kind = kind_of(hand, node, entry);
  if (kind == MODFS_KIND_DIRECTORY) {
    tree_node *folder = tree_node_new(hand->tree, node, entry->name);
    if (!folder) return false;
    *(found->folders ? &found->last_folder->next : &found->folders) = folder;
    found->last_folder = folder;
  } else if (found->item_count >= found->room) {
    if (!hand->tree->cancelled) hand->tree->ops->entry(hand, node, entry->name, kind);
    found->spare--;
    return true;
  } else {
    tree_item *item = tree_item_new(node, entry->name, kind);
    if (!item) return false;
    *(found->items ? &found->last_item->next : &found->items) = item;
    found->last_item = item;
    found->item_count++;
  }
  found->count++;
  return true;
}

bool tree_list_piece(tree_hand *hand, tree_node *node, tree_findings *found) {
  modfs_entry entry;
  for (int i = 0; i < PIECE && found->spare > 0; i++) {
    bool more = modfs_listing_next(node->listing, &entry, hand->status);
    if (more && !find(hand, node, &entry, found)) {
      more = false;
      status_no_memory(hand->status);
      status_locate(hand->status, "list", hand->tree->sides[0].root);
    }
    if (!more && !status_ok(hand->status)) {
      const char *path = tree_path_of(hand, 0, node, "");
      if (path) tree_note(hand, node, path);
    }
    if (!more) return false;
  }
  return true;
}

bool tree_begin(tree_hand *hand, tree_node *node) {
  const tree_ops *ops = hand->tree->ops;
  node->entered = true;
  if (ops->enter && !ops->enter(hand, node)) return false;
  const char *path = tree_path_of(hand, 0, node, "");
  if (!path) return false;
  node->listing = modfs_listing_open(hand->tree->sides[0].fs, path, hand->status);
  if (node->listing) return true;
  node->gone = TF_GetCode(hand->status) == TF_NOT_FOUND && node->parent && ops->may_vanish;
  if (!node->gone) tree_note(hand, node, path);
  return false;
}
