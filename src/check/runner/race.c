/* Races: RACE_THREADS threads call one plugin at once, and each checks its own results.
 *
 * States of a race: prepared by the scenario on one thread; starting, while threads are created under
 * race->lock, which each of them waits for; running, if all could be created; `over`, once time is up or
 * a check has failed; joined. If one cannot be created, the race fails and no round begins. `over` is set
 * once. Each thread performs at least one round and looks at `over` between rounds only, so a round that
 * has begun always ends. Rounds with a barrier count for themselves, so that all threads leave together.
 *
 * Shared while it runs: plugin, root, content, file, region and directory are constant; over, checks, won and
 * `rounds` are atomics; `started`, `failure` and `missing` are written under race->lock, and the last
 * two keep the first entry.
 * Everything else in a race_thread is its thread's alone. Results are read after the join, without lock.
 *
 * Locks: race->lock is a leaf; no plugin is called while it is held. A plugin that deadlocks hangs the
 * race; `modfs check` limits the time of the process that runs it.
 *
 * Who frees: race_run joins its threads and deletes their statuses. A scenario deletes the status of a
 * thread made by race_alone. Fork: nobody forks during a race. */
#include "race.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ENOUGH_ROUNDS = 50 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void race_fail(runner_race *race, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&race->lock);
  if (!race->failure[0]) vsnprintf(race->failure, sizeof race->failure, format, arguments);
  pthread_mutex_unlock(&race->lock);
  va_end(arguments);
  atomic_store(&race->over, true);
}

bool race_has(runner_race *race, bool has, const char *operation) {
  if (!has) race->missing = operation;
  return has;
}

void race_miss(runner_race *race, const char *operation) {
  pthread_mutex_lock(&race->lock);
  if (!race->missing) race->missing = operation;
  pthread_mutex_unlock(&race->lock);
  atomic_store(&race->over, true);
}

bool race_check(race_thread *self, bool holds, const char *words) {
  atomic_fetch_add(&self->race->checks, 1);
  if (!holds) race_fail(self->race, "%s", words);
  return holds;
}

TF_Status *race_status(race_thread *self) {
  TF_SetStatus(self->status, TF_OK, "");
  return self->status;
}

TF_Code race_code(const race_thread *self) {
  return TF_GetCode(self->status);
}

static void add_name(race_called *called, const char *name) {
  for (size_t i = 0; i < called->count; i++)
    if (called->names[i] == name || strcmp(called->names[i], name) == 0) return;
  if (called->count < RACE_CALLED) called->names[called->count++] = name;
}

void race_note(race_thread *self, const char *slot) {
  add_name(&self->called, slot);
}

bool race_expect(race_thread *self, const char *operation, unsigned codes) {
  unsigned code = (unsigned)race_code(self);
  atomic_fetch_add(&self->race->checks, 1);
  if (code == TF_OK) race_note(self, operation);
  if (code < 32 && codes & CODE(code)) return true;
  if (code == TF_UNIMPLEMENTED) {
    race_miss(self->race, operation);
    return false;
  }
  race_fail(self->race, "%s answers with code %u (%s) while other threads are at work", operation,
            code, TF_Message(self->status));
  return false;
}

unsigned race_random(race_thread *self, unsigned below) {
  self->seed = self->seed * 1664525u + 1013904223u;
  return (self->seed >> 8) % below;
}

void race_path(const runner_race *race, char path[RACE_PATH], const char *name, long number) {
  snprintf(path, RACE_PATH, "%s/%s%ld", race->root, name, number);
}

/* Every thread performs the first round, which may contain a barrier, or none does. */
static void *thread_main(void *context) {
  race_thread *self = context;
  pthread_mutex_lock(&self->race->lock);
  bool started = self->race->started;
  pthread_mutex_unlock(&self->race->lock);
  if (!started) return NULL;
  do {
    self->round(self);
    atomic_fetch_add(&self->rounds, 1);
  } while (!atomic_load(&self->race->over));
  return NULL;
}

static bool had_their_turns(race_thread *threads) {
  for (int i = 0; i < RACE_THREADS; i++)
    if (atomic_load(&threads[i].rounds) < ENOUGH_ROUNDS) return false;
  return true;
}

/* On a busy machine threads may not run for long: the race lasts up to ten times as long for them. */
static void wait_for_end(runner_race *race, race_thread *threads) {
  const struct timespec pause = {.tv_nsec = 2000000};
  double begun = now();
  while (!atomic_load(&race->over) &&
         (now() < begun + race->seconds ||
          (now() < begun + 10 * race->seconds && !had_their_turns(threads))))
    nanosleep(&pause, NULL);
  atomic_store(&race->over, true);
}

static void run_threads(runner_race *race, race_thread *threads) {
  pthread_t ids[RACE_THREADS];
  int count = 0;
  pthread_mutex_lock(&race->lock);
  while (count < RACE_THREADS &&
         pthread_create(&ids[count], NULL, thread_main, &threads[count]) == 0)
    count++;
  race->started = count == RACE_THREADS;
  pthread_mutex_unlock(&race->lock);
  if (count < RACE_THREADS) race_fail(race, "no threads can be started");
  wait_for_end(race, threads);
  for (int i = 0; i < count; i++)
    pthread_join(ids[i], NULL);
}

race_thread race_alone(runner_race *race) {
  return (race_thread){.race = race, .status = TF_NewStatus(), .seed = 1};
}

void race_run(runner_race *race, void (*const rounds[RACE_THREADS])(race_thread *self)) {
  race_thread threads[RACE_THREADS];
  pthread_barrier_init(&race->barrier, NULL, RACE_THREADS);
  for (int i = 0; i < RACE_THREADS; i++) {
    threads[i] = race_alone(race);
    threads[i].round = rounds[i];
    threads[i].number = i;
    threads[i].seed = (unsigned)i + 1;
  }
  run_threads(race, threads);
  for (int i = 0; i < RACE_THREADS; i++) {
    for (size_t k = 0; k < threads[i].called.count; k++)
      add_name(&race->called, threads[i].called.names[k]);
    TF_DeleteStatus(threads[i].status);
  }
  pthread_barrier_destroy(&race->barrier);
}

void race_run_all(runner_race *race, void (*round)(race_thread *self)) {
  void (*const rounds[RACE_THREADS])(race_thread *) = {round, round, round, round};
  race_run(race, rounds);
}

static bool find(runner_race *race, const race_scenario *list, const char *name) {
  for (; list->name; list++) {
    if (strcmp(list->name, name) != 0) continue;
    list->run(race);
    return true;
  }
  return false;
}

/* The slots that every writing scenario needs; NULL: all are there. */
static const char *missing_basics(const runner_plugin *plugin) {
  if (!plugin->ops.new_writable_file) return "new_writable_file";
  if (!plugin->writable.append) return "append";
  if (!plugin->ops.new_random_access_file) return "new_random_access_file";
  if (!plugin->file.read) return "read";
  return plugin->ops.delete_file ? NULL : "delete_file";
}

/* Finds a scenario that creates its own files. */
static bool find_writing(runner_race *race, const char *name) {
  race->missing = missing_basics(race->plugin);
  return race->missing || find(race, race_file_scenarios, name) ||
         find(race, race_name_scenarios, name) || find(race, race_list_scenarios, name) ||
         find(race, race_commit_scenarios, name) || find(race, race_question_scenarios, name) ||
         find(race, race_entry_scenarios, name) || find(race, race_setting_scenarios, name);
}

bool runner_race_run(runner_race *race, const char *name) {
  pthread_mutex_init(&race->lock, NULL);
  bool found = find(race, race_existing_scenarios, name) || find_writing(race, name);
  pthread_mutex_destroy(&race->lock);
  return found;
}
