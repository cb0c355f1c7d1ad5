/* Transactions and their tokens.
 *
 * A transaction is open, committed or aborted. It is open as long as it is in the filesystem's list;
 * the state only leaves open, once. `aborted` is an atomic because open files read it without a lock.
 *
 * The token that the host holds is a member of the transaction. It may be stale, so it is only
 * compared by address with those in the list, and never followed before it was found there.
 *
 * References: the list holds one, each file opened for writing in the transaction another. Ending it
 * removes it from the list, so tokens become invalid at once, while files still see `aborted`.
 *
 * Locks: the list and the scopes are under the tree lock. A commit exchanges all scopes in one
 * critical section, so no reader sees a part of it. What was displaced is freed after the lock is
 * released, because it may be a large tree.
 *
 * Who frees: the last reference. memory_transaction_abort_all ends what is open when the filesystem
 * is closed. Fork: a child has copies of all open transactions and may end them for itself. */
#include "transaction.h"

#include "error.h"
#include "filesystem.h"
#include "lock.h"
#include "path.h"
#include "route.h"
#include "scope.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint_fast64_t last_serial;

struct memory_transaction *memory_transaction_share(struct memory_transaction *transaction) {
  if (transaction) atomic_fetch_add_explicit(&transaction->references, 1, memory_order_relaxed);
  return transaction;
}

void memory_transaction_release(struct memory_transaction *transaction) {
  if (!transaction) return;
  if (atomic_fetch_sub_explicit(&transaction->references, 1, memory_order_acq_rel) == 1)
    free(transaction);
}

static struct memory_transaction *transaction_new(const TF_Filesystem *filesystem) {
  struct memory_transaction *transaction = calloc(1, sizeof(*transaction));
  if (!transaction) return NULL;
  atomic_init(&transaction->references, 1);
  transaction->serial = atomic_fetch_add(&last_serial, 1) + 1;
  transaction->token.token = transaction;
  transaction->token.owner = (TF_Filesystem *)filesystem;
  return transaction;
}

static void transaction_open(struct memory_filesystem *self,
                             struct memory_transaction *transaction) {
  transaction->next = self->transactions;
  self->transactions = transaction;
}

/* Finds the link to an open transaction. Compares addresses only: the token may be stale. */
static struct memory_transaction **transaction_find(struct memory_filesystem *self,
                                                    const TF_TransactionToken *token) {
  for (struct memory_transaction **at = &self->transactions; *at; at = &(*at)->next)
    if (&(*at)->token == token) return at;
  return NULL;
}

static struct memory_scope *transaction_commit(struct memory_filesystem *self,
                                               const struct memory_transaction *transaction) {
  struct memory_scope *scopes = memory_scope_detach(self, transaction);
  for (struct memory_scope *scope = scopes; scope; scope = scope->next)
    memory_scope_apply(self, scope);
  return scopes;
}

static memory_error transaction_end(struct memory_filesystem *self,
                                    const TF_TransactionToken *token, bool commit) {
  struct memory_transaction *transaction = NULL;
  struct memory_scope *scopes = NULL;
  memory_lock_tree();
  struct memory_transaction **at = transaction_find(self, token);
  if (at) {
    transaction = *at;
    *at = transaction->next;
    if (!commit) atomic_store(&transaction->aborted, true);
    scopes =
        commit ? transaction_commit(self, transaction) : memory_scope_detach(self, transaction);
  }
  memory_unlock_tree();
  memory_scope_free(scopes);
  memory_transaction_release(transaction);
  return at ? MEMORY_OK : MEMORY_NO_TRANSACTION;
}

void memory_transaction_abort_all(struct memory_filesystem *filesystem) {
  while (filesystem->transactions)
    transaction_end(filesystem, &filesystem->transactions->token, false);
}

static int transaction_result(memory_error error, TF_Status *status) {
  memory_error_report(error, status);
  return error ? -1 : 0;
}

int memory_fs_start_transaction(const TF_Filesystem *filesystem, TF_TransactionToken **token,
                                TF_Status *status) {
  struct memory_transaction *transaction = transaction_new(filesystem);
  if (!transaction) return transaction_result(MEMORY_NO_MEMORY, status);
  memory_lock_tree();
  transaction_open(memory_filesystem_of(filesystem), transaction);
  memory_unlock_tree();
  *token = &transaction->token;
  return 0;
}

int memory_fs_end_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                              TF_Status *status) {
  return transaction_result(transaction_end(memory_filesystem_of(filesystem), token, true), status);
}

void memory_fs_abort_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                                 TF_Status *status) {
  memory_error_report(transaction_end(memory_filesystem_of(filesystem), token, false), status);
}

/* The path that scopes know: links are not part of it. Under the tree lock. */
static memory_error find_route(const struct memory_filesystem *self, const char *path,
                               size_t length, struct memory_route *route) {
  *route = (struct memory_route){.staged = true, .follows = true};
  return memory_route_find(self, path, length, route);
}

int memory_fs_add_to_transaction(const TF_Filesystem *filesystem, const char *path,
                                 TF_TransactionToken *token, TF_Status *status) {
  struct memory_filesystem *self = memory_filesystem_of(filesystem);
  struct memory_route route = {0};
  size_t length;
  memory_error error = memory_path_check(path, &length);
  if (error) return transaction_result(error, status);
  memory_lock_tree();
  struct memory_transaction **at = transaction_find(self, token);
  error = at ? find_route(self, path, length, &route) : MEMORY_NO_TRANSACTION;
  if (!error) error = memory_scope_add(self, *at, route.path, route.length);
  memory_unlock_tree();
  memory_route_fini(&route);
  return transaction_result(error, status);
}

int memory_fs_get_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                       TF_TransactionToken **token, TF_Status *status) {
  const struct memory_filesystem *self = memory_filesystem_of(filesystem);
  struct memory_route route = {0};
  size_t length;
  memory_error error = memory_path_check(path, &length);
  if (error) return transaction_result(error, status);
  memory_lock_tree();
  error = find_route(self, path, length, &route);
  const struct memory_scope *scope =
      error ? NULL : memory_scope_find(self, route.path, route.length);
  if (scope) *token = &scope->transaction->token;
  memory_unlock_tree();
  memory_route_fini(&route);
  if (!error && !scope) error = MEMORY_NOT_COVERED;
  return transaction_result(error, status);
}

/* The path is without links. */
static memory_error get_or_start(const TF_Filesystem *filesystem, const char *path, size_t length,
                                 struct memory_transaction **transaction) {
  struct memory_filesystem *self = memory_filesystem_of(filesystem);
  const struct memory_scope *scope = memory_scope_find(self, path, length);
  if (scope) {
    *transaction = scope->transaction;
    return MEMORY_OK;
  }
  struct memory_transaction *started = transaction_new(filesystem);
  if (!started) return MEMORY_NO_MEMORY;
  memory_error error = memory_scope_add(self, started, path, length);
  if (error) {
    memory_transaction_release(started);
    return error;
  }
  transaction_open(self, started);
  *transaction = started;
  return MEMORY_OK;
}

int memory_fs_get_or_start_transaction_for_path(const TF_Filesystem *filesystem, const char *path,
                                                TF_TransactionToken **token, TF_Status *status) {
  struct memory_transaction *transaction;
  struct memory_route route = {0};
  size_t length;
  memory_error error = memory_path_check(path, &length);
  if (error) return transaction_result(error, status);
  memory_lock_tree();
  error = find_route(memory_filesystem_of(filesystem), path, length, &route);
  if (!error) error = get_or_start(filesystem, route.path, route.length, &transaction);
  if (!error) *token = &transaction->token;
  memory_unlock_tree();
  memory_route_fini(&route);
  return transaction_result(error, status);
}

char *memory_fs_decode_transaction_token(const TF_Filesystem *filesystem,
                                         const TF_TransactionToken *token) {
  struct memory_filesystem *self = memory_filesystem_of(filesystem);
  uint64_t serial = 0;
  size_t paths = 0;
  char text[96] = "mem transaction (not open)";
  memory_lock_tree();
  struct memory_transaction **at = transaction_find(self, token);
  if (at) serial = (*at)->serial;
  for (size_t i = 0; at && i < self->scope_count; ++i)
    paths += self->scopes[i]->transaction == *at;
  memory_unlock_tree();
  if (serial) snprintf(text, sizeof text, "mem transaction %" PRIu64 " (%zu paths)", serial, paths);
  return strdup(text);
}
