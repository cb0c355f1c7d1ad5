/* Transactions and their tokens.
 *
 * States: open (in the list), committed or aborted (`is_open` false, and `aborted` tells which). The
 * state only leaves open, once; `detach` does it and takes the steps out.
 *
 * A token is a member of its transaction. It may be stale: it is only compared by address with those
 * in the list, and never followed before it was found there.
 *
 * Paths: no two open transactions cover the same path, nor one a path above or below the other's.
 *
 * Locks: remote_lock_take_all guards the list, last_transaction, transactions_of and every member of every
 * transaction. It is held for lookups and list changes alone, never during a request: the commit runs
 * its steps after the lock is released. Nobody takes a lock on a name while holding it.
 *
 * References: the list holds one; an open file and a running call hold another. Who frees: the last
 * release; steps are freed by whoever detached them.
 *
 * Fork: transactions belong to the process that started them, for their uploads do. A child's first
 * call empties the list without freeing anything, so it neither commits nor aborts its parent's. */
#include "transaction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../objects/error.h"
#include "../remote/lock.h"

/* Takes the lock; in a child, drops the parent's transactions from the list. */
static pthread_mutex_t *lock(objects_filesystem *self) {
  pthread_mutex_t *taken = remote_lock_take_all();
  if (self->transactions_of != getpid()) self->transactions = NULL;
  self->transactions_of = getpid();
  return taken;
}

static void transaction_free(store_transaction *transaction) {
  store_steps_end(&transaction->steps);
  free(transaction->scopes);
  free(transaction);
}

void store_transaction_release(const TF_Filesystem *filesystem, store_transaction *transaction) {
  if (!transaction) return;
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  bool last = --transaction->references == 0;
  remote_lock_give(taken);
  if (last) transaction_free(transaction);
}

/* Under the lock ------------------------------------------------------------------------------ */

static bool is_in(const store_transaction *transaction, const objects_name *name) {
  for (size_t i = 0; i < transaction->count; i++)
    if (objects_name_covers(&transaction->scopes[i], name)) return true;
  return false;
}

static bool is_above(const store_transaction *transaction, const objects_name *name) {
  for (size_t i = 0; i < transaction->count; i++)
    if (objects_name_covers(name, &transaction->scopes[i])) return true;
  return false;
}

static store_transaction *find_by_name(objects_filesystem *self, const objects_name *name) {
  store_transaction *at = self->transactions;
  while (at && !is_in(at, name))
    at = at->next;
  return at;
}

/* Compares addresses only: the token may be stale. */
static store_transaction **find_by_token(objects_filesystem *self,
                                         const TF_TransactionToken *token) {
  store_transaction **at = &self->transactions;
  while (*at && &(*at)->token != token)
    at = &(*at)->next;
  return at;
}

static bool is_free(const objects_filesystem *self, const store_transaction *own,
                    const objects_name *name) {
  for (const store_transaction *at = self->transactions; at; at = at->next)
    if (at != own && (is_in(at, name) || is_above(at, name))) return false;
  return true;
}

static void add_scope(const objects_filesystem *self, store_transaction *transaction,
                      const objects_name *name, TF_Status *status) {
  if (is_in(transaction, name)) return;
  if (!is_free(self, transaction, name)) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "another transaction covers the path, a parent of it or a path below it");
    return;
  }
  objects_name *scopes = realloc(transaction->scopes, (transaction->count + 1) * sizeof *scopes);
  if (!scopes) {
    fail_no_memory(status);
    return;
  }
  transaction->scopes = scopes;
  scopes[transaction->count++] = *name;
}

static store_transaction *begin(objects_filesystem *self, const TF_Filesystem *filesystem,
                                TF_Status *status) {
  store_transaction *made = fail_or_allocate(sizeof *made, status);
  if (!made) return NULL;
  made->token = (TF_TransactionToken){.token = made, .owner = (TF_Filesystem *)filesystem};
  made->serial = ++self->last_transaction;
  made->references = 1;
  made->is_open = true;
  made->next = self->transactions;
  self->transactions = made;
  return made;
}

/* Removes a transaction from the list and moves its steps to the caller. */
static store_transaction *detach(store_transaction **at, bool aborted, store_steps *steps) {
  store_transaction *transaction = *at;
  *at = transaction->next;
  transaction->is_open = false;
  transaction->aborted = aborted;
  *steps = transaction->steps;
  transaction->steps = (store_steps){0};
  return transaction;
}

/* For other operations ------------------------------------------------------------------------- */

store_transaction *store_transaction_of(const TF_Filesystem *filesystem, const objects_name *name) {
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  store_transaction *found = find_by_name(self, name);
  if (found) found->references++;
  remote_lock_give(taken);
  return found;
}

store_transaction_state store_transaction_add(const TF_Filesystem *filesystem,
                                              store_transaction *transaction, store_step *step) {
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  bool is_open = transaction->is_open, aborted = transaction->aborted;
  bool replaces = is_open && step->verb == STORE_PUBLISH && step->upload &&
                  objects_service_of(filesystem)->one_upload_per_key;
  store_step *replaced =
      replaces ? store_steps_take_replaced(&transaction->steps, &step->name) : NULL;
  if (is_open) store_steps_add(&transaction->steps, step);
  remote_lock_give(taken);
  store_step_free(replaced);
  return is_open   ? STORE_TRANSACTION_OPEN
         : aborted ? STORE_TRANSACTION_ABORTED
                   : STORE_TRANSACTION_COMMITTED;
}

store_staged store_transaction_look(const TF_Filesystem *filesystem,
                                    const store_transaction *transaction,
                                    const objects_name *name) {
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  store_staged found = store_steps_look(&transaction->steps, name);
  remote_lock_give(taken);
  return found;
}

/* Slots ---------------------------------------------------------------------------------------- */

static int result(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK ? 0 : -1;
}

static void end(const TF_Filesystem *filesystem, const TF_TransactionToken *token, bool commit,
                TF_Status *status) {
  store_steps steps = {0};
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  store_transaction **at = find_by_token(self, token);
  store_transaction *ended = *at ? detach(at, !commit, &steps) : NULL;
  remote_lock_give(taken);
  if (!ended)
    TF_SetStatus(status, TF_NOT_FOUND, "no such transaction is open");
  else if (commit)
    store_steps_run(filesystem, &steps, status);
  store_steps_end(&steps);
  store_transaction_release(filesystem, ended);
}

void store_transaction_fini(TF_Filesystem *filesystem) {
  objects_filesystem *self = objects_of(filesystem);
  TF_Status *status = self ? TF_NewStatus() : NULL;
  while (status && self->transactions)
    end(filesystem, &self->transactions->token, false, status);
  TF_DeleteStatus(status);
}

int store_start_transaction(const TF_Filesystem *filesystem, TF_TransactionToken **token,
                            TF_Status *status) {
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  store_transaction *made = begin(self, filesystem, status);
  remote_lock_give(taken);
  if (made) *token = &made->token;
  return result(status);
}

int store_end_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                          TF_Status *status) {
  end(filesystem, token, true, status);
  return result(status);
}

void store_abort_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                             TF_Status *status) {
  end(filesystem, token, false, status);
}

int store_add_to_transaction(const TF_Filesystem *filesystem, const char *path,
                             TF_TransactionToken *token, TF_Status *status) {
  objects_name name;
  if (!objects_name_parse(filesystem, path, &name, status)) return -1;
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  store_transaction *found = *find_by_token(self, token);
  if (found)
    add_scope(self, found, &name, status);
  else
    TF_SetStatus(status, TF_NOT_FOUND, "no such transaction is open");
  remote_lock_give(taken);
  return result(status);
}

/* Finds the transaction of a path, or starts one there; otherwise an uncovered path is a failure. */
static int take_token(const TF_Filesystem *filesystem, const char *path, bool starts,
                      TF_TransactionToken **token, TF_Status *status) {
  objects_name name;
  store_steps none = {0};
  store_transaction *failed = NULL;
  if (!objects_name_parse(filesystem, path, &name, status)) return -1;
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  store_transaction *found = find_by_name(self, &name);
  if (!found && starts) {
    found = begin(self, filesystem, status);
    if (found) add_scope(self, found, &name, status);
  } else if (!found) {
    TF_SetStatus(status, TF_NOT_FOUND, "the path is not in any transaction");
  }
  if (found && result(status) == 0)
    *token = &found->token;
  else if (found)
    failed = detach(find_by_token(self, &found->token), true, &none);
  remote_lock_give(taken);
  store_transaction_release(filesystem, failed);
  return result(status);
}

int store_get_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                   TF_TransactionToken **token, TF_Status *status) {
  return take_token(filesystem, path, false, token, status);
}

int store_get_or_start_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                            TF_TransactionToken **token, TF_Status *status) {
  return take_token(filesystem, path, true, token, status);
}

char *store_decode_transaction_token(const TF_Filesystem *filesystem,
                                     const TF_TransactionToken *token) {
  char text[96];
  uint64_t serial = 0;
  size_t paths = 0;
  objects_filesystem *self = objects_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  const store_transaction *found = *find_by_token(self, token);
  if (found) {
    serial = found->serial;
    paths = found->count;
  }
  remote_lock_give(taken);
  if (serial)
    snprintf(text, sizeof text, "%s transaction %" PRIu64 " (%zu paths)", self->scheme, serial,
             paths);
  else
    snprintf(text, sizeof text, "%s transaction (not open)", self->scheme);
  return strdup(text);
}
