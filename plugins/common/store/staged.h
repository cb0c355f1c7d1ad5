/* Changes in a transaction: checked now, made by its commit. */
#ifndef STORE_STAGED_H
#define STORE_STAGED_H

#include "call.h"
#include "transaction.h"

struct store_upload;

/* Like store_place_may_write, but for the state that the commit will find. */
bool store_staged_may_write(const TF_Filesystem *filesystem, const store_transaction *transaction,
                            const objects_name *name, TF_Status *status);

/* Takes over an upload that has sent all its parts, unless the transaction has ended since. */
store_transaction_state store_staged_publish(const TF_Filesystem *filesystem,
                                             store_transaction *transaction,
                                             const objects_name *name, struct store_upload *upload,
                                             TF_Status *status);

/* A change of one name in a transaction. */
typedef void store_staged_change(const TF_Filesystem *filesystem, store_transaction *transaction,
                                 const objects_name *name, TF_Status *status);

/* Makes a change in the transaction that covers the name, if there is one, else immediately. */
void store_staged_or_now(const TF_Filesystem *filesystem, const objects_name *name,
                         store_staged_change *staged, store_change *now, TF_Status *status);

store_staged_change store_staged_delete_file, store_staged_delete_dir;
store_staged_change store_staged_create_dir, store_staged_make_dirs;
bool store_staged_delete_tree(const TF_Filesystem *filesystem, store_transaction *transaction,
                              const objects_name *name, TF_Status *status);

/* The server copies the committed version of src into parts now. */
bool store_staged_copy(const TF_Filesystem *filesystem, store_transaction *transaction,
                       const objects_name *src, const objects_name *dst, TF_Status *status);
void store_staged_rename(const TF_Filesystem *filesystem, store_transaction *transaction,
                         const objects_name *src, const objects_name *dst, TF_Status *status);

#endif
