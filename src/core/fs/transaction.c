/* Transactions: one object for each token of a plugin, whichever function returned the token.
 *
 * A transaction is open or ended. Whoever sets "open" to false first ends it; if the plugin then
 * fails to commit or abort, it becomes open again. Every call that would reach the plugin through
 * an ended one fails.
 *
 * The filesystem's lock guards its list of transactions, and of each "open", "references" and
 * "next". It is never held over a call of the plugin, nor together with another lock, except at a
 * fork (registry.c). fs and token never change.
 *
 * A transaction is in the list from its creation to its last reference. Only open ones are found by
 * their token, for a plugin may reuse the address of an ended one. A NULL token, which is legal, is
 * never looked up: each such transaction stands alone. The last reference takes the object off the
 * list, aborts the transaction if it is still open, and frees the object; the token is the
 * plugin's.
 *
 * A forked child has a consistent copy of the list. Whether an open transaction means anything
 * there is for the plugin to say: the core passes the child's calls on. */
#include <stdlib.h>
#include <string.h>

#include "fs.h"
#include "core/base/status.h"

struct modfs_transaction {
  const modfs_fs *fs;
  TF_TransactionToken *token;
  size_t references; /* guarded by the filesystem's lock, as are the next two */
  bool open;
  modfs_transaction *next;
};

static pthread_mutex_t *lock_of(const modfs_fs *fs) {
  return &fs_of(&fs->handle)->lock;
}

/* The open transaction of a token, or NULL. The lock is held. */
static modfs_transaction *find(modfs_fs *fs, const TF_TransactionToken *token) {
  modfs_transaction *known = token ? fs->transactions : NULL;
  while (known && (known->token != token || !known->open))
    known = known->next;
  return known;
}

/* Returns the object that stands for the token already, else makes spare that object. */
static modfs_transaction *intern(modfs_fs *fs, modfs_transaction *spare,
                                 TF_TransactionToken *token) {
  pthread_mutex_lock(&fs->lock);
  modfs_transaction *known = find(fs, token);
  if (known) {
    known->references++;
  } else {
    *spare = (modfs_transaction){fs, token, 1, true, fs->transactions};
    fs->transactions = spare;
  }
  pthread_mutex_unlock(&fs->lock);
  if (!known) return spare;
  free(spare);
  return known;
}

typedef int (*token_call)(const TF_Filesystem *filesystem, const char *path,
                          TF_TransactionToken **token, TF_Status *status);

static void check_result(const modfs_fs *fs, const char *operation, int result, TF_Status *status) {
  if (status_ok(status) && result < 0)
    fs_breach(fs, status, "%s returned %d with OK", operation, result);
}

/* The object is allocated before the plugin is called, so that no token is lost for lack of memory.
 */
static modfs_transaction *obtain(const modfs_fs *fs, token_call call, const char *operation,
                                 const char *path, TF_Status *status) {
  modfs_transaction *spare = calloc(1, sizeof *spare);
  TF_TransactionToken *token = NULL;
  status_clear(status);
  if (!spare) {
    status_no_memory(status);
  } else {
    const char *name = call ? fs_enter(fs, path, status) : NULL;
    if (name)
      check_result(fs, operation, call(&fs->handle, name, &token, status), status);
    else if (!call)
      check_result(fs, operation, fs->tables.fs.start_transaction(&fs->handle, &token, status),
                   status);
    fs_free_name(fs, path, name);
  }
  status_locate(status, operation, path);
  if (spare && status_ok(status)) return intern(fs_of(&fs->handle), spare, token);
  free(spare);
  return NULL;
}

modfs_transaction *modfs_transaction_start(const modfs_fs *fs, TF_Status *status) {
  return obtain(fs, NULL, "start_transaction", NULL, status);
}

modfs_transaction *modfs_transaction_get(const modfs_fs *fs, const char *path, TF_Status *status) {
  return obtain(fs, fs->tables.fs.get_transaction_for_path, "get_transaction_for_path", path,
                status);
}

modfs_transaction *modfs_transaction_get_or_start(const modfs_fs *fs, const char *path,
                                                  TF_Status *status) {
  return obtain(fs, fs->tables.fs.get_or_start_transaction_for_path,
                "get_or_start_transaction_for_path", path, status);
}

static bool check_open(const modfs_transaction *transaction, TF_Status *status) {
  bool open = modfs_transaction_is_open(transaction);
  status_clear(status);
  if (!open)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the transaction was already committed or aborted");
  return open;
}

void modfs_transaction_add(modfs_transaction *transaction, const char *path, TF_Status *status) {
  const modfs_fs *fs = transaction->fs;
  const char *name = check_open(transaction, status) ? fs_enter(fs, path, status) : NULL;
  if (name)
    check_result(fs, "add_to_transaction",
                 fs->tables.fs.add_to_transaction(&fs->handle, name, transaction->token, status),
                 status);
  fs_leave(fs, name, "add_to_transaction", path, status);
}

/* Whether it changed anything: the caller that it did for ends the transaction. */
static bool set_open(modfs_transaction *transaction, bool open) {
  pthread_mutex_t *lock = lock_of(transaction->fs);
  pthread_mutex_lock(lock);
  bool changed = transaction->open != open;
  transaction->open = open;
  pthread_mutex_unlock(lock);
  return changed;
}

void modfs_transaction_commit(modfs_transaction *transaction, TF_Status *status) {
  const modfs_fs *fs = transaction->fs;
  status_clear(status);
  if (!set_open(transaction, false)) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the transaction was already committed or aborted");
  } else {
    int result = fs->tables.fs.end_transaction(&fs->handle, transaction->token, status);
    if (!status_ok(status)) set_open(transaction, true);
    check_result(fs, "end_transaction", result, status);
  }
  status_locate(status, "end_transaction", NULL);
}

static void call_abort(const modfs_transaction *transaction, TF_Status *status) {
  const modfs_fs *fs = transaction->fs;
  fs->extension.abort_transaction(&fs->handle, transaction->token, status);
}

void modfs_transaction_abort(modfs_transaction *transaction, TF_Status *status) {
  status_clear(status);
  if (!set_open(transaction, false)) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the transaction was already committed or aborted");
  } else {
    call_abort(transaction, status);
    if (!status_ok(status)) set_open(transaction, true);
  }
  status_locate(status, "abort_transaction", NULL);
}

bool modfs_transaction_is_open(const modfs_transaction *transaction) {
  pthread_mutex_t *lock = lock_of(transaction->fs);
  pthread_mutex_lock(lock);
  bool open = transaction->open;
  pthread_mutex_unlock(lock);
  return open;
}

const modfs_fs *modfs_transaction_fs(const modfs_transaction *transaction) {
  return transaction->fs;
}

char *modfs_transaction_decode(const modfs_transaction *transaction, TF_Status *status) {
  const modfs_fs *fs = transaction->fs;
  char *text = NULL, *copy = NULL;
  if (check_open(transaction, status)) {
    text = fs->tables.fs.decode_transaction_token(&fs->handle, transaction->token);
    copy = text ? strdup(text) : NULL;
    if (!text)
      fs_breach(fs, status, "decode_transaction_token returned NULL");
    else if (!copy)
      status_no_memory(status);
  }
  fs_leave(fs, text, "decode_transaction_token", NULL, status);
  return copy;
}

modfs_transaction *modfs_transaction_hold(modfs_transaction *transaction) {
  pthread_mutex_t *lock = lock_of(transaction->fs);
  pthread_mutex_lock(lock);
  transaction->references++;
  pthread_mutex_unlock(lock);
  return transaction;
}

static void forget(modfs_fs *fs, modfs_transaction *transaction) {
  modfs_transaction **link = &fs->transactions;
  while (*link != transaction)
    link = &(*link)->next;
  *link = transaction->next;
}

void modfs_transaction_drop(modfs_transaction *transaction) {
  if (!transaction) return;
  modfs_fs *fs = fs_of(&transaction->fs->handle);
  pthread_mutex_lock(&fs->lock);
  bool last = --transaction->references == 0, open = transaction->open;
  if (last) forget(fs, transaction);
  pthread_mutex_unlock(&fs->lock);
  if (!last) return;
  TF_Status *ignored = open ? TF_NewStatus() : NULL;
  if (ignored) call_abort(transaction, ignored);
  TF_DeleteStatus(ignored);
  free(transaction);
}
