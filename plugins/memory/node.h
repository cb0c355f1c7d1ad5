/* Files, directories and links; their names are in the directories above them.
 *
 * A node lives as long as it has references: from a directory, an open file, a region,
 * an iteration or a transaction. Its length counts towards limit_bytes for as long.
 * Length, content and extended attributes change under the node's bytes lock, a directory under
 * the tree lock. A link's content is its target, and never changes. */
#ifndef MEMORY_NODE_H
#define MEMORY_NODE_H

#include "content.h"
#include "error.h"

#include <modfs/extension.h>
#include <stdint.h>

struct memory_directory;
struct memory_filesystem;

struct memory_node {
  atomic_size_t references;
  struct memory_filesystem *filesystem;
  struct memory_directory *directory; /* NULL: a file or a link */
  uint64_t number;                    /* unique; a transaction's version of a node keeps it */
  uint64_t owner;                     /* serial of the transaction that may change it; 0: none */
  _Atomic int64_t mtime_nsec;
  _Atomic int64_t atime_nsec; /* of creation, or what was set: reading changes nothing */
  _Atomic uint32_t mode;      /* permission bits, which nobody checks */
  bool is_link;
  struct memory_content *content;
  size_t length;
  struct memory_content *xattrs; /* in the form of the slot get_xattrs */
  size_t xattrs_size;
  struct memory_node *next_dead;
};

/* A new, empty node; NULL without memory. Owns: the caller releases it. */
struct memory_node *memory_node_new_file(struct memory_filesystem *filesystem, uint64_t owner);
struct memory_node *memory_node_new_directory(struct memory_filesystem *filesystem, uint64_t owner);

/* A new link; the target is not empty. Its length counts towards the limit, as a file's does. */
memory_error memory_node_new_link(struct memory_filesystem *filesystem, uint64_t owner,
                                  const char *target, struct memory_node **link);

struct memory_node *memory_node_share(struct memory_node *node);

/* Drops a reference; the last one frees the node and all below it, without recursion.
 * NULL is allowed. Call it without the tree lock if possible: it may free much. */
void memory_node_release(struct memory_node *node);

/* Sets the modification time to now. */
void memory_node_touch(struct memory_node *node);

/* A second version of a node, for a transaction to change; shares bytes or children. */
memory_error memory_node_clone(struct memory_node *node, uint64_t owner,
                               struct memory_node **clone);

/* A new file with the same bytes, shared until one of the two grows, and the same permissions. */
memory_error memory_node_copy(struct memory_node *node, uint64_t owner, struct memory_node **copy);

/* Gives a new file the permissions of the one that it replaces. */
void memory_node_inherit(struct memory_node *node, const struct memory_node *replaced);

/* The attributes that can be set, and setting those in which. */
enum { MEMORY_SETTABLE = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME };
void memory_node_set_attributes(struct memory_node *node, const modfs_attributes *attributes,
                                uint64_t which);

/* The extended attributes, and other ones in their place; their size counts towards the limit, too.
 * Owns: the caller releases the result. */
struct memory_content *memory_node_xattrs(struct memory_node *node, size_t *size);
memory_error memory_node_set_xattrs(struct memory_node *node, const char *block, size_t size);

/* A modfs_kind. */
int memory_node_kind(const struct memory_node *node);

size_t memory_node_length(struct memory_node *node);

/* Returns the current content and its length. Owns: the caller releases it. */
struct memory_content *memory_node_content(struct memory_node *node, size_t *length);

/* The same with a zero byte behind it until the next append; false without memory. */
bool memory_node_terminated_content(struct memory_node *node, struct memory_content **content,
                                    size_t *length);

/* Appends n bytes, all or none, and returns the new length. */
memory_error memory_node_append(struct memory_node *node, const char *bytes, size_t n,
                                size_t *length);

/* What an open file or region holds: a node, and its content at the time of opening. */
struct memory_view {
  struct memory_node *node;
  struct memory_content *content;
  size_t length;
};

/* Frees it and what it holds. NULL is allowed. */
void memory_view_free(struct memory_view *view);

#endif
