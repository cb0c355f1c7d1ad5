/* Transactions: start, commit and abort. */
#ifndef MEMORY_TRANSACTION_H
#define MEMORY_TRANSACTION_H

#include <modfs/filesystem.h>

#include <stdatomic.h>

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
int memory_fs_start_transaction(const TF_Filesystem *filesystem, TF_TransactionToken **token,
                                TF_Status *status);
int memory_fs_end_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                              TF_Status *status);
int memory_fs_add_to_transaction(const TF_Filesystem *filesystem, const char *path,
                                 TF_TransactionToken *token, TF_Status *status);
int memory_fs_get_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                       TF_TransactionToken **token, TF_Status *status);
int memory_fs_get_or_start_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                                TF_TransactionToken **token, TF_Status *status);
char *memory_fs_decode_transaction_token(const TF_Filesystem *filesystem,
                                         const TF_TransactionToken *token);

/* Operation of the extension. */
void memory_fs_abort_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                                 TF_Status *status);

#endif
