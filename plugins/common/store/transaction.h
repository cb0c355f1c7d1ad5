/* Transactions: the paths they cover, commit and abort. */
#ifndef STORE_TRANSACTION_H
#define STORE_TRANSACTION_H

#include "../slot/slot.h"
#include "../objects/filesystem.h"
#include "step.h"

typedef struct store_transaction {
  TF_TransactionToken token; /* the host has its address */
  struct store_transaction *next;
  uint64_t serial;
  int references; /* from the list, files and calls; under the lock, as all members */
  bool is_open;
  bool aborted;
  objects_name *scopes;
  size_t count;
  store_steps steps;
} store_transaction;

/* The open transaction that covers a path; NULL: none does. Owns: the caller, store_transaction_release. */
store_transaction *store_transaction_of(const TF_Filesystem *filesystem, const objects_name *name);

/* NULL is allowed. */
void store_transaction_release(const TF_Filesystem *filesystem, store_transaction *transaction);

typedef enum store_transaction_state {
  STORE_TRANSACTION_OPEN,
  STORE_TRANSACTION_COMMITTED,
  STORE_TRANSACTION_ABORTED
} store_transaction_state;

/* Adds a step to an open transaction, which takes it over. Otherwise the caller keeps the step. */
store_transaction_state store_transaction_add(const TF_Filesystem *filesystem,
                                              store_transaction *transaction, store_step *step);

/* What a path would be after the steps so far. */
store_staged store_transaction_look(const TF_Filesystem *filesystem,
                                    const store_transaction *transaction, const objects_name *name);

/* Aborts all open transactions, when the filesystem is closed. */
void store_transaction_fini(TF_Filesystem *filesystem);

FS_SLOT(start_transaction) store_start_transaction;
FS_SLOT(end_transaction) store_end_transaction;
FS_SLOT(add_to_transaction) store_add_to_transaction;
FS_SLOT(get_transaction_for_path) store_get_transaction_for_path;
FS_SLOT(get_or_start_transaction_for_path) store_get_or_start_transaction_for_path;
FS_SLOT(decode_transaction_token) store_decode_transaction_token;
EXTENSION_SLOT(abort_transaction) store_abort_transaction;

#endif
