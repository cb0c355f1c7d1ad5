/* A token is the first member of the archive that its transaction writes, and holds a reference of
 * it until it is committed or aborted. After a commit that failed it is still to be aborted. */
#include "transaction.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "writing.h"

static writing *writing_of(const TF_TransactionToken *token) {
  return token->token;
}

int archive_start_transaction(const TF_Filesystem *filesystem, TF_TransactionToken **token,
                              TF_Status *status) {
  writing *made = writing_new(archive_fs_of(filesystem), status);
  if (!made) return -1;
  made->token.owner = (TF_Filesystem *)(size_t)filesystem;
  *token = &made->token;
  return 0;
}

static int end(TF_TransactionToken *token, bool publish, TF_Status *status) {
  writing *self = writing_of(token);
  bool fine = !self->base || writing_end(self, publish, status);
  if (fine || !publish) writing_release(self);
  return fine ? 0 : -1;
}

int archive_end_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                            TF_Status *status) {
  (void)filesystem;
  return end(token, true, status);
}

void archive_abort_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                               TF_Status *status) {
  (void)filesystem;
  end(token, false, status);
}

int archive_add_to_transaction(const TF_Filesystem *filesystem, const char *path,
                               TF_TransactionToken *token, TF_Status *status) {
  archive_name name = {NULL, NULL};
  writing *self = writing_of(token);
  (void)filesystem;
  if (archive_name_init(&name, path, status)) {
    if (!self->out && !self->base)
      writing_begin(self, name.base, status);
    else if (strcmp(self->base, name.base) != 0)
      fail_with(status, TF_FAILED_PRECONDITION,
                "the transaction writes another archive; start one for each");
  }
  archive_name_fini(&name);
  return archive_ok(status) ? 0 : -1;
}

int archive_get_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                     TF_TransactionToken **token, TF_Status *status) {
  archive_name name = {NULL, NULL};
  if (!archive_name_init(&name, path, status)) return -1;
  writing *found = writing_find(archive_fs_of(filesystem), name.base);
  if (found && !found->is_lone)
    *token = &found->token;
  else
    fail_with(status, TF_NOT_FOUND, "the archive is not being written in a transaction");
  writing_release(found);
  archive_name_fini(&name);
  return archive_ok(status) ? 0 : -1;
}

int archive_get_or_start_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                              TF_TransactionToken **token, TF_Status *status) {
  TF_TransactionToken *made = NULL;
  if (archive_get_transaction_for_path(filesystem, path, token, status) == 0) return 0;
  if (TF_GetCode(status) != TF_NOT_FOUND) return -1;
  TF_SetStatus(status, TF_OK, "");
  if (archive_start_transaction(filesystem, &made, status) != 0) return -1;
  if (archive_add_to_transaction(filesystem, path, made, status) == 0) {
    *token = made;
    return 0;
  }
  writing_release(writing_of(made));
  return -1;
}
