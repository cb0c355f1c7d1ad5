/* Changes in a transaction: checked now, made by its commit. */
#ifndef S3_STAGED_H
#define S3_STAGED_H

#include "transaction.h"

struct s3_upload;

/* Like s3_place_may_write, but for the state that the commit will find. */
bool s3_staged_may_write(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                         const s3_name *name, TF_Status *status);

/* Takes over an upload that has sent all its parts, unless the transaction has ended since. */
s3_transaction_state s3_staged_publish(const TF_Filesystem *filesystem, s3_transaction *transaction,
                                       const s3_name *name, struct s3_upload *upload,
                                       TF_Status *status);

/* A change of one name, in a transaction and immediately. */
typedef void s3_staged_change(const TF_Filesystem *filesystem, s3_transaction *transaction,
                              const s3_name *name, TF_Status *status);
typedef void s3_change(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* Makes a change in the transaction that covers the name, if there is one, else immediately. */
void s3_staged_or_now(const TF_Filesystem *filesystem, const s3_name *name,
                      s3_staged_change *staged, s3_change *now, TF_Status *status);

s3_staged_change s3_staged_delete_file, s3_staged_delete_dir;
s3_staged_change s3_staged_create_dir, s3_staged_make_dirs;
bool s3_staged_delete_tree(const TF_Filesystem *filesystem, s3_transaction *transaction,
                           const s3_name *name, TF_Status *status);

/* The server copies the committed version of src into parts now. */
bool s3_staged_copy(const TF_Filesystem *filesystem, s3_transaction *transaction,
                    const s3_name *src, const s3_name *dst, TF_Status *status);
void s3_staged_rename(const TF_Filesystem *filesystem, s3_transaction *transaction,
                      const s3_name *src, const s3_name *dst, TF_Status *status);

#endif
