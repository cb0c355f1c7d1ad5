/* The state of one registered filesystem, with its byte count. */
#ifndef MEMORY_FILESYSTEM_H
#define MEMORY_FILESYSTEM_H

#include <stdatomic.h>

#include "../common/slot/slot.h"

struct memory_node;
struct memory_scope;
struct memory_transaction;

struct memory_filesystem {
  /* Under the tree lock. */
  struct memory_node *root;     /* the committed tree */
  struct memory_scope **scopes; /* what transactions cover, sorted by path */
  size_t scope_count;
  size_t scope_room;
  struct memory_transaction *transactions; /* the open ones */

  atomic_uint_fast64_t stored; /* the sum of the lengths of all live nodes */
  atomic_uint_fast64_t limit;  /* option limit_bytes; 0: none */
};

/* The filesystem behind the host's handle. */
static inline struct memory_filesystem *memory_filesystem_of(const TF_Filesystem *filesystem) {
  return (struct memory_filesystem *)filesystem->plugin_filesystem;
}

/* Adds n to the stored bytes; false, and nothing added, beyond the limit. */
bool memory_filesystem_charge(struct memory_filesystem *filesystem, size_t n);

/* Subtracts n from the stored bytes. */
void memory_filesystem_discharge(struct memory_filesystem *filesystem, size_t n);

/* Operations of the table. */
FS_SLOT(init) memory_fs_init;
FS_SLOT(cleanup) memory_fs_cleanup;
FS_SLOT(translate_name) memory_fs_translate_name;
FS_SLOT(flush_caches) memory_fs_flush_caches;

#endif
