/* Deleting many objects.
 *
 * Keys gather in one block, at most as many as the service takes with one request; then, and at the end, they
 * are deleted. A key that the service cannot put into such a request goes by a request of its own. Once the
 * server has refused the common request as unknown, or where the service has none, keys are deleted one by
 * one, several at a time.
 *
 * The status keeps the first failure; later ones are only counted, by files and directories, and do not stop
 * the batch. A batch is for one thread; nothing of it outlives store_batch_end, which frees the keys. Several
 * threads delete for it only in delete_each, where a lock guards what they count. */
#include "batch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../parallel/parallel.h"

enum { KEYS_ONE_BY_ONE = 256 };

void store_batch_init(store_batch *batch, const TF_Filesystem *filesystem, const objects_name *name,
                      TF_Status *status) {
  *batch = (store_batch){.keys = {.filesystem = filesystem, .name = name, .counts = &batch->left},
                         .left = {.status = status}};
}

static const objects_service *service_of(const store_batch *batch) {
  return objects_service_of(batch->keys.filesystem);
}

/* One by one --------------------------------------------------------------------------------- */

static bool delete_one(const store_batch *batch, const char *key, TF_Status *status) {
  const objects_service *service = service_of(batch);
  objects_name name = *batch->keys.name;
  bool missing = false;
  if (snprintf(name.key, sizeof name.key, "%s", key) < (int)sizeof name.key)
    return service->remove(batch->keys.filesystem, &name, &missing, status);
  objects_fail(status, TF_DATA_LOSS, (objects_action){service->delete_operation, batch->keys.name},
               "no such key");
  return false;
}

/* Counts a key that is left; without a status memory was short. */
static void leave(const store_batch *batch, const char *key, const TF_Status *status) {
  if (!status && TF_GetCode(batch->left.status) == TF_OK) fail_no_memory(batch->left.status);
  objects_batch_left(&batch->keys, key, status);
}

static void delete_alone(const store_batch *batch, const char *key) {
  TF_Status *status = TF_NewStatus();
  if (!status || !delete_one(batch, key, status)) leave(batch, key, status);
  TF_DeleteStatus(status);
}

typedef struct each {
  const store_batch *batch;
  const char **keys;
  pthread_mutex_t lock;
} each;

static bool delete_next(void *state, uint64_t i) {
  each *self = state;
  TF_Status *status = TF_NewStatus();
  if (!status || !delete_one(self->batch, self->keys[i], status)) {
    pthread_mutex_lock(&self->lock);
    leave(self->batch, self->keys[i], status);
    pthread_mutex_unlock(&self->lock);
  }
  TF_DeleteStatus(status);
  return true;
}

static void each_key(const store_batch *batch, void (*visit)(const store_batch *, const char *)) {
  const char *key = batch->keys.keys.bytes;
  for (int i = 0; i < batch->keys.count; i++, key += strlen(key) + 1)
    visit(batch, key);
}

static void delete_each(const store_batch *batch) {
  uint64_t n = (uint64_t)batch->keys.count;
  each all = {batch, calloc(n, sizeof *all.keys), PTHREAD_MUTEX_INITIALIZER};
  if (!all.keys) {
    each_key(batch, delete_alone);
    return;
  }
  const char *key = batch->keys.keys.bytes;
  for (uint64_t i = 0; i < n; i++, key += strlen(key) + 1)
    all.keys[i] = key;
  parallel_for(n, (int)remote_number(batch->keys.filesystem, OBJECTS_PARALLEL), delete_next, &all);
  free(all.keys);
}

/* Many at once ------------------------------------------------------------------------------- */

static void leave_for_memory(const store_batch *batch, const char *key) {
  leave(batch, key, NULL);
}

static void count_left(const store_batch *batch, const char *key) {
  objects_batch_left(&batch->keys, key, NULL);
}

static void delete_all(store_batch *batch, TF_Status *status) {
  if (service_of(batch)->delete_many(&batch->keys, status)) return;
  batch->one_by_one = TF_GetCode(status) == TF_OK;
  if (batch->one_by_one) {
    delete_each(batch);
  } else {
    objects_batch_note(&batch->keys, status);
    each_key(batch, count_left);
  }
}

static bool is_one_by_one(const store_batch *batch) {
  return batch->one_by_one || !service_of(batch)->delete_many;
}

static void flush(store_batch *batch) {
  TF_Status *status = batch->keys.count > 0 ? TF_NewStatus() : NULL;
  if (!status)
    each_key(batch, leave_for_memory);
  else if (is_one_by_one(batch))
    delete_each(batch);
  else
    delete_all(batch, status);
  TF_DeleteStatus(status);
  batch->keys.count = 0;
  batch->keys.keys.length = 0;
}

void store_batch_add(store_batch *batch, const char *key) {
  const objects_service *service = service_of(batch);
  int most = is_one_by_one(batch) ? KEYS_ONE_BY_ONE : service->most_batch;
  if (strlen(key) > OBJECTS_MOST_KEY || (service->batch_takes && !service->batch_takes(key)) ||
      !objects_texts_add(&batch->keys.keys, key))
    delete_alone(batch, key);
  else if (++batch->keys.count >= most)
    flush(batch);
}

void store_batch_end(store_batch *batch) {
  flush(batch);
  free(batch->keys.keys.bytes);
  batch->keys.keys = (objects_texts){0};
}
