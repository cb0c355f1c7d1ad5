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
 * Locks: s3_lock_take_all guards the list, last_transaction, transactions_of and every member of every
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

#include "error.h"
#include "lock.h"

/* Takes the lock; in a child, drops the parent's transactions from the list. */
static pthread_mutex_t *lock(s3_filesystem *self) {
  pthread_mutex_t *taken = s3_lock_take_all();
  if (self->transactions_of != getpid()) self->transactions = NULL;
  self->transactions_of = getpid();
  return taken;
}

static void transaction_free(s3_transaction *transaction) {
  s3_steps_end(&transaction->steps);
  free(transaction->scopes);
  free(transaction);
}

void s3_transaction_release(const TF_Filesystem *filesystem, s3_transaction *transaction) {
  if (!transaction) return;
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  bool last = --transaction->references == 0;
  s3_lock_give(taken);
  if (last) transaction_free(transaction);
}

/* Under the lock ------------------------------------------------------------------------------ */

static bool is_in(const s3_transaction *transaction, const s3_name *name) {
  for (size_t i = 0; i < transaction->count; i++)
    if (s3_name_covers(&transaction->scopes[i], name)) return true;
  return false;
}

static bool is_above(const s3_transaction *transaction, const s3_name *name) {
  for (size_t i = 0; i < transaction->count; i++)
    if (s3_name_covers(name, &transaction->scopes[i])) return true;
  return false;
}

static s3_transaction *find_by_name(s3_filesystem *self, const s3_name *name) {
  s3_transaction *at = self->transactions;
  while (at && !is_in(at, name))
    at = at->next;
  return at;
}

/* Compares addresses only: the token may be stale. */
static s3_transaction **find_by_token(s3_filesystem *self, const TF_TransactionToken *token) {
  s3_transaction **at = &self->transactions;
  while (*at && &(*at)->token != token)
    at = &(*at)->next;
  return at;
}

static bool is_free(const s3_filesystem *self, const s3_transaction *own, const s3_name *name) {
  for (const s3_transaction *at = self->transactions; at; at = at->next)
    if (at != own && (is_in(at, name) || is_above(at, name))) return false;
  return true;
}

static void add_scope(const s3_filesystem *self, s3_transaction *transaction, const s3_name *name,
                      TF_Status *status) {
  if (is_in(transaction, name)) return;
  if (!is_free(self, transaction, name)) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "another transaction covers the path, a parent of it or a path below it");
    return;
  }
  s3_name *scopes = realloc(transaction->scopes, (transaction->count + 1) * sizeof *scopes);
  if (!scopes) {
    s3_no_memory(status);
    return;
  }
  transaction->scopes = scopes;
  scopes[transaction->count++] = *name;
}

static s3_transaction *begin(s3_filesystem *self, const TF_Filesystem *filesystem,
                             TF_Status *status) {
  s3_transaction *made = calloc(1, sizeof *made);
  if (!made) {
    s3_no_memory(status);
    return NULL;
  }
  made->token = (TF_TransactionToken){.token = made, .owner = (TF_Filesystem *)filesystem};
  made->serial = ++self->last_transaction;
  made->references = 1;
  made->is_open = true;
  made->next = self->transactions;
  self->transactions = made;
  return made;
}

/* Removes a transaction from the list and moves its steps to the caller. */
static s3_transaction *detach(s3_transaction **at, bool aborted, s3_steps *steps) {
  s3_transaction *transaction = *at;
  *at = transaction->next;
  transaction->is_open = false;
  transaction->aborted = aborted;
  *steps = transaction->steps;
  transaction->steps = (s3_steps){0};
  return transaction;
}

/* For other operations ------------------------------------------------------------------------- */

s3_transaction *s3_transaction_of(const TF_Filesystem *filesystem, const s3_name *name) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  s3_transaction *found = find_by_name(self, name);
  if (found) found->references++;
  s3_lock_give(taken);
  return found;
}

s3_transaction_state s3_transaction_add(const TF_Filesystem *filesystem,
                                        s3_transaction *transaction, s3_step *step) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  bool is_open = transaction->is_open, aborted = transaction->aborted;
  if (is_open) s3_steps_add(&transaction->steps, step);
  s3_lock_give(taken);
  return is_open   ? S3_TRANSACTION_OPEN
         : aborted ? S3_TRANSACTION_ABORTED
                   : S3_TRANSACTION_COMMITTED;
}

s3_staged s3_transaction_look(const TF_Filesystem *filesystem, const s3_transaction *transaction,
                              const s3_name *name) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  s3_staged found = s3_steps_look(&transaction->steps, name);
  s3_lock_give(taken);
  return found;
}

/* Slots ---------------------------------------------------------------------------------------- */

static int result(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK ? 0 : -1;
}

static void end(const TF_Filesystem *filesystem, const TF_TransactionToken *token, bool commit,
                TF_Status *status) {
  s3_steps steps = {0};
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  s3_transaction **at = find_by_token(self, token);
  s3_transaction *ended = *at ? detach(at, !commit, &steps) : NULL;
  s3_lock_give(taken);
  if (!ended)
    TF_SetStatus(status, TF_NOT_FOUND, "no such transaction is open");
  else if (commit)
    s3_steps_run(filesystem, &steps, status);
  s3_steps_end(&steps);
  s3_transaction_release(filesystem, ended);
}

void s3_transaction_fini(TF_Filesystem *filesystem) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  TF_Status *status = self ? TF_NewStatus() : NULL;
  while (status && self->transactions)
    end(filesystem, &self->transactions->token, false, status);
  TF_DeleteStatus(status);
}

int s3_start_transaction(const TF_Filesystem *filesystem, TF_TransactionToken **token,
                         TF_Status *status) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  s3_transaction *made = begin(self, filesystem, status);
  s3_lock_give(taken);
  if (made) *token = &made->token;
  return result(status);
}

int s3_end_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                       TF_Status *status) {
  end(filesystem, token, true, status);
  return result(status);
}

void s3_abort_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                          TF_Status *status) {
  end(filesystem, token, false, status);
}

int s3_add_to_transaction(const TF_Filesystem *filesystem, const char *path,
                          TF_TransactionToken *token, TF_Status *status) {
  s3_name name;
  if (!s3_name_parse(path, &name, status)) return -1;
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  s3_transaction *found = *find_by_token(self, token);
  if (found)
    add_scope(self, found, &name, status);
  else
    TF_SetStatus(status, TF_NOT_FOUND, "no such transaction is open");
  s3_lock_give(taken);
  return result(status);
}

/* Finds the transaction of a path, or starts one there; otherwise an uncovered path is a failure. */
static int take_token(const TF_Filesystem *filesystem, const char *path, bool starts,
                      TF_TransactionToken **token, TF_Status *status) {
  s3_name name;
  s3_steps none = {0};
  s3_transaction *failed = NULL;
  if (!s3_name_parse(path, &name, status)) return -1;
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  s3_transaction *found = find_by_name(self, &name);
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
  s3_lock_give(taken);
  s3_transaction_release(filesystem, failed);
  return result(status);
}

int s3_get_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                TF_TransactionToken **token, TF_Status *status) {
  return take_token(filesystem, path, false, token, status);
}

int s3_get_or_start_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                         TF_TransactionToken **token, TF_Status *status) {
  return take_token(filesystem, path, true, token, status);
}

char *s3_decode_transaction_token(const TF_Filesystem *filesystem,
                                  const TF_TransactionToken *token) {
  char text[96] = "s3 transaction (not open)";
  uint64_t serial = 0;
  size_t paths = 0;
  s3_filesystem *self = s3_filesystem_of(filesystem);
  pthread_mutex_t *taken = lock(self);
  const s3_transaction *found = *find_by_token(self, token);
  if (found) {
    serial = found->serial;
    paths = found->count;
  }
  s3_lock_give(taken);
  if (serial) snprintf(text, sizeof text, "s3 transaction %" PRIu64 " (%zu paths)", serial, paths);
  return strdup(text);
}
