/* Races of questions: all threads ask about one file and one directory, which nobody changes, while each
 * writes a file of its own.
 *
 * Each question has one right answer, whoever asks beside it. A handle belongs to one thread, but flush
 * and sync of different files may come at once, and so may flush_caches. race->content is what
 * translate_name says of the file before the threads start. Locks and owners: race.c. */
#include "race.h"

#include <sched.h>
#include <string.h>

enum { LENGTH = 12, BLOCK = 100 };

static void ask_kinds(race_thread *self, const char *path) {
  const runner_plugin *p = self->race->plugin;
  if (!p->ops.is_directory) return;
  bool is = p->ops.is_directory(&p->fs, self->race->root, race_status(self));
  if (race_expect(self, "is_directory", CODE(TF_OK)))
    race_check(self, is, "is_directory returns false for a directory");
  is = p->ops.is_directory(&p->fs, path, race_status(self));
  if (race_expect(self, "is_directory", CODE(TF_OK) | CODE(TF_FAILED_PRECONDITION)))
    race_check(self, !is, "is_directory returns true for a file");
}

static void ask_existence(race_thread *self, char *path) {
  const runner_plugin *p = self->race->plugin;
  char none[RACE_PATH];
  char *paths[] = {path, none};
  if (!p->ops.paths_exist) return;
  TF_Status *statuses[] = {race_status(self), TF_NewStatus()};
  race_path(self->race, none, "none", 0);
  bool all = p->ops.paths_exist(&p->fs, paths, 2, statuses);
  race_expect(self, "paths_exist", CODE(TF_OK));
  race_check(self, !all && TF_GetCode(statuses[1]) == TF_NOT_FOUND,
             "paths_exist finds a path that does not exist");
  TF_DeleteStatus(statuses[1]);
}

static void ask_size(race_thread *self, const char *path) {
  const runner_plugin *p = self->race->plugin;
  if (!p->ops.get_file_size) return;
  int64_t size = p->ops.get_file_size(&p->fs, path, race_status(self));
  if (race_expect(self, "get_file_size", CODE(TF_OK)))
    race_check(self, size == LENGTH, "get_file_size gives another length on many threads");
}

static void ask_name(race_thread *self, const char *path) {
  const runner_plugin *p = self->race->plugin;
  if (!p->ops.translate_name) return;
  char *name = p->ops.translate_name(&p->fs, path);
  race_note(self, "translate_name");
  race_check(self, name && strcmp(name, self->race->content) == 0,
             "translate_name gives another name on many threads");
  if (name) p->info.plugin_memory_free(name);
}

static void map(race_thread *self, const char *path) {
  const runner_plugin *p = self->race->plugin;
  TF_ReadOnlyMemoryRegion region = {NULL};
  if (!p->ops.new_read_only_memory_region_from_file) return;
  p->ops.new_read_only_memory_region_from_file(&p->fs, path, &region, race_status(self));
  if (!race_expect(self, "new_read_only_memory_region_from_file", CODE(TF_OK))) return;
  const char *data = p->region.data(&region);
  race_check(self, p->region.length(&region) == LENGTH && data && data[LENGTH - 1] == 'x',
             "a region holds other bytes on many threads");
  race_note(self, "data");
  race_note(self, "length");
  p->region.cleanup(&region);
}

/* Each thread fills a block with its own letter: blocks are not shared. */
static void allocate(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char letter = (char)('a' + self->number);
  char *block = p->info.plugin_memory_allocate(BLOCK);
  race_note(self, "plugin_memory_allocate");
  if (!race_check(self, block != NULL, "plugin_memory_allocate returns NULL")) return;
  memset(block, letter, BLOCK);
  sched_yield();
  race_check(self, block[0] == letter && block[BLOCK - 1] == letter,
             "a block that plugin_memory_allocate returned is changed by another thread");
  p->info.plugin_memory_free(block);
}

static void flush_caches(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  if (!p->ops.flush_caches) return;
  p->ops.flush_caches(&p->fs);
  race_note(self, "flush_caches");
}

static void settle(race_thread *self, const TF_WritableFile *file) {
  const TF_WritableFileOps *ops = &self->race->plugin->writable;
  if (ops->flush) {
    ops->flush(file, race_status(self));
    race_expect(self, "flush", CODE(TF_OK));
  }
  if (ops->sync) {
    ops->sync(file, race_status(self));
    race_expect(self, "sync", CODE(TF_OK));
  }
  if (ops->tell) {
    int64_t position = ops->tell(file, race_status(self));
    if (race_expect(self, "tell", CODE(TF_OK)))
      race_check(self, position == LENGTH, "tell gives another file's position");
  }
}

static void write_own(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char path[RACE_PATH];
  TF_WritableFile file = {NULL};
  race_path(self->race, path, "own", self->number);
  p->ops.new_writable_file(&p->fs, path, &file, race_status(self));
  if (!race_expect(self, "new_writable_file", CODE(TF_OK))) return;
  if (race_append(self, &file, "xxxxxxxxxxxx", LENGTH)) settle(self, &file);
  race_end_writing(self, &file);
}

static void ask_all(race_thread *self) {
  char path[RACE_PATH];
  race_path(self->race, path, "asked", 0);
  ask_kinds(self, path);
  ask_existence(self, path);
  ask_size(self, path);
  ask_name(self, path);
  map(self, path);
  allocate(self);
  flush_caches(self);
  write_own(self);
}

static void questions(runner_race *race) {
  const runner_plugin *p = race->plugin;
  char path[RACE_PATH], *name = NULL;
  race_thread alone = race_alone(race);
  race_path(race, path, "asked", 0);
  if (p->ops.translate_name) name = p->ops.translate_name(&p->fs, path);
  race->content = name ? name : "";
  if (race_write(&alone, path, 'x', LENGTH)) race_run_all(race, ask_all);
  if (name) p->info.plugin_memory_free(name);
  TF_DeleteStatus(alone.status);
}

const race_scenario race_question_scenarios[] = {{"questions", questions}, {NULL, NULL}};
