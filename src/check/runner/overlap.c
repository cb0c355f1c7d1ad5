/* The schedule of two overlapping calls.
 *
 * The calling thread performs `first`. At the point where the shim holds it, it starts the thread of
 * `second` and waits until that has ended, or waits for a lock, or PATIENCE is over: it may also wait for
 * something that the shim does not see. Then `first` goes on to its end, and the other thread is joined.
 * So both calls overlap in one order that depends on k alone, unless the patience was too short; any order
 * is one that the contract allows, so a busy machine does not make a case fail.
 *
 * Shared while both run: `ended`, an atomic; all else belongs to one thread until the join. No locks. A
 * plugin that deadlocks hangs here, and `modfs check` ends the process. Files that were opened are closed
 * on the calling thread after the join. Fork: nobody forks meanwhile. */
#include "overlap.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/shim/shim.h"

/* Most calls take microseconds: the first pauses are turns of other threads, the rest 50 microseconds. */
enum { PATIENCE = 450, SHORT = 50, PAUSE = 50000 };

typedef struct overlap {
  const runner_plugin *plugin;
  overlap_call *second;
  pthread_t thread;
  bool started;
  size_t waiting; /* threads that waited before */
  atomic_bool ended;
} overlap;

/* Calls ------------------------------------------------------------------------------------- */

typedef void (*path_slot)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
typedef void (*pair_slot)(const TF_Filesystem *filesystem, const char *src, const char *dst,
                          TF_Status *status);

static path_slot path_slot_of(const runner_plugin *p, const char *slot) {
  const struct {
    const char *name;
    path_slot call;
  } rows[] = {{"create_dir", p->ops.create_dir},
              {"recursively_create_dir", p->ops.recursively_create_dir},
              {"delete_file", p->ops.delete_file},
              {"delete_dir", p->ops.delete_dir},
              {"path_exists", p->ops.path_exists}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, slot) == 0) return rows[i].call;
  return NULL;
}

static pair_slot pair_slot_of(const runner_plugin *p, const char *slot) {
  if (strcmp(slot, "rename_file") == 0) return p->ops.rename_file;
  return strcmp(slot, "copy_file") == 0 ? p->ops.copy_file : NULL;
}

static void list(const runner_plugin *p, const char *path, TF_Status *status) {
  char **entries = NULL;
  int count = p->ops.get_children(&p->fs, path, &entries, status);
  for (int i = 0; i < count; i++)
    p->info.plugin_memory_free(entries[i]);
  if (count >= 0) p->info.plugin_memory_free((void *)entries);
}

static void ask(const runner_plugin *p, const char *slot, const char *path, TF_Status *status) {
  TF_FileStatistics stats;
  if (strcmp(slot, "stat") == 0)
    p->ops.stat(&p->fs, path, &stats, status);
  else if (strcmp(slot, "get_file_size") == 0)
    (void)p->ops.get_file_size(&p->fs, path, status);
  else
    list(p, path, status);
}

static void open_file(const runner_plugin *p, overlap_call *call, TF_Status *status) {
  bool reads = strcmp(call->slot, "new_random_access_file") == 0;
  if (reads)
    p->ops.new_random_access_file(&p->fs, call->path, &call->file, status);
  else if (strcmp(call->slot, "new_writable_file") == 0)
    p->ops.new_writable_file(&p->fs, call->path, &call->writable, status);
  else
    p->ops.new_appendable_file(&p->fs, call->path, &call->writable, status);
  if (TF_GetCode(status) == TF_OK) call->state = reads ? OVERLAP_READING : OVERLAP_WRITING;
}

static bool is_about_writable(const char *slot) {
  return strcmp(slot, "append") == 0 || strcmp(slot, "close") == 0;
}

static void write_file(const runner_plugin *p, overlap_call *call, TF_Status *status) {
  if (call->state != OVERLAP_WRITING) return;
  if (strcmp(call->slot, "append") == 0) {
    p->writable.append(&call->writable, "more", 4, status);
  } else {
    p->writable.close(&call->writable, status);
    call->state = OVERLAP_CLOSED;
  }
}

bool runner_overlap_has(const runner_plugin *p, const char *slot) {
  const struct {
    const char *name;
    bool has;
  } rows[] = {{"stat", p->ops.stat},
              {"get_file_size", p->ops.get_file_size},
              {"get_children", p->ops.get_children},
              {"new_random_access_file", p->ops.new_random_access_file},
              {"new_writable_file", p->ops.new_writable_file},
              {"new_appendable_file", p->ops.new_appendable_file},
              {"append", p->ops.new_appendable_file && p->writable.append},
              {"close", p->ops.new_appendable_file && p->writable.append && p->writable.close}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, slot) == 0) return rows[i].has;
  return path_slot_of(p, slot) || pair_slot_of(p, slot);
}

static void perform(const runner_plugin *p, overlap_call *call) {
  TF_Status *status = TF_NewStatus();
  runner_enter();
  path_slot one = path_slot_of(p, call->slot);
  pair_slot two = pair_slot_of(p, call->slot);
  if (one)
    one(&p->fs, call->path, status);
  else if (two)
    two(&p->fs, call->path, call->other, status);
  else if (strncmp(call->slot, "new_", 4) == 0)
    open_file(p, call, status);
  else if (is_about_writable(call->slot))
    write_file(p, call, status);
  else
    ask(p, call->slot, call->path, status);
  runner_leave();
  call->code = TF_GetCode(status);
  TF_DeleteStatus(status);
}

/* Opens the file that append and close are about. */
static void begin(const runner_plugin *p, overlap_call *call) {
  if (!is_about_writable(call->slot)) return;
  TF_Status *status = TF_NewStatus();
  runner_enter();
  open_file(p, call, status);
  if (call->state == OVERLAP_WRITING && strcmp(call->slot, "close") == 0)
    p->writable.append(&call->writable, "more", 4, status);
  runner_leave();
  TF_DeleteStatus(status);
}

static void end(const runner_plugin *p, overlap_call *call) {
  TF_Status *status = TF_NewStatus();
  runner_enter();
  if (call->state == OVERLAP_WRITING && p->writable.close)
    p->writable.close(&call->writable, status);
  if (call->state == OVERLAP_READING)
    p->file.cleanup(&call->file);
  else if (call->state != OVERLAP_NO_FILE)
    p->writable.cleanup(&call->writable);
  runner_leave();
  TF_DeleteStatus(status);
}

/* The schedule ------------------------------------------------------------------------------ */

static void *run_second(void *context) {
  overlap *self = context;
  perform(self->plugin, self->second);
  atomic_store(&self->ended, true);
  return NULL;
}

static void hold(void *context) {
  overlap *self = context;
  const struct timespec pause = {.tv_nsec = PAUSE};
  self->waiting = modfs_shim.waiting();
  self->started = pthread_create(&self->thread, NULL, run_second, self) == 0;
  for (int i = 0; i < PATIENCE && self->started; i++) {
    if (atomic_load(&self->ended) || modfs_shim.waiting() > self->waiting) return;
    if (i < SHORT)
      sched_yield();
    else
      nanosleep(&pause, NULL);
  }
}

bool runner_overlap_run(const runner_plugin *plugin, size_t k, overlap_call *first,
                        overlap_call *second) {
  overlap self = {.plugin = plugin, .second = second};
  begin(plugin, first);
  begin(plugin, second);
  if (k > 0) modfs_shim.stop(k, hold, &self);
  perform(plugin, first);
  if (k > 0) {
    modfs_shim.stop(0, NULL, NULL);
    if (self.started) pthread_join(self.thread, NULL);
  } else {
    perform(plugin, second);
    self.started = true;
  }
  end(plugin, first);
  end(plugin, second);
  return self.started;
}
