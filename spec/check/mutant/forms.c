/* Good plugins in other forms: "good.without.SLOT", "good.bytes.176", "good.echo" and so on. */
#include "mutant.h"

#include <stdio.h>
#include <stdlib.h>

/* Slots that stay empty ---------------------------------------------------------- */

static const char *const fs_slots[] = {"new.random.access.file",
                                       "new.writable.file",
                                       "new.appendable.file",
                                       "new.read.only.memory.region.from.file",
                                       "create.dir",
                                       "recursively.create.dir",
                                       "delete.file",
                                       "delete.dir",
                                       "delete.recursively",
                                       "rename.file",
                                       "copy.file",
                                       "path.exists",
                                       "paths.exist",
                                       "stat",
                                       "is.directory",
                                       "get.file.size",
                                       "translate.name",
                                       "get.children",
                                       "get.matching.paths",
                                       "flush.caches",
                                       "start.transaction",
                                       "end.transaction",
                                       "add.to.transaction",
                                       "get.transaction.for.path",
                                       "get.or.start.transaction.for.path",
                                       "decode.transaction.token",
                                       "get.filesystem.configuration",
                                       "set.filesystem.configuration",
                                       "get.filesystem.configuration.option",
                                       "set.filesystem.configuration.option",
                                       "get.filesystem.configuration.keys"};
static const char *const writer_slots[] = {"append", "tell", "flush", "sync", "close"};
static const char *const reader_slots[] = {"read"};
static const char *const region_slots[] = {"data", "length"};

typedef struct slots {
  mutant_slot *first;
  const char *const *names;
  size_t count;
} slots;

#define SLOTS(table, first, names)                                                                 \
  { (mutant_slot *)&t->table->first, names, sizeof(names) / sizeof *(names) }

mutant_slot *mutant_slot_find(mutant_tables *t, const char *name) {
  const slots tables[] = {SLOTS(fs, new_random_access_file, fs_slots),
                          SLOTS(writer, append, writer_slots), SLOTS(reader, read, reader_slots),
                          SLOTS(region, data, region_slots)};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (size_t k = 0; k < tables[i].count; k++)
      if (strcmp(tables[i].names[k], name) == 0) return tables[i].first + k;
  return NULL;
}

static bool empty(mutant_tables *t, const char *name) {
  mutant_slot *found = mutant_slot_find(t, name);
  if (found) *found = NULL;
  return found;
}

/* Nothing but init and cleanup. */
static void empty_all(mutant_tables *t) {
  for (size_t i = 0; i < sizeof fs_slots / sizeof *fs_slots; i++)
    empty(t, fs_slots[i]);
}

/* What the host does itself when the slot is empty. */
static void defaults_only(mutant_tables *t) {
  t->fs->recursively_create_dir = NULL;
  t->fs->delete_recursively = NULL;
  t->fs->rename_file = NULL;
  t->fs->copy_file = NULL;
  t->fs->paths_exist = NULL;
  t->fs->is_directory = NULL;
  t->fs->get_file_size = NULL;
  t->fs->translate_name = NULL;
  t->fs->get_matching_paths = NULL;
  t->fs->flush_caches = NULL;
  t->fs->get_filesystem_configuration_keys = NULL;
}

static bool without(mutant_tables *t, const char *name) {
  ON("defaults", defaults_only(t))
  ON("regions", t->ops->read_only_memory_region_ops = NULL;
     t->fs->new_read_only_memory_region_from_file = NULL)
  ON("writers", t->ops->writable_file_ops = NULL; t->fs->new_writable_file = NULL;
     t->fs->new_appendable_file = NULL)
  ON("all", empty_all(t))
  return empty(t, name);
}

/* Tables of other sizes: what is beyond the size does not belong to them. */
static bool of_size(mutant_tables *t, const char *name) {
  size_t size = (size_t)atoi(name);
  if (size < sizeof(mutant_slot) * 2 || size > 4096) return false;
  char *table = calloc(1, size);
  memcpy(table, t->fs, size < sizeof *t->fs ? size : sizeof *t->fs);
  free(t->fs);
  t->ops->filesystem_ops = (TF_FilesystemOps *)table;
  t->ops->filesystem_ops_size = size;
  return true;
}

/* translate_name hands URIs on, and each slot cleans what it gets ----------------- */

static char *own_form(FS, const char *uri, TF_Status *status) {
  char *own = good.translate_name(fs, uri);
  if (!own) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory");
  return own;
}

static char *echo(FS, const char *uri) {
  (void)fs;
  return strdup(uri);
}

#define PATH(called)                                                                               \
  static void echo_##called(FS, const char *path, TF_Status *status) {                             \
    char *own = own_form(fs, path, status);                                                        \
    if (own) good.called(fs, own, status);                                                         \
    free(own);                                                                                     \
  }
#define PAIR(called)                                                                               \
  static void echo_##called(FS, const char *src, const char *dst, TF_Status *status) {             \
    char *from = own_form(fs, src, status), *to = own_form(fs, dst, status);                       \
    if (from && to) good.called(fs, from, to, status);                                             \
    free(from), free(to);                                                                          \
  }
#define FILLS(called, type)                                                                        \
  static void echo_##called(FS, const char *path, type *out, TF_Status *status) {                  \
    char *own = own_form(fs, path, status);                                                        \
    if (own) good.called(fs, own, out, status);                                                    \
    free(own);                                                                                     \
  }
#define RETURNS(called, type, failed)                                                              \
  static type echo_##called(FS, const char *path, TF_Status *status) {                             \
    char *own = own_form(fs, path, status);                                                        \
    type answer = own ? good.called(fs, own, status) : failed;                                     \
    free(own);                                                                                     \
    return answer;                                                                                 \
  }

PATH(create_dir)
PATH(recursively_create_dir)
PATH(delete_file)
PATH(delete_dir)
PATH(path_exists)
PAIR(rename_file)
PAIR(copy_file)
FILLS(new_random_access_file, TF_RandomAccessFile)
FILLS(new_writable_file, TF_WritableFile)
FILLS(new_appendable_file, TF_WritableFile)
FILLS(new_read_only_memory_region_from_file, TF_ReadOnlyMemoryRegion)
FILLS(stat, TF_FileStatistics)
RETURNS(is_directory, bool, false)
RETURNS(get_file_size, int64_t, -1)

static int echo_get_children(FS, const char *path, char ***entries, TF_Status *status) {
  char *own = own_form(fs, path, status);
  int count = own ? good.get_children(fs, own, entries, status) : -1;
  free(own);
  return count;
}

static void echo_delete_recursively(FS, const char *path, uint64_t *files, uint64_t *dirs,
                                    TF_Status *status) {
  char *own = own_form(fs, path, status);
  *files = 0, *dirs = 1;
  if (own) good.delete_recursively(fs, own, files, dirs, status);
  free(own);
}

/* What is left out stays the host's default, as in the plugins that echo. */
static void echoes(mutant_tables *t) {
  *t->fs = (TF_FilesystemOps){.init = good.init,
                              .cleanup = good.cleanup,
                              .new_random_access_file = echo_new_random_access_file,
                              .new_writable_file = echo_new_writable_file,
                              .new_appendable_file = echo_new_appendable_file,
                              .new_read_only_memory_region_from_file =
                                  echo_new_read_only_memory_region_from_file,
                              .create_dir = echo_create_dir,
                              .recursively_create_dir = echo_recursively_create_dir,
                              .delete_file = echo_delete_file,
                              .delete_dir = echo_delete_dir,
                              .delete_recursively = echo_delete_recursively,
                              .rename_file = echo_rename_file,
                              .copy_file = echo_copy_file,
                              .path_exists = echo_path_exists,
                              .stat = echo_stat,
                              .is_directory = echo_is_directory,
                              .get_file_size = echo_get_file_size,
                              .translate_name = echo,
                              .get_children = echo_get_children,
                              .get_matching_paths = good.get_matching_paths};
}

/* Other answers that the contract allows ------------------------------------------ */

static bool directory_ok(FS, const char *path, TF_Status *status) {
  bool answer = good.is_directory(fs, path, status);
  if (TF_GetCode(status) == TF_FAILED_PRECONDITION) good.path_exists(fs, path, status);
  return answer;
}

static void *table_copy(const void *table, size_t size) {
  return memcpy(calloc(1, size), table, size);
}

/* The same filesystem under three schemes. */
static void schemes(mutant_tables *t) {
  TF_FilesystemPluginOps *ops = calloc(3, sizeof *ops), first = *t->ops;
  for (int i = 0; i < 3; i++) {
    ops[i] = first;
    ops[i].scheme = malloc(strlen(first.scheme) + 8);
    sprintf(ops[i].scheme, "%s%.*s", first.scheme, i * 2, ".a.b");
    ops[i].filesystem_ops = table_copy(first.filesystem_ops, sizeof *first.filesystem_ops);
    ops[i].random_access_file_ops = table_copy(&good_reader, sizeof good_reader);
    ops[i].writable_file_ops = table_copy(&good_writer, sizeof good_writer);
    ops[i].read_only_memory_region_ops = table_copy(&good_region, sizeof good_region);
  }
  t->info->ops = ops;
  t->info->num_schemes = 3;
}

bool form_apply(mutant_tables *t, const char *name) {
  ON("good", (void)0)
  ON("good.echo", echoes(t))
  ON("good.directory.ok", t->fs->is_directory = directory_ok)
  ON("good.schemes", schemes(t))
  if (strncmp(name, "good.without.", 13) == 0) return without(t, name + 13);
  return strncmp(name, "good.bytes.", 11) == 0 && of_size(t, name + 11);
}
