/* Read-ahead.
 *
 * A ring of slots between one thread, which fills them, and one reader, which empties them. The
 * ring is paused (not active), running, or ended; it has ended when a read came back short or
 * failed, and stays so until the next jump. A jump, to the offset that the reader asks for or to
 * none (a pause), empties the ring and moves "generation" on; a piece whose read began in an older
 * generation is dropped when it arrives.
 *
 * The lock guards all members below it except the bytes of the slot that is being filled. That
 * slot is behind the full ones, so it belongs to the thread alone: the reader touches full slots
 * only, and after a jump there are none. The lock is never held over a read of the file, nor
 * together with another lock. "changed" is signalled by both sides: a slot was filled, emptied or
 * dropped.
 *
 * A failure is not stored: the reader first gets what precedes it, then pauses the thread and
 * reads for itself, which yields either the failure or bytes that have been added since.
 *
 * The thread works for no job, as several may use the file one after another; its own context makes
 * a read that is under way end when the file is closed.
 *
 * ahead_stop joins the thread and frees all. A forked child has no such thread, and the lock may
 * be locked for good: there nothing but the memory is freed, and reading fails. */
#include "ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/fs/file.h"
#include "core/base/interruption.h"
#include "core/base/job_context.h"
#include "core/registry/registry.h"
#include "core/base/status.h"

enum { SLOTS = 4, PIECE = 256 * 1024 };

struct ahead {
  modfs_file *file;
  pthread_t thread;
  TF_Status *status; /* used by the thread alone */
  job_context context;
  unsigned epoch;
  pthread_mutex_t lock; /* guards what follows, except for the slot that is being filled */
  pthread_cond_t changed;
  unsigned long generation; /* changes with each jump */
  bool active, ended, failed, stopping;
  uint64_t offset; /* of the next byte for the reader */
  uint64_t next;   /* of the next piece to fetch */
  size_t first;    /* the first full slot */
  size_t count;    /* of full slots */
  size_t taken;    /* bytes of the first full slot that the reader has */
  size_t used[SLOTS];
  char slots[SLOTS][PIECE];
};

/* The thread ------------------------------------------------------------------- */

static void put(ahead *self, int64_t got) {
  self->failed = got < 0;
  self->ended = got < PIECE;
  if (got <= 0) return;
  self->used[(self->first + self->count++) % SLOTS] = (size_t)got;
  self->next += (uint64_t)got;
}

static bool waits(const ahead *self) {
  return !self->stopping && (!self->active || self->ended || self->count == SLOTS);
}

static void *fetch_all(void *argument) {
  ahead *self = argument;
  job_context_enter(&self->context);
  pthread_mutex_lock(&self->lock);
  while (!self->stopping) {
    if (waits(self)) {
      pthread_cond_wait(&self->changed, &self->lock);
      continue;
    }
    char *slot = self->slots[(self->first + self->count) % SLOTS];
    unsigned long generation = self->generation;
    uint64_t offset = self->next;
    pthread_mutex_unlock(&self->lock);
    status_clear(self->status);
    int64_t got = file_read(self->file, offset, PIECE, slot, self->status);
    pthread_mutex_lock(&self->lock);
    if (generation != self->generation) continue;
    put(self, got);
    pthread_cond_broadcast(&self->changed);
  }
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

/* Signals are handled by the host's threads: all are blocked in this one. */
static int start_thread(ahead *self) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&self->thread, NULL, fetch_all, self);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

ahead *ahead_start(modfs_file *file, TF_Status *status) {
  ahead *self = malloc(sizeof *self);
  if (!self) {
    status_no_memory(status);
    return NULL;
  }
  memset(self, 0, offsetof(ahead, slots));
  self->file = file;
  self->epoch = registry_epoch();
  pthread_mutex_init(&self->lock, NULL);
  pthread_cond_init(&self->changed, NULL);
  self->status = TF_NewStatus();
  if (self->status && start_thread(self) == 0) return self;
  TF_DeleteStatus(self->status);
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "cannot start the read-ahead thread");
  free(self);
  return NULL;
}

void ahead_stop(ahead *self) {
  if (!self) return;
  if (self->epoch == registry_epoch()) {
    pthread_mutex_lock(&self->lock);
    self->stopping = true;
    atomic_store(&self->context.ends, TF_CANCELLED);
    self->generation++;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->thread, NULL);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
  }
  TF_DeleteStatus(self->status);
  free(self);
}

/* The reader ------------------------------------------------------------------- */

static void jump(ahead *self, uint64_t offset, bool active) {
  self->generation++;
  self->active = active;
  self->ended = self->failed = false;
  self->first = self->count = self->taken = 0;
  self->offset = self->next = offset;
}

void ahead_pause(ahead *self) {
  if (!self || self->epoch != registry_epoch()) return;
  pthread_mutex_lock(&self->lock);
  jump(self, UINT64_MAX, false);
  pthread_mutex_unlock(&self->lock);
}

static size_t take(ahead *self, char *buffer, size_t n) {
  size_t left = self->used[self->first] - self->taken, taken = n < left ? n : left;
  memcpy(buffer, self->slots[self->first] + self->taken, taken);
  self->taken += taken;
  self->offset += taken;
  if (taken < left) return taken;
  self->taken = 0;
  self->first = (self->first + 1) % SLOTS;
  self->count--;
  pthread_cond_broadcast(&self->changed);
  return taken;
}

/* Takes n bytes, waiting for those that are not there yet; fewer at the end or when the call is to
 * end, -1 on a failure. */
static int64_t take_all(ahead *self, uint64_t offset, size_t n, char *buffer) {
  size_t taken = 0;
  pthread_mutex_lock(&self->lock);
  if (!self->active || self->offset != offset) {
    jump(self, offset, true);
    pthread_cond_broadcast(&self->changed);
  }
  while (taken < n && (self->count > 0 || !self->ended) && !interruption_is_wanted()) {
    if (self->count > 0)
      taken += take(self, buffer + taken, n - taken);
    else
      interruption_wait(&self->changed, &self->lock);
  }
  bool failed = taken < n && self->failed;
  pthread_mutex_unlock(&self->lock);
  return failed ? -1 : (int64_t)taken;
}

int64_t ahead_read(ahead *self, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
  if (self->epoch != registry_epoch()) {
    TF_SetStatus(
        status, TF_FAILED_PRECONDITION,
        "its read-ahead thread belongs to the parent process; open it again after the fork");
    return -1;
  }
  int64_t taken = take_all(self, offset, n, buffer);
  if (interruption_ends(status)) return -1;
  if (taken > 0 || n == 0) return taken;
  ahead_pause(self);
  return file_read(self->file, offset, n, buffer, status); /* the failure, or bytes added since */
}
