/* Races for names: threads create, rename and delete the same ones.
 *
 * together: any order of calls may happen, so each call may also find the name deleted; only content that
 * nobody wrote and other codes are failures. one_directory, one_deletion: all threads compete for one
 * call, and exactly one may win. one_tree: all create overlapping trees, and all must succeed.
 *
 * A competition has three barriers: all start together; thread 0 reads and resets `won` only after all
 * have counted; nobody starts the next one before that. Every thread passes the same number of barriers,
 * also after a failure, so none waits for one that has left. `over` is set after the last barrier. Locks
 * and owners: race.c. */
#include "race.h"

#include <stdio.h>

enum { NAMES = 3 };

/* Shared names --------------------------------------------------------------------------- */

static const unsigned may_be_gone = CODE(TF_OK) | CODE(TF_NOT_FOUND);

static void read_shared(race_thread *self, const char *path) {
  char bytes[64];
  int64_t got = race_read(self, path, bytes, sizeof bytes);
  race_expect(self, "reading", CODE(TF_NOT_FOUND) | CODE(TF_OUT_OF_RANGE));
  race_check(self, got <= 64, "read gives more than was asked for");
}

static void stat_shared(race_thread *self, const char *path) {
  const runner_plugin *p = self->race->plugin;
  TF_FileStatistics stats = {-1, -1, true};
  if (!p->ops.stat) return;
  p->ops.stat(&p->fs, path, &stats, race_status(self));
  if (race_expect(self, "stat", may_be_gone) && race_code(self) == TF_OK)
    race_check(self, stats.length >= 0 && !stats.is_directory, "stat fills in nonsense");
}

static void change_shared(race_thread *self, const char *path, const char *other) {
  const runner_plugin *p = self->race->plugin;
  unsigned verb = race_random(self, 3);
  if (verb == 0 && p->ops.rename_file) {
    p->ops.rename_file(&p->fs, path, other, race_status(self));
    race_expect(self, "rename_file", may_be_gone);
  } else if (verb == 1 && p->ops.copy_file) {
    p->ops.copy_file(&p->fs, path, other, race_status(self));
    race_expect(self, "copy_file", may_be_gone);
  } else if (p->ops.delete_file) {
    p->ops.delete_file(&p->fs, path, race_status(self));
    race_expect(self, "delete_file", may_be_gone);
  }
}

static void work_together(race_thread *self) {
  char path[RACE_PATH], other[RACE_PATH];
  unsigned first = race_random(self, NAMES);
  race_path(self->race, path, "shared", (long)first);
  race_path(self->race, other, "shared",
            (long)((first + 1 + race_random(self, NAMES - 1)) % NAMES));
  switch (race_random(self, 5)) {
  case 0:
  case 1:
    race_write_bytes(self, path, "0123456789", 10);
    break;
  case 2:
    read_shared(self, path);
    break;
  case 3:
    stat_shared(self, path);
    break;
  default:
    change_shared(self, path, other);
  }
}

static void together(runner_race *race) {
  race_run_all(race, work_together);
}

/* One winner -------------------------------------------------------------------------------- */

typedef void (*path_slot)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

/* All threads call the slot at once: one returns OK, the others the code `loser`. */
static void compete(race_thread *self, path_slot slot, const char *operation, TF_Code loser) {
  char path[RACE_PATH];
  runner_race *race = self->race;
  race_path(race, path, "contended", 0);
  pthread_barrier_wait(&race->barrier);
  slot(&race->plugin->fs, path, race_status(self));
  race_expect(self, operation, CODE(TF_OK) | CODE(loser));
  if (race_code(self) == TF_OK) atomic_fetch_add(&race->won, 1);
  pthread_barrier_wait(&race->barrier);
  if (self->number == 0 && atomic_exchange(&race->won, 0) != 1)
    race_fail(race, "%s of one path by many threads succeeds not just once", operation);
  pthread_barrier_wait(&race->barrier);
}

static void compete_for_directory(race_thread *self) {
  const TF_FilesystemOps *ops = &self->race->plugin->ops;
  compete(self, ops->create_dir, "create_dir", TF_ALREADY_EXISTS);
  compete(self, ops->delete_dir, "delete_dir", TF_NOT_FOUND);
}

static void compete_to_delete(race_thread *self) {
  char path[RACE_PATH];
  race_path(self->race, path, "contended", 0);
  if (self->number == 0) race_write(self, path, 'x', 10);
  compete(self, self->race->plugin->ops.delete_file, "delete_file", TF_NOT_FOUND);
}

/* Counts the rounds instead of checking `over`, so that all threads leave the barriers together. */
static void rounds_of(race_thread *self, void (*round)(race_thread *self)) {
  runner_race *race = self->race;
  for (int i = 0; i < 50; i++)
    round(self);
  pthread_barrier_wait(&race->barrier);
  atomic_store(&race->over, true);
}

static void directories(race_thread *self) {
  rounds_of(self, compete_for_directory);
}

static void deletions(race_thread *self) {
  rounds_of(self, compete_to_delete);
}

static void one_directory(runner_race *race) {
  race->seconds = 60;
  if (race_has(race, race->plugin->ops.create_dir, "create_dir") &&
      race_has(race, race->plugin->ops.delete_dir, "delete_dir"))
    race_run_all(race, directories);
}

static void one_deletion(runner_race *race) {
  race->seconds = 60;
  if (race_has(race, race->plugin->ops.delete_file, "delete_file")) race_run_all(race, deletions);
}

/* Trees ---------------------------------------------------------------------------------------- */

static void make_tree(race_thread *self) {
  char top[RACE_PATH], path[RACE_PATH + 16];
  const runner_plugin *p = self->race->plugin;
  race_path(self->race, top, "tree", self->rounds % 8);
  snprintf(path, sizeof path, "%s/a/b/c/d", top);
  p->ops.recursively_create_dir(&p->fs, path, race_status(self));
  race_expect(self, "recursively_create_dir", CODE(TF_OK));
}

static void one_tree(runner_race *race) {
  race->seconds = 0.1;
  if (race_has(race, race->plugin->ops.recursively_create_dir, "recursively_create_dir"))
    race_run_all(race, make_tree);
}

const race_scenario race_name_scenarios[] = {{"together", together},
                                             {"one_directory", one_directory},
                                             {"one_deletion", one_deletion},
                                             {"one_tree", one_tree},
                                             {NULL, NULL}};
