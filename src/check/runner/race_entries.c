/* A race in one open directory: all threads use one handle of it, each for a subdirectory and files of its
 * own, by the slots of the extension that work on entries.
 *
 * race->directory is opened before the threads start and closed after they are joined. The handles and
 * names of a round belong to its thread. Locks and owners: race.c. */
#include "race.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH = 12, NAME = 32 };
static const int64_t MTIME = 1500000000000000000;

/* The content of this thread's files. */
static void fill(const race_thread *self, char content[LENGTH]) {
  memset(content, 'a' + self->number, LENGTH);
}

static bool write_entry(race_thread *self, const modfs_directory *in, const char *name) {
  const runner_plugin *p = self->race->plugin;
  TF_WritableFile file = {NULL};
  char content[LENGTH];
  fill(self, content);
  p->extension.open_writer(&p->fs, in, name, 0, &file, race_status(self));
  if (!race_expect(self, "open_writer", CODE(TF_OK))) return false;
  if (p->extension.set_writer_attributes) {
    const modfs_attributes mtime = {.struct_size = sizeof mtime, .mtime_nsec = MTIME};
    p->extension.set_writer_attributes(&p->fs, &file, &mtime, MODFS_ATTRIBUTE_MTIME,
                                       race_status(self));
    race_expect(self, "set_writer_attributes", CODE(TF_OK) | CODE(TF_UNIMPLEMENTED));
  }
  return race_write_open(self, &file, content, LENGTH);
}

static bool look_at(race_thread *self, const modfs_directory *in, const char *name) {
  const runner_plugin *p = self->race->plugin;
  modfs_attributes found = {.struct_size = sizeof found};
  TF_RandomAccessFile file = {NULL};
  char content[LENGTH], got[LENGTH];
  fill(self, content);
  p->extension.entry_attributes(in, name, &found, race_status(self));
  if (!race_expect(self, "entry_attributes", CODE(TF_OK))) return false;
  race_check(self, found.kind == MODFS_KIND_FILE && found.length == LENGTH,
             "entry_attributes gives those of another entry");
  p->extension.open_reader(in, name, &file, race_status(self));
  if (!race_expect(self, "open_reader", CODE(TF_OK))) return false;
  int64_t count = p->file.read(&file, 0, LENGTH, got, race_status(self));
  if (race_expect(self, "read", CODE(TF_OK)))
    race_check(self, count == LENGTH && memcmp(got, content, LENGTH) == 0,
               "open_reader opens another entry");
  p->file.cleanup(&file);
  return true;
}

static void delete_entry(race_thread *self, const modfs_directory *in, const char *name, bool is) {
  self->race->plugin->extension.delete_entry(in, name, is, race_status(self));
  race_expect(self, "delete_entry", CODE(TF_OK));
}

/* Copies over the copy, which gets the time of the file. */
static bool copy_keeping(race_thread *self, const modfs_directory *below) {
  const modfs_extension_ops *ops = &self->race->plugin->extension;
  modfs_attributes found = {.struct_size = sizeof found};
  if (!ops->copy_entry_keeping) return true;
  ops->copy_entry_keeping(below, "file", below, "copy", MODFS_ATTRIBUTE_MTIME, &found,
                          race_status(self));
  if (!race_expect(self, "copy_entry_keeping", CODE(TF_OK))) return false;
  race_check(self, found.kind == MODFS_KIND_FILE && found.length == LENGTH,
             "copy_entry_keeping gives the attributes of another entry");
  return look_at(self, below, "copy");
}

/* Two files in the thread's own directory; the copy moves up under the thread's own name. */
static void work_below(race_thread *self, const modfs_directory *below, const char *moved) {
  const modfs_extension_ops *ops = &self->race->plugin->extension;
  const modfs_directory *above = &self->race->directory;
  if (!write_entry(self, below, "file")) return;
  ops->copy_entry(below, "file", below, "copy", race_status(self));
  if (!race_expect(self, "copy_entry", CODE(TF_OK)) || !look_at(self, below, "copy")) return;
  if (!copy_keeping(self, below)) return;
  ops->rename_entry(below, "copy", above, moved, race_status(self));
  if (!race_expect(self, "rename_entry", CODE(TF_OK)) || !look_at(self, above, moved)) return;
  delete_entry(self, above, moved, false);
  delete_entry(self, below, "file", false);
}

static void work(race_thread *self) {
  const modfs_extension_ops *ops = &self->race->plugin->extension;
  const modfs_directory *above = &self->race->directory;
  modfs_directory below = {NULL};
  char name[NAME], moved[NAME];
  snprintf(name, sizeof name, "below%d", self->number);
  snprintf(moved, sizeof moved, "moved%d", self->number);
  ops->create_subdirectory(above, name, race_status(self));
  if (!race_expect(self, "create_subdirectory", CODE(TF_OK))) return;
  ops->open_subdirectory(above, name, &below, race_status(self));
  if (!race_expect(self, "open_subdirectory", CODE(TF_OK))) return;
  work_below(self, &below, moved);
  ops->close_directory(&below);
  delete_entry(self, above, name, true);
}

static void entries(runner_race *race) {
  const runner_plugin *p = race->plugin;
  race_thread alone = race_alone(race);
  if (!p->extension.open_subdirectory || !p->extension.open_writer) {
    race->missing = "open_subdirectory";
  } else {
    p->extension.open_directory(&p->fs, race->root, &race->directory, race_status(&alone));
    if (race_expect(&alone, "open_directory", CODE(TF_OK))) {
      race_run_all(race, work);
      p->extension.close_directory(&race->directory);
    }
  }
  TF_DeleteStatus(alone.status);
}

const race_scenario race_entry_scenarios[] = {{"entries", entries}, {NULL, NULL}};
