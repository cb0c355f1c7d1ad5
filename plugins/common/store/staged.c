/* Changes in a transaction: checked now, made by its commit.
 *
 * A change is checked against what the transaction's earlier steps make of the path and, where they do
 * not touch it, against the server. Then one step is added. Nothing of it is visible to readers before
 * the commit; data is uploaded already, as parts that the server keeps aside.
 *
 * Locks: none here. Each lookup and each addition takes the transactions' lock by itself, and requests
 * run without it. So check and addition are not one atomic operation: two threads that change one path
 * in one transaction may both pass, and the commit then does both steps in the order of their addition.
 * store_transaction_add notices if the transaction has ended since the check.
 *
 * Who frees: a step that was added belongs to the transaction, with its upload; one that was refused is
 * freed here, and its upload stays the caller's. Callers hold a reference to the transaction. Fork: see
 * transaction.c; a child has no open transaction to add to. */
#include "staged.h"

#include <stdio.h>
#include <string.h>

#include "copy.h"
#include "../objects/error.h"
#include "../objects/page.h"
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

static bool add(const TF_Filesystem *filesystem, store_transaction *transaction, store_step *step,
                TF_Status *status) {
  if (!step) {
    fail_no_memory(status);
  } else if (store_transaction_add(filesystem, transaction, step) != STORE_TRANSACTION_OPEN) {
    store_step_free(step);
    fail_ended(status);
  }
  return TF_GetCode(status) == TF_OK;
}

static bool add_verb(const TF_Filesystem *filesystem, store_transaction *transaction,
                     store_verb verb, const objects_name *name, TF_Status *status) {
  return add(filesystem, transaction, store_step_new(verb, name), status);
}

/* Files -------------------------------------------------------------------------------------- */

bool store_staged_may_write(const TF_Filesystem *filesystem, const store_transaction *transaction,
                            const objects_name *name, TF_Status *status) {
  store_staged staged = store_transaction_look(filesystem, transaction, name);
  if (staged == STORE_UNTOUCHED) return store_place_may_write(filesystem, name, status);
  if (staged == STORE_STAGED_DIRECTORY) fail_directory(status);
  if (staged == STORE_STAGED_FILE && remote_number(filesystem, OBJECTS_IF_NONE_MATCH))
    TF_SetStatus(status, TF_ALREADY_EXISTS, "the transaction has already created the object");
  return TF_GetCode(status) == TF_OK;
}

store_transaction_state store_staged_publish(const TF_Filesystem *filesystem,
                                             store_transaction *transaction,
                                             const objects_name *name, store_upload *upload,
                                             TF_Status *status) {
  store_step *step = store_step_new(STORE_PUBLISH, name);
  if (!step) {
    fail_no_memory(status);
    return STORE_TRANSACTION_ABORTED;
  }
  step->upload = upload;
  store_transaction_state state = store_transaction_add(filesystem, transaction, step);
  if (state != STORE_TRANSACTION_OPEN) {
    step->upload = NULL;
    store_step_free(step);
  }
  if (state == STORE_TRANSACTION_ABORTED) fail_ended(status);
  return state;
}

/* Whether the transaction sees a file, or a directory, at this name. */
static bool check_kind(const TF_Filesystem *filesystem, const store_transaction *transaction,
                       const objects_name *name, bool directory, TF_Status *status) {
  objects_object object;
  bool missing = false;
  switch (store_transaction_look(filesystem, transaction, name)) {
  case STORE_STAGED_FILE:
    if (directory) fail_file(status);
    return !directory;
  case STORE_STAGED_DIRECTORY:
    if (!directory) fail_directory(status);
    return directory;
  case STORE_STAGED_MISSING:
    fail_missing(status);
    return false;
  default:
    break;
  }
  if (directory) return store_stat_directory(filesystem, name, status);
  bool found = store_stat_object(filesystem, name, &object, &missing, status);
  if (missing) store_stat_missing(filesystem, name, status);
  return found;
}

void store_staged_or_now(const TF_Filesystem *filesystem, const objects_name *name,
                         store_staged_change *staged, store_change *now, TF_Status *status) {
  store_transaction *transaction = store_transaction_of(filesystem, name);
  if (transaction)
    staged(filesystem, transaction, name, status);
  else
    now(filesystem, name, status);
  store_transaction_release(filesystem, transaction);
}

void store_staged_delete_file(const TF_Filesystem *filesystem, store_transaction *transaction,
                              const objects_name *name, TF_Status *status) {
  if (check_kind(filesystem, transaction, name, false, status))
    add_verb(filesystem, transaction, STORE_DELETE, name, status);
}

/* Where the server cannot copy into parts, the commit copies. NULL without memory. */
static store_step *copy_step(const objects_name *src, const objects_name *dst,
                             const objects_object *object) {
  store_step *step = store_step_new(STORE_COPY, dst);
  if (!step) return NULL;
  step->other = *src;
  memcpy(step->tag, object->tag, sizeof step->tag);
  return step;
}

bool store_staged_copy(const TF_Filesystem *filesystem, store_transaction *transaction,
                       const objects_name *src, const objects_name *dst, TF_Status *status) {
  objects_object object;
  if (!store_copy_find(filesystem, src, &object, status)) return false;
  if (objects_name_is_same(src, dst)) return true;
  if (!store_staged_may_write(filesystem, transaction, dst, status)) return false;
  if (!objects_service_of(filesystem)->copy_part)
    return add(filesystem, transaction, copy_step(src, dst, &object), status);
  store_upload *upload = store_copy_stage(filesystem, src, dst, &object, status);
  if (!upload) return false;
  if (store_staged_publish(filesystem, transaction, dst, upload, status) !=
      STORE_TRANSACTION_OPEN) {
    if (TF_GetCode(status) == TF_OK) fail_ended(status);
    store_upload_free(upload);
  }
  return TF_GetCode(status) == TF_OK;
}

static void rename_staged(const TF_Filesystem *filesystem, store_transaction *transaction,
                          const objects_name *src, const objects_name *dst, TF_Status *status) {
  store_step *step = store_step_new(STORE_RENAME, src);
  if (step) step->other = *dst;
  add(filesystem, transaction, step, status);
}

void store_staged_rename(const TF_Filesystem *filesystem, store_transaction *transaction,
                         const objects_name *src, const objects_name *dst, TF_Status *status) {
  bool staged = store_transaction_look(filesystem, transaction, src) == STORE_STAGED_FILE;
  if (!check_kind(filesystem, transaction, src, false, status) || objects_name_is_same(src, dst) ||
      !store_staged_may_write(filesystem, transaction, dst, status))
    return;
  if (staged)
    rename_staged(filesystem, transaction, src, dst, status);
  else if (store_staged_copy(filesystem, transaction, src, dst, status))
    add_verb(filesystem, transaction, STORE_DELETE, src, status);
}

/* Directories -------------------------------------------------------------------------------- */

static bool has_parent(const TF_Filesystem *filesystem, const store_transaction *transaction,
                       const objects_name *name, TF_Status *status) {
  objects_name parent = *name;
  if (!objects_name_to_parent(&parent)) return true;
  store_staged staged = store_transaction_look(filesystem, transaction, &parent);
  if (staged == STORE_UNTOUCHED) return store_place_has_parent(filesystem, name, status);
  if (staged == STORE_STAGED_MISSING) fail_missing(status);
  if (staged == STORE_STAGED_FILE) fail_file(status);
  return staged == STORE_STAGED_DIRECTORY;
}

/* Whether the transaction sees nothing at this name; if not, ALREADY_EXISTS or the failure to find out. */
static bool is_missing(const TF_Filesystem *filesystem, const store_transaction *transaction,
                       const objects_name *name, TF_Status *status) {
  objects_object object;
  store_staged staged = store_transaction_look(filesystem, transaction, name);
  bool exists = staged == STORE_STAGED_FILE || staged == STORE_STAGED_DIRECTORY;
  if (staged == STORE_UNTOUCHED) exists = store_stat_any(filesystem, name, &object, status);
  if (exists) TF_SetStatus(status, TF_ALREADY_EXISTS, "the directory already exists");
  if (TF_GetCode(status) == TF_NOT_FOUND) TF_SetStatus(status, TF_OK, "");
  return TF_GetCode(status) == TF_OK;
}

void store_staged_create_dir(const TF_Filesystem *filesystem, store_transaction *transaction,
                             const objects_name *name, TF_Status *status) {
  if (is_missing(filesystem, transaction, name, status) &&
      has_parent(filesystem, transaction, name, status))
    add_verb(filesystem, transaction, STORE_MAKE, name, status);
}

void store_staged_make_dirs(const TF_Filesystem *filesystem, store_transaction *transaction,
                            const objects_name *name, TF_Status *status) {
  objects_object object = {.is_directory = true};
  store_staged staged = store_transaction_look(filesystem, transaction, name);
  bool missing = staged == STORE_STAGED_MISSING;
  if (staged == STORE_UNTOUCHED) {
    store_stat_any(filesystem, name, &object, status);
    missing = TF_GetCode(status) == TF_NOT_FOUND;
    if (missing) TF_SetStatus(status, TF_OK, "");
  }
  if (missing)
    add_verb(filesystem, transaction, STORE_MAKE, name, status);
  else if (staged == STORE_STAGED_FILE || (TF_GetCode(status) == TF_OK && !object.is_directory))
    fail_file(status);
}

/* Whether a directory has only its marker, and objects that the transaction has deleted. */
static bool is_empty(const TF_Filesystem *filesystem, const store_transaction *transaction,
                     const objects_name *name, TF_Status *status) {
  objects_page page = {.name = name, .prefix = name->prefix, .deep = true};
  objects_name inside = *name;
  bool empty = objects_page_fetch(filesystem, &page, status) && !page.more;
  for (size_t i = 0; empty && i < page.count; i++) {
    snprintf(inside.key, sizeof inside.key, "%s", objects_page_key(&page, i));
    empty = strcmp(inside.key, name->prefix) == 0 ||
            store_transaction_look(filesystem, transaction, &inside) == STORE_STAGED_MISSING;
  }
  objects_page_end(&page);
  if (!empty && TF_GetCode(status) == TF_OK)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the directory is not empty");
  return empty;
}

void store_staged_delete_dir(const TF_Filesystem *filesystem, store_transaction *transaction,
                             const objects_name *name, TF_Status *status) {
  if (check_kind(filesystem, transaction, name, true, status) &&
      is_empty(filesystem, transaction, name, status))
    add_verb(filesystem, transaction, STORE_DELETE_DIR, name, status);
}

bool store_staged_delete_tree(const TF_Filesystem *filesystem, store_transaction *transaction,
                              const objects_name *name, TF_Status *status) {
  if (check_kind(filesystem, transaction, name, true, status)) {
    add_verb(filesystem, transaction, STORE_DELETE_TREE, name, status);
  } else if (TF_GetCode(status) == TF_FAILED_PRECONDITION) {
    TF_SetStatus(status, TF_OK, "");
    store_staged_delete_file(filesystem, transaction, name, status);
  }
  return TF_GetCode(status) == TF_OK;
}
