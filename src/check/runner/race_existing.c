/* Races on existing files: threads read, query and list, and nothing is written.
 *
 * They work on any storage, also a read-only one: `root` exists before the race, and its content or names
 * were read once, on one thread. Every later result must equal those, so a difference is a fault of the
 * plugin under concurrency, unless somebody else changes the storage.
 *
 * race->content, entries and sum are set before the threads start and constant then. Handles are shared by
 * all threads (existing_reader, existing_region) or opened for each round (existing_readers,
 * existing_regions). Locks and owners: race.c. */
#include "race.h"

#include <string.h>

enum { PIECE = 5000 };

/* Chooses a range of the content that was read before. */
static size_t choose(race_thread *self, size_t *n) {
  const runner_race *race = self->race;
  size_t offset = race_random(self, (unsigned)race->length);
  size_t left = race->length - offset;
  *n = race_random(self, left < PIECE ? (unsigned)left : PIECE) + 1;
  return offset;
}

static void read_piece(race_thread *self, const TF_RandomAccessFile *file) {
  char bytes[PIECE + 1];
  size_t n, offset = choose(self, &n);
  const runner_race *race = self->race;
  int64_t got = race->plugin->file.read(file, offset, n, bytes, race_status(self));
  if (!race_expect(self, "read", CODE(TF_OK))) return;
  if (race_check(self, got == (int64_t)n, "read gives another count on many threads"))
    race_check(self, memcmp(bytes, race->content + offset, n) == 0,
               "read gives other bytes on many threads");
}

static bool open_reader(race_thread *self, TF_RandomAccessFile *file) {
  const runner_plugin *p = self->race->plugin;
  p->ops.new_random_access_file(&p->fs, self->race->root, file, race_status(self));
  return race_expect(self, "new_random_access_file", CODE(TF_OK));
}

static void read_shared(race_thread *self) {
  read_piece(self, &self->race->file);
}

static void read_own(race_thread *self) {
  TF_RandomAccessFile file = {NULL};
  if (!open_reader(self, &file)) return;
  read_piece(self, &file);
  self->race->plugin->file.cleanup(&file);
}

static bool can_read(runner_race *race) {
  return race_has(race, race->plugin->ops.new_random_access_file, "new_random_access_file") &&
         race_has(race, race->plugin->file.read, "read");
}

static void one_reader(runner_race *race) {
  race_thread alone = race_alone(race);
  if (can_read(race) && open_reader(&alone, &race->file)) {
    race_run_all(race, read_shared);
    race->plugin->file.cleanup(&race->file);
  }
  TF_DeleteStatus(alone.status);
}

static void many_readers(runner_race *race) {
  if (can_read(race)) race_run_all(race, read_own);
}

/* Regions -------------------------------------------------------------------------------- */

static bool open_region(race_thread *self, TF_ReadOnlyMemoryRegion *region) {
  const runner_plugin *p = self->race->plugin;
  p->ops.new_read_only_memory_region_from_file(&p->fs, self->race->root, region, race_status(self));
  return race_expect(self, "new_read_only_memory_region_from_file", CODE(TF_OK));
}

static void look_at(race_thread *self, const TF_ReadOnlyMemoryRegion *region) {
  const runner_race *race = self->race;
  const TF_ReadOnlyMemoryRegionOps *ops = &race->plugin->region;
  const char *data = ops->data(region);
  size_t n, offset = choose(self, &n);
  if (race_check(self, data && ops->length(region) >= race->length,
                 "a region answers otherwise on many threads"))
    race_check(self, memcmp(data + offset, race->content + offset, n) == 0,
               "a region holds other bytes on many threads");
}

static void look_at_shared(race_thread *self) {
  look_at(self, &self->race->region);
}

static void look_at_own(race_thread *self) {
  TF_ReadOnlyMemoryRegion region = {NULL};
  if (!open_region(self, &region)) return;
  look_at(self, &region);
  self->race->plugin->region.cleanup(&region);
}

static bool can_map(runner_race *race) {
  return race_has(race, race->plugin->ops.new_read_only_memory_region_from_file,
                  "new_read_only_memory_region_from_file");
}

static void one_region(runner_race *race) {
  race_thread alone = race_alone(race);
  if (can_map(race) && open_region(&alone, &race->region)) {
    race_run_all(race, look_at_shared);
    race->plugin->region.cleanup(&race->region);
  }
  TF_DeleteStatus(alone.status);
}

static void many_regions(runner_race *race) {
  if (can_map(race)) race_run_all(race, look_at_own);
}

/* Queries -------------------------------------------------------------------------------- */

static void ask_stat(race_thread *self, const char *path, unsigned codes) {
  const runner_plugin *p = self->race->plugin;
  TF_FileStatistics stats = {.length = -1};
  if (!p->ops.stat) return;
  p->ops.stat(&p->fs, path, &stats, race_status(self));
  if (race_code(self) == TF_UNIMPLEMENTED || !race_expect(self, "stat", codes)) return;
  if (race_code(self) == TF_OK)
    race_check(self, !stats.is_directory && stats.length >= (int64_t)self->race->length,
               "stat answers otherwise on many threads");
}

static void ask(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char missing[RACE_PATH];
  race_path(self->race, missing, "modfs.check.none", self->number);
  p->ops.path_exists(&p->fs, self->race->root, race_status(self));
  if (!race_expect(self, "path_exists", CODE(TF_OK))) return;
  p->ops.path_exists(&p->fs, missing, race_status(self));
  if (!race_expect(self, "path_exists", CODE(TF_NOT_FOUND) | CODE(TF_FAILED_PRECONDITION))) return;
  ask_stat(self, self->race->root, CODE(TF_OK));
  ask_stat(self, missing, CODE(TF_NOT_FOUND) | CODE(TF_FAILED_PRECONDITION));
}

static void questions(runner_race *race) {
  if (race_has(race, race->plugin->ops.path_exists, "path_exists")) race_run_all(race, ask);
}

/* Listings ------------------------------------------------------------------------------- */

/* Summed over a list, this is the same for the same names in any order. */
static unsigned long sum_of(const char *name) {
  unsigned long sum = 5381;
  for (; *name; name++)
    sum = sum * 33 + (unsigned char)*name;
  return sum * (sum | 1);
}

/* Lists once; returns the count, -1 on failure. */
static int list_once(race_thread *self, unsigned long *sum) {
  const runner_plugin *p = self->race->plugin;
  char **entries = NULL;
  *sum = 0;
  int count = p->ops.get_children(&p->fs, self->race->root, &entries, race_status(self));
  if (!race_expect(self, "get_children", CODE(TF_OK))) return -1;
  for (int i = 0; i < count; i++) {
    *sum += sum_of(entries[i]);
    p->info.plugin_memory_free(entries[i]);
  }
  p->info.plugin_memory_free((void *)entries);
  return count;
}

static void list(race_thread *self) {
  unsigned long sum;
  int count = list_once(self, &sum);
  if (count >= 0)
    race_check(self, count == self->race->entries && sum == self->race->sum,
               "get_children gives other names on many threads");
}

static void listings(runner_race *race) {
  race_thread alone = race_alone(race);
  if (race_has(race, race->plugin->ops.get_children, "get_children")) {
    race->entries = list_once(&alone, &race->sum);
    if (race->entries >= 0) race_run_all(race, list);
  }
  TF_DeleteStatus(alone.status);
}

const race_scenario race_existing_scenarios[] = {{"existing_reader", one_reader},
                                                 {"existing_readers", many_readers},
                                                 {"existing_region", one_region},
                                                 {"existing_regions", many_regions},
                                                 {"existing_questions", questions},
                                                 {"existing_listings", listings},
                                                 {NULL, NULL}};
