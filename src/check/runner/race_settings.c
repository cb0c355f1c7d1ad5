/* A race of attributes, links, options and trees: each thread changes entries of its own, whose names no
 * other thread knows, and all ask for the plugin's options, which nobody changes.
 *
 * What a plugin does not have is not called. A thread's names, handles and strings are its own. Locks and
 * owners: race.c. */
#include "race.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH = 12, TARGET = 32 };

/* Whether the last call succeeded; UNIMPLEMENTED is no failure. */
static bool done(race_thread *self, const char *slot) {
  return race_expect(self, slot, CODE(TF_OK) | CODE(TF_UNIMPLEMENTED)) && race_code(self) == TF_OK;
}

static void keep_attributes(race_thread *self, const char *path) {
  const runner_plugin *p = self->race->plugin;
  const uint32_t mode = 0600u + (unsigned)self->number;
  modfs_attributes found = {.struct_size = sizeof found};
  const modfs_attributes wanted = {.struct_size = sizeof wanted, .mode = mode};
  bool set = false;
  if (p->extension.set_attributes) {
    p->extension.set_attributes(&p->fs, NULL, path, &wanted, MODFS_ATTRIBUTE_MODE,
                                race_status(self));
    set = done(self, "set_attributes");
  }
  if (!p->extension.get_attributes) return;
  p->extension.get_attributes(&p->fs, path, &found, race_status(self));
  if (!race_expect(self, "get_attributes", CODE(TF_OK))) return;
  race_check(self, found.length == LENGTH && (!set || found.mode == mode),
             "get_attributes gives those of another file");
}

static void keep_link(race_thread *self, long round) {
  const runner_plugin *p = self->race->plugin;
  char path[RACE_PATH], target[TARGET];
  if (!p->extension.create_link || !p->extension.read_link) return;
  snprintf(target, sizeof target, "target of %d", self->number);
  race_path(self->race, path, "link", round * RACE_THREADS + self->number);
  p->extension.create_link(&p->fs, NULL, path, target, race_status(self));
  if (!done(self, "create_link")) return;
  char *found = p->extension.read_link(&p->fs, NULL, path, race_status(self));
  if (race_expect(self, "read_link", CODE(TF_OK)))
    race_check(self, found && strcmp(found, target) == 0, "read_link gives another link's target");
  if (found) p->info.plugin_memory_free(found);
  p->ops.delete_file(&p->fs, path, race_status(self));
  race_expect(self, "delete_file", CODE(TF_OK));
}

static void free_value(const runner_plugin *p, TF_Filesystem_Option_Value *value) {
  for (int i = 0; value->type_tag == TF_Filesystem_Option_Type_Buffer && i < value->num_values; i++)
    if (value->values[i].buffer_val.buf)
      p->info.plugin_memory_free(value->values[i].buffer_val.buf);
  if (value->values) p->info.plugin_memory_free(value->values);
  p->info.plugin_memory_free(value);
}

static void free_option(const runner_plugin *p, TF_Filesystem_Option *option) {
  if (option->value) free_value(p, option->value);
  if (option->description) p->info.plugin_memory_free(option->description);
  if (option->name) p->info.plugin_memory_free(option->name);
}

/* A number is set to the value that it has. A buffer may read back as asterisks, and is left alone. */
static void set_again(race_thread *self, const TF_Filesystem_Option *option) {
  const runner_plugin *p = self->race->plugin;
  if (!p->ops.set_filesystem_configuration_option || !option->value) return;
  if (option->value->type_tag != TF_Filesystem_Option_Type_Int) return;
  p->ops.set_filesystem_configuration_option(&p->fs, option, race_status(self));
  race_expect(self, "set_filesystem_configuration_option", ~0u);
}

static void ask_for_one(race_thread *self, const char *name) {
  const runner_plugin *p = self->race->plugin;
  TF_Filesystem_Option *option = NULL;
  if (!p->ops.get_filesystem_configuration_option) return;
  p->ops.get_filesystem_configuration_option(&p->fs, name, &option, race_status(self));
  if (!race_expect(self, "get_filesystem_configuration_option", CODE(TF_OK)) || !option) return;
  race_check(self, option->name && strcmp(option->name, name) == 0,
             "get_filesystem_configuration_option gives another option");
  set_again(self, option);
  free_option(p, option);
  p->info.plugin_memory_free(option);
}

/* race->entries is the number of options that one thread alone was told of. */
static void ask_for_options(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  TF_Filesystem_Option *options = NULL;
  int count = 0;
  if (!p->ops.get_filesystem_configuration) return;
  p->ops.get_filesystem_configuration(&p->fs, &options, &count, race_status(self));
  if (!done(self, "get_filesystem_configuration")) return;
  race_check(self, count == self->race->entries,
             "get_filesystem_configuration gives another number of options on many threads");
  if (count > 0 && options[0].name) ask_for_one(self, options[0].name);
  for (int i = 0; i < count; i++)
    free_option(p, &options[i]);
  if (options) p->info.plugin_memory_free(options);
}

static void delete_tree(race_thread *self, const char *path) {
  const runner_plugin *p = self->race->plugin;
  uint64_t files = 0, dirs = 0;
  if (!p->ops.delete_recursively) return;
  p->ops.delete_recursively(&p->fs, path, &files, &dirs, race_status(self));
  race_expect(self, "delete_recursively", CODE(TF_OK));
}

static void settings_round(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char path[RACE_PATH], file[RACE_PATH + 8];
  long round = atomic_load(&self->rounds);
  race_path(self->race, path, "tree", self->number);
  bool private = p->extension.create_private_dir && round % 2;
  (private ? p->extension.create_private_dir : p->ops.create_dir)(&p->fs, path, race_status(self));
  if (!race_expect(self, private ? "create_private_dir" : "create_dir",
                   CODE(TF_OK) | CODE(TF_ALREADY_EXISTS)))
    return;
  snprintf(file, sizeof file, "%s/file", path);
  if (!race_write(self, file, 'x', LENGTH)) return;
  keep_attributes(self, file);
  keep_link(self, round);
  ask_for_options(self);
  delete_tree(self, path);
}

static void settings(runner_race *race) {
  const runner_plugin *p = race->plugin;
  TF_Filesystem_Option *options = NULL;
  if (!race_has(race, p->ops.create_dir, "create_dir") ||
      !race_has(race, p->ops.delete_file, "delete_file"))
    return;
  if (p->ops.get_filesystem_configuration) {
    TF_Status *status = TF_NewStatus();
    p->ops.get_filesystem_configuration(&p->fs, &options, &race->entries, status);
    bool fine = TF_GetCode(status) == TF_OK;
    for (int i = 0; fine && i < race->entries; i++)
      free_option(p, &options[i]);
    if (fine && options) p->info.plugin_memory_free(options);
    TF_DeleteStatus(status);
  }
  race_run_all(race, settings_round);
}

const race_scenario race_setting_scenarios[] = {{"settings", settings}, {NULL, NULL}};
