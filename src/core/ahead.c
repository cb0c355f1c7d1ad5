#include "ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "registry.h"
#include "status.h"

enum { SLOTS = 4, PIECE = 256 * 1024 };

struct ahead {
  modfs_file *file;
  pthread_t thread;
  TF_Status *status; /* the thread's */
  unsigned epoch;
  pthread_mutex_t lock; /* of what follows, but for the slot that is being filled */
  pthread_cond_t changed;
  unsigned long generation; /* changes with each jump: what was on its way is dropped */
  bool active, ended, failed, stopping;
  uint64_t offset; /* of the next byte to be taken */
  uint64_t next;   /* of the next piece to be fetched */
  size_t first;    /* of the slots that are full: count of them */
  size_t count;
  size_t taken; /* of the first one */
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
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no thread to read ahead");
  free(self);
  return NULL;
}

void ahead_stop(ahead *self) {
  if (!self) return;
  if (self->epoch == registry_epoch()) {
    pthread_mutex_lock(&self->lock);
    self->stopping = true;
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

/* What the thread has or is about to have; less at the end, -1 where it failed. */
static int64_t take_all(ahead *self, uint64_t offset, size_t n, char *buffer) {
  size_t taken = 0;
  pthread_mutex_lock(&self->lock);
  if (!self->active || self->offset != offset) {
    jump(self, offset, true);
    pthread_cond_broadcast(&self->changed);
  }
  while (taken < n && (self->count > 0 || !self->ended)) {
    if (self->count > 0)
      taken += take(self, buffer + taken, n - taken);
    else
      pthread_cond_wait(&self->changed, &self->lock);
  }
  bool failed = taken < n && self->failed;
  pthread_mutex_unlock(&self->lock);
  return failed ? -1 : (int64_t)taken;
}

int64_t ahead_read(ahead *self, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
  if (self->epoch != registry_epoch()) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "it reads ahead by a thread of the process that this one was forked from");
    return -1;
  }
  int64_t taken = take_all(self, offset, n, buffer);
  if (taken > 0 || n == 0) return taken;
  ahead_pause(self);
  return file_read(self->file, offset, n, buffer, status); /* the failure, or what came since */
}
