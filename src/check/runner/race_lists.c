/* Races of listings: two threads list or match while two others create and delete.
 *
 * The directory has STAYING names that exist during the whole race, and names that each moving thread
 * creates and deletes under numbers of its own. A listing must have every staying name exactly once, may
 * have any moving name, and nothing else. Locks and owners: race.c; the lists of a plugin are freed with
 * its plugin_memory_free by the thread that got them. */
#include "race.h"

#include <stdio.h>
#include <string.h>

enum { STAYING = 8 };

static void come_and_go(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char path[RACE_PATH];
  race_path(self->race, path, "moving", 100L * self->number + (long)race_random(self, 20));
  if (!race_write(self, path, 'x', 3)) return;
  p->ops.delete_file(&p->fs, path, race_status(self));
  race_expect(self, "delete_file", CODE(TF_OK));
}

/* The number of a staying name, -1 for a moving one, -2 for any other. */
static int number_of(const char *entry) {
  const char *slash = strrchr(entry, '/');
  const char *name = slash ? slash + 1 : entry;
  if (strncmp(name, "moving", 6) == 0) return -1;
  if (strncmp(name, "staying", 7) == 0 && name[7] >= '0' && name[7] < '0' + STAYING && !name[8])
    return name[7] - '0';
  return -2;
}

static void look_at(race_thread *self, const char *operation, char **entries, int count) {
  void (*give_back)(void *block) = self->race->plugin->info.plugin_memory_free;
  int seen[STAYING] = {0};
  char words[128];
  bool known = true, once = true;
  for (int i = 0; i < count; i++) {
    int number = number_of(entries[i]);
    known = known && number != -2;
    if (number >= 0) seen[number]++;
    give_back(entries[i]);
  }
  if (count >= 0) give_back((void *)entries);
  for (int i = 0; i < STAYING; i++)
    once = once && seen[i] == 1;
  snprintf(words, sizeof words, "%s gives names that were never there", operation);
  race_check(self, known, words);
  snprintf(words, sizeof words, "%s misses names that stay, or gives them twice", operation);
  race_check(self, once, words);
}

static void list(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char **entries = NULL;
  int count = p->ops.get_children(&p->fs, self->race->root, &entries, race_status(self));
  if (race_expect(self, "get_children", CODE(TF_OK))) look_at(self, "get_children", entries, count);
}

static void match(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char pattern[RACE_PATH], **entries = NULL;
  snprintf(pattern, sizeof pattern, "%s/[ms]*ing*", self->race->root);
  int count = p->ops.get_matching_paths(&p->fs, pattern, &entries, race_status(self));
  if (race_expect(self, "get_matching_paths", CODE(TF_OK)))
    look_at(self, "get_matching_paths", entries, count);
}

static void run(runner_race *race, void (*round)(race_thread *self)) {
  char path[RACE_PATH];
  race_thread alone = race_alone(race);
  bool made = true;
  void (*const rounds[RACE_THREADS])(race_thread *) = {come_and_go, come_and_go, round, round};
  for (long i = 0; made && i < STAYING; i++) {
    race_path(race, path, "staying", i);
    made = race_write(&alone, path, 'x', 3);
  }
  if (made) race_run(race, rounds);
  TF_DeleteStatus(alone.status);
}

static void lists(runner_race *race) {
  if (race_has(race, race->plugin->ops.get_children, "get_children")) run(race, list);
}

static void globs(runner_race *race) {
  if (race_has(race, race->plugin->ops.get_matching_paths, "get_matching_paths")) run(race, match);
}

const race_scenario race_list_scenarios[] = {{"lists", lists}, {"globs", globs}, {NULL, NULL}};
