/* Nodes: files, directories and links, counted by reference.
 *
 * Constant once a node is linked into a tree: filesystem, number, owner, whether it is a directory
 * or a link, and all of a link's content. A transaction's clone keeps the number of its original, so both have the same bytes
 * lock; `owner` tells which transaction may change the clone in place (0: none).
 *
 * Locks: `content`, `length` and `xattrs` with its size are under the bytes lock of the number, a directory's entries under
 * the tree lock. `references`, `mode` and both times are atomics. Order: tree lock, then bytes lock, as in
 * lock.h; cloning a file takes the bytes lock while the caller holds the tree lock.
 *
 * Memory limit: the length of every live node and of its extended attributes is charged to the filesystem, also where clones share
 * their bytes. append and clone charge first and change afterwards, so a failure changes nothing.
 *
 * Who frees: the last release, without a lock, because nobody else can reach the node any more. It
 * frees everything below whose last reference that was, over a list instead of by recursion: trees
 * may be deep. The nodes of a filesystem must be released before it is.
 * Fork: all locks are held meanwhile (lock.c); nothing here belongs to a process. */
#include "node.h"

#include "directory.h"
#include "filesystem.h"
#include "lock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The modes of new nodes, as under the usual umask; set-id bits are not carried over. */
enum { FILE_MODE = 0644, DIRECTORY_MODE = 0755, LINK_MODE = 0777, COPIED_BITS = 0777 };

static atomic_uint_fast64_t last_number;

static uint64_t next_number(void) {
  return atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
}

void memory_node_touch(struct memory_node *node) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  atomic_store_explicit(&node->mtime_nsec, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec,
                        memory_order_relaxed);
}

struct memory_node *memory_node_new_file(struct memory_filesystem *filesystem, uint64_t owner) {
  struct memory_node *node = calloc(1, sizeof(*node));
  if (!node) return NULL;
  atomic_init(&node->references, 1);
  node->filesystem = filesystem;
  node->number = next_number();
  node->owner = owner;
  node->mode = FILE_MODE;
  memory_node_touch(node);
  node->atime_nsec = node->mtime_nsec;
  return node;
}

struct memory_node *memory_node_new_directory(struct memory_filesystem *filesystem,
                                              uint64_t owner) {
  struct memory_node *node = memory_node_new_file(filesystem, owner);
  if (!node) return NULL;
  node->mode = DIRECTORY_MODE;
  node->directory = memory_directory_new();
  if (node->directory) return node;
  memory_node_release(node);
  return NULL;
}

memory_error memory_node_new_link(struct memory_filesystem *filesystem, uint64_t owner,
                                  const char *target, struct memory_node **link) {
  struct memory_node *node = memory_node_new_file(filesystem, owner);
  size_t length;
  if (!node) return MEMORY_NO_MEMORY;
  memory_error error = memory_node_append(node, target, strlen(target), &length);
  if (error) {
    memory_node_release(node);
    return error;
  }
  node->is_link = true;
  node->mode = LINK_MODE;
  *link = node;
  return MEMORY_OK;
}

struct memory_node *memory_node_share(struct memory_node *node) {
  if (node) atomic_fetch_add_explicit(&node->references, 1, memory_order_relaxed);
  return node;
}

/* Drops a reference; adds the node to the list of nodes to free when it was the last one. */
static void node_drop(struct memory_node *node, void *dead) {
  struct memory_node **list = dead;
  if (atomic_fetch_sub_explicit(&node->references, 1, memory_order_acq_rel) != 1) return;
  node->next_dead = *list;
  *list = node;
}

void memory_node_release(struct memory_node *node) {
  struct memory_node *dead = NULL;
  if (node) node_drop(node, &dead);
  while (dead) {
    node = dead;
    dead = node->next_dead;
    memory_directory_free(node->directory, node_drop, &dead);
    memory_content_release(node->content);
    memory_content_release(node->xattrs);
    memory_filesystem_discharge(node->filesystem, node->length + node->xattrs_size);
    free(node);
  }
}

void memory_node_inherit(struct memory_node *node, const struct memory_node *replaced) {
  node->mode = replaced->mode & COPIED_BITS;
}

void memory_node_set_attributes(struct memory_node *node, const modfs_attributes *attributes,
                                uint64_t which) {
  if (which & MODFS_ATTRIBUTE_MODE) node->mode = attributes->mode & 07777;
  if (which & MODFS_ATTRIBUTE_MTIME) node->mtime_nsec = attributes->mtime_nsec;
  if (which & MODFS_ATTRIBUTE_ATIME) node->atime_nsec = attributes->atime_nsec;
}

struct memory_content *memory_node_xattrs(struct memory_node *node, size_t *size) {
  memory_lock_bytes(node->number);
  struct memory_content *xattrs = memory_content_share(node->xattrs);
  *size = node->xattrs_size;
  memory_unlock_bytes(node->number);
  return xattrs;
}

memory_error memory_node_set_xattrs(struct memory_node *node, const char *block, size_t size) {
  struct memory_content *xattrs = NULL, *old;
  if (!memory_filesystem_charge(node->filesystem, size)) return MEMORY_LIMIT;
  if (size > 0 && !memory_content_extend(&xattrs, 0, size)) {
    memory_filesystem_discharge(node->filesystem, size);
    return MEMORY_NO_MEMORY;
  }
  if (size > 0) memory_content_write(xattrs, 0, block, size);
  memory_lock_bytes(node->number);
  old = node->xattrs;
  size_t old_size = node->xattrs_size;
  node->xattrs = xattrs;
  node->xattrs_size = size;
  memory_unlock_bytes(node->number);
  memory_content_release(old);
  memory_filesystem_discharge(node->filesystem, old_size);
  return MEMORY_OK;
}

int memory_node_kind(const struct memory_node *node) {
  if (node->directory) return MODFS_KIND_DIRECTORY;
  return node->is_link ? MODFS_KIND_LINK : MODFS_KIND_FILE;
}

size_t memory_node_length(struct memory_node *node) {
  memory_lock_bytes(node->number);
  size_t length = node->length;
  memory_unlock_bytes(node->number);
  return length;
}

struct memory_content *memory_node_content(struct memory_node *node, size_t *length) {
  memory_lock_bytes(node->number);
  struct memory_content *content = memory_content_share(node->content);
  *length = node->length;
  memory_unlock_bytes(node->number);
  return content;
}

bool memory_node_terminated_content(struct memory_node *node, struct memory_content **content,
                                    size_t *length) {
  memory_lock_bytes(node->number);
  bool done = !node->content || memory_content_isolate(&node->content, node->length);
  if (done) *content = memory_content_share(node->content);
  *length = node->length;
  memory_unlock_bytes(node->number);
  return done;
}

static memory_error clone_content(struct memory_node *node, struct memory_node *clone) {
  size_t length;
  if (node->directory) {
    clone->directory = memory_directory_clone(node->directory);
    return clone->directory ? MEMORY_OK : MEMORY_NO_MEMORY;
  }
  struct memory_content *content = memory_node_content(node, &length);
  if (!memory_filesystem_charge(node->filesystem, length)) {
    memory_content_release(content);
    return MEMORY_LIMIT;
  }
  clone->content = content;
  clone->length = length;
  return MEMORY_OK;
}

memory_error memory_node_copy(struct memory_node *node, uint64_t owner, struct memory_node **copy) {
  struct memory_node *twin = memory_node_new_file(node->filesystem, owner);
  if (!twin) return MEMORY_NO_MEMORY;
  twin->mode = node->mode & COPIED_BITS;
  memory_error error = clone_content(node, twin);
  if (error)
    memory_node_release(twin);
  else
    *copy = twin;
  return error;
}

memory_error memory_node_clone(struct memory_node *node, uint64_t owner,
                               struct memory_node **clone) {
  size_t size;
  memory_error error = memory_node_copy(node, owner, clone);
  if (error) return error;
  struct memory_content *xattrs = memory_node_xattrs(node, &size);
  if (xattrs && !memory_filesystem_charge(node->filesystem, size)) {
    memory_content_release(xattrs);
    memory_node_release(*clone);
    return MEMORY_LIMIT;
  }
  (*clone)->xattrs = xattrs;
  (*clone)->xattrs_size = size;
  (*clone)->number = node->number;
  (*clone)->is_link = node->is_link;
  (*clone)->mode = node->mode;
  (*clone)->mtime_nsec = node->mtime_nsec;
  (*clone)->atime_nsec = node->atime_nsec;
  return MEMORY_OK;
}

/* Charge, extend, write: what has failed before the write is undone. */
static memory_error append_locked(struct memory_node *node, const char *bytes, size_t n) {
  if (n > (size_t)INT64_MAX - node->length) return MEMORY_NO_MEMORY;
  if (!memory_filesystem_charge(node->filesystem, n)) return MEMORY_LIMIT;
  if (!memory_content_extend(&node->content, node->length, n)) {
    memory_filesystem_discharge(node->filesystem, n);
    return MEMORY_NO_MEMORY;
  }
  memory_content_write(node->content, node->length, bytes, n);
  node->length += n;
  memory_node_touch(node);
  return MEMORY_OK;
}

memory_error memory_node_append(struct memory_node *node, const char *bytes, size_t n,
                                size_t *length) {
  memory_lock_bytes(node->number);
  memory_error error = n ? append_locked(node, bytes, n) : MEMORY_OK;
  *length = node->length;
  memory_unlock_bytes(node->number);
  return error;
}

void memory_view_free(struct memory_view *view) {
  if (!view) return;
  memory_content_release(view->content);
  memory_node_release(view->node);
  free(view);
}
