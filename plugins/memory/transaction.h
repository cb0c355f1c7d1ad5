/* Transactions: start, commit and abort. */
#ifndef MEMORY_TRANSACTION_H
#define MEMORY_TRANSACTION_H

#include <stdatomic.h>

#include "../common/slot/slot.h"

struct memory_filesystem;

struct memory_transaction {
  TF_TransactionToken token; /* the host has its address */
  atomic_size_t references;  /* the list of open transactions, and files opened for writing */
  atomic_bool aborted;
  uint64_t serial; /* unique, never 0 */
  struct memory_transaction *next;
};

/* NULL is allowed for both. */
struct memory_transaction *memory_transaction_share(struct memory_transaction *transaction);
void memory_transaction_release(struct memory_transaction *transaction);

/* Aborts all open transactions, when the filesystem is closed. */
void memory_transaction_abort_all(struct memory_filesystem *filesystem);

/* Operations of the table. */
FS_SLOT(start_transaction) memory_fs_start_transaction;
FS_SLOT(end_transaction) memory_fs_end_transaction;
FS_SLOT(add_to_transaction) memory_fs_add_to_transaction;
FS_SLOT(get_transaction_for_path) memory_fs_get_transaction_for_path;
FS_SLOT(get_or_start_transaction_for_path) memory_fs_get_or_start_transaction_for_path;
FS_SLOT(decode_transaction_token) memory_fs_decode_transaction_token;

/* Operation of the extension. */
EXTENSION_SLOT(abort_transaction) memory_fs_abort_transaction;

#endif
