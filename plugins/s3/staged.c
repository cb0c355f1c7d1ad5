/* Changes in a transaction: checked now, made by its commit.
 *
 * A change is checked against what the transaction's earlier steps make of the path and, where they do
 * not touch it, against the server. Then one step is added. Nothing of it is visible to readers before
 * the commit; data is uploaded already, as parts that the server keeps aside.
 *
 * Locks: none here. Each lookup and each addition takes the transactions' lock by itself, and requests
 * run without it. So check and addition are not one atomic operation: two threads that change one path
 * in one transaction may both pass, and the commit then does both steps in the order of their addition.
 * s3_transaction_add notices if the transaction has ended since the check.
 *
 * Who frees: a step that was added belongs to the transaction, with its upload; one that was refused is
 * freed here, and its upload stays the caller's. Callers hold a reference to the transaction. Fork: see
 * transaction.c; a child has no open transaction to add to. */
#include "staged.h"

#include <stdio.h>
#include <string.h>

#include "copy.h"
#include "error.h"
#include "page.h"
#include "place.h"
#include "stat.h"
#include "upload.h"

static void fail_missing(TF_Status *status) {
  TF_SetStatus(status, TF_NOT_FOUND, "the transaction has deleted the path");
}

static void fail_directory(TF_Status *status) {
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
}

static void fail_file(TF_Status *status) {
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a file");
}

static void fail_ended(TF_Status *status) {
  TF_SetStatus(status, TF_ABORTED, "the transaction was committed or aborted meanwhile");
}

static bool add(const TF_Filesystem *filesystem, s3_transaction *transaction, s3_step *step,
                TF_Status *status) {
  if (!step) {
    s3_no_memory(status);
  } else if (s3_transaction_add(filesystem, transaction, step) != S3_TRANSACTION_OPEN) {
    s3_step_free(step);
    fail_ended(status);
  }
  return TF_GetCode(status) == TF_OK;
}

static bool add_verb(const TF_Filesystem *filesystem, s3_transaction *transaction, s3_verb verb,
                     const s3_name *name, TF_Status *status) {
  return add(filesystem, transaction, s3_step_new(verb, name), status);
}

/* Files -------------------------------------------------------------------------------------- */

bool s3_staged_may_write(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                         const s3_name *name, TF_Status *status) {
  s3_staged staged = s3_transaction_look(filesystem, transaction, name);
  if (staged == S3_UNTOUCHED) return s3_place_may_write(filesystem, name, status);
  if (staged == S3_STAGED_DIRECTORY) fail_directory(status);
  if (staged == S3_STAGED_FILE && remote_number(filesystem, S3_IF_NONE_MATCH))
    TF_SetStatus(status, TF_ALREADY_EXISTS, "the transaction has already created the object");
  return TF_GetCode(status) == TF_OK;
}

s3_transaction_state s3_staged_publish(const TF_Filesystem *filesystem, s3_transaction *transaction,
                                       const s3_name *name, s3_upload *upload, TF_Status *status) {
  s3_step *step = s3_step_new(S3_PUBLISH, name);
  if (!step) {
    s3_no_memory(status);
    return S3_TRANSACTION_ABORTED;
  }
  step->upload = upload;
  s3_transaction_state state = s3_transaction_add(filesystem, transaction, step);
  if (state != S3_TRANSACTION_OPEN) {
    step->upload = NULL;
    s3_step_free(step);
  }
  if (state == S3_TRANSACTION_ABORTED) fail_ended(status);
  return state;
}

/* Whether the transaction sees a file, or a directory, at this name. */
static bool check_kind(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                       const s3_name *name, bool directory, TF_Status *status) {
  s3_object object;
  bool missing = false;
  switch (s3_transaction_look(filesystem, transaction, name)) {
  case S3_STAGED_FILE:
    if (directory) fail_file(status);
    return !directory;
  case S3_STAGED_DIRECTORY:
    if (!directory) fail_directory(status);
    return directory;
  case S3_STAGED_MISSING:
    fail_missing(status);
    return false;
  default:
    break;
  }
  if (directory) return s3_stat_directory(filesystem, name, status);
  bool found = s3_stat_object(filesystem, name, &object, &missing, status);
  if (missing) s3_stat_missing(filesystem, name, status);
  return found;
}

void s3_staged_or_now(const TF_Filesystem *filesystem, const s3_name *name,
                      s3_staged_change *staged, s3_change *now, TF_Status *status) {
  s3_transaction *transaction = s3_transaction_of(filesystem, name);
  if (transaction)
    staged(filesystem, transaction, name, status);
  else
    now(filesystem, name, status);
  s3_transaction_release(filesystem, transaction);
}

void s3_staged_delete_file(const TF_Filesystem *filesystem, s3_transaction *transaction,
                           const s3_name *name, TF_Status *status) {
  if (check_kind(filesystem, transaction, name, false, status))
    add_verb(filesystem, transaction, S3_DELETE, name, status);
}

bool s3_staged_copy(const TF_Filesystem *filesystem, s3_transaction *transaction,
                    const s3_name *src, const s3_name *dst, TF_Status *status) {
  s3_object object;
  if (!s3_copy_find(filesystem, src, &object, status)) return false;
  if (s3_name_is_same(src, dst)) return true;
  if (!s3_staged_may_write(filesystem, transaction, dst, status)) return false;
  s3_upload *upload = s3_copy_stage(filesystem, src, dst, &object, status);
  if (!upload) return false;
  if (s3_staged_publish(filesystem, transaction, dst, upload, status) != S3_TRANSACTION_OPEN) {
    if (TF_GetCode(status) == TF_OK) fail_ended(status);
    s3_upload_free(upload);
  }
  return TF_GetCode(status) == TF_OK;
}

static void rename_staged(const TF_Filesystem *filesystem, s3_transaction *transaction,
                          const s3_name *src, const s3_name *dst, TF_Status *status) {
  s3_step *step = s3_step_new(S3_RENAME, src);
  if (step) step->other = *dst;
  add(filesystem, transaction, step, status);
}

void s3_staged_rename(const TF_Filesystem *filesystem, s3_transaction *transaction,
                      const s3_name *src, const s3_name *dst, TF_Status *status) {
  bool staged = s3_transaction_look(filesystem, transaction, src) == S3_STAGED_FILE;
  if (!check_kind(filesystem, transaction, src, false, status) || s3_name_is_same(src, dst) ||
      !s3_staged_may_write(filesystem, transaction, dst, status))
    return;
  if (staged)
    rename_staged(filesystem, transaction, src, dst, status);
  else if (s3_staged_copy(filesystem, transaction, src, dst, status))
    add_verb(filesystem, transaction, S3_DELETE, src, status);
}

/* Directories -------------------------------------------------------------------------------- */

static bool has_parent(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                       const s3_name *name, TF_Status *status) {
  s3_name parent = *name;
  if (!s3_name_to_parent(&parent)) return true;
  s3_staged staged = s3_transaction_look(filesystem, transaction, &parent);
  if (staged == S3_UNTOUCHED) return s3_place_has_parent(filesystem, name, status);
  if (staged == S3_STAGED_MISSING) fail_missing(status);
  if (staged == S3_STAGED_FILE) fail_file(status);
  return staged == S3_STAGED_DIRECTORY;
}

/* Whether the transaction sees nothing at this name; if not, ALREADY_EXISTS or the failure to find out. */
static bool is_missing(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                       const s3_name *name, TF_Status *status) {
  s3_object object;
  s3_staged staged = s3_transaction_look(filesystem, transaction, name);
  bool exists = staged == S3_STAGED_FILE || staged == S3_STAGED_DIRECTORY;
  if (staged == S3_UNTOUCHED) exists = s3_stat_any(filesystem, name, &object, status);
  if (exists) TF_SetStatus(status, TF_ALREADY_EXISTS, "the directory already exists");
  if (TF_GetCode(status) == TF_NOT_FOUND) TF_SetStatus(status, TF_OK, "");
  return TF_GetCode(status) == TF_OK;
}

void s3_staged_create_dir(const TF_Filesystem *filesystem, s3_transaction *transaction,
                          const s3_name *name, TF_Status *status) {
  if (is_missing(filesystem, transaction, name, status) &&
      has_parent(filesystem, transaction, name, status))
    add_verb(filesystem, transaction, S3_MAKE, name, status);
}

void s3_staged_make_dirs(const TF_Filesystem *filesystem, s3_transaction *transaction,
                         const s3_name *name, TF_Status *status) {
  s3_object object = {.is_directory = true};
  s3_staged staged = s3_transaction_look(filesystem, transaction, name);
  bool missing = staged == S3_STAGED_MISSING;
  if (staged == S3_UNTOUCHED) {
    s3_stat_any(filesystem, name, &object, status);
    missing = TF_GetCode(status) == TF_NOT_FOUND;
    if (missing) TF_SetStatus(status, TF_OK, "");
  }
  if (missing)
    add_verb(filesystem, transaction, S3_MAKE, name, status);
  else if (staged == S3_STAGED_FILE || (TF_GetCode(status) == TF_OK && !object.is_directory))
    fail_file(status);
}

/* Whether a directory has only its marker, and objects that the transaction has deleted. */
static bool is_empty(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                     const s3_name *name, TF_Status *status) {
  s3_page page = {.name = name, .prefix = name->prefix, .deep = true};
  s3_name inside = *name;
  bool empty = s3_page_fetch(filesystem, &page, status) && !page.more;
  for (size_t i = 0; empty && i < page.count; i++) {
    snprintf(inside.key, sizeof inside.key, "%s", s3_page_key(&page, i));
    empty = strcmp(inside.key, name->prefix) == 0 ||
            s3_transaction_look(filesystem, transaction, &inside) == S3_STAGED_MISSING;
  }
  s3_page_end(&page);
  if (!empty && TF_GetCode(status) == TF_OK)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the directory is not empty");
  return empty;
}

void s3_staged_delete_dir(const TF_Filesystem *filesystem, s3_transaction *transaction,
                          const s3_name *name, TF_Status *status) {
  if (check_kind(filesystem, transaction, name, true, status) &&
      is_empty(filesystem, transaction, name, status))
    add_verb(filesystem, transaction, S3_DELETE_DIR, name, status);
}

bool s3_staged_delete_tree(const TF_Filesystem *filesystem, s3_transaction *transaction,
                           const s3_name *name, TF_Status *status) {
  if (check_kind(filesystem, transaction, name, true, status)) {
    add_verb(filesystem, transaction, S3_DELETE_TREE, name, status);
  } else if (TF_GetCode(status) == TF_FAILED_PRECONDITION) {
    TF_SetStatus(status, TF_OK, "");
    s3_staged_delete_file(filesystem, transaction, name, status);
  }
  return TF_GetCode(status) == TF_OK;
}
