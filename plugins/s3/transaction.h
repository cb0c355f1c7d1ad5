/* Transactions: the paths they cover, commit and abort. */
#ifndef S3_TRANSACTION_H
#define S3_TRANSACTION_H

#include "../common/slot/slot.h"
#include "filesystem.h"
#include "name.h"
#include "step.h"

typedef struct s3_transaction {
  TF_TransactionToken token; /* the host has its address */
  struct s3_transaction *next;
  uint64_t serial;
  int references; /* from the list, files and calls; under the lock, as all members */
  bool is_open;
  bool aborted;
  s3_name *scopes;
  size_t count;
  s3_steps steps;
} s3_transaction;

/* The open transaction that covers a path; NULL: none does. Owns: the caller, s3_transaction_release. */
s3_transaction *s3_transaction_of(const TF_Filesystem *filesystem, const s3_name *name);

/* NULL is allowed. */
void s3_transaction_release(const TF_Filesystem *filesystem, s3_transaction *transaction);

typedef enum s3_transaction_state {
  S3_TRANSACTION_OPEN,
  S3_TRANSACTION_COMMITTED,
  S3_TRANSACTION_ABORTED
} s3_transaction_state;

/* Adds a step to an open transaction, which takes it over. Otherwise the caller keeps the step. */
s3_transaction_state s3_transaction_add(const TF_Filesystem *filesystem,
                                        s3_transaction *transaction, s3_step *step);

/* What a path would be after the steps so far. */
s3_staged s3_transaction_look(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                              const s3_name *name);

/* Aborts all open transactions, when the filesystem is closed. */
void s3_transaction_fini(TF_Filesystem *filesystem);

FS_SLOT(start_transaction) s3_start_transaction;
FS_SLOT(end_transaction) s3_end_transaction;
FS_SLOT(add_to_transaction) s3_add_to_transaction;
FS_SLOT(get_transaction_for_path) s3_get_transaction_for_path;
FS_SLOT(get_or_start_transaction_for_path) s3_get_or_start_transaction_for_path;
FS_SLOT(decode_transaction_token) s3_decode_transaction_token;
EXTENSION_SLOT(abort_transaction) s3_abort_transaction;

#endif
