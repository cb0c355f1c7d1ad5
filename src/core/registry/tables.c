/* Copying and checking a plugin's tables.
 *
 * Nothing in the plugin's memory is read in place: each table is copied by probe_copy, never more
 * of it than both sides know, and all checks are made on the copy, which the plugin cannot change
 * afterwards. An unreadable pointer sets "unreadable": then nothing of this registration is freed,
 * as no other pointer can be relied on either. */
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/dylib.h"
#include "core/base/path.h"
#include "core/base/probe.h"
#include "core/base/status.h"

typedef void (*slot)(void);

#define TABLE_MAX ((size_t)64 * 1024)
#define SLOT sizeof(slot)

enum { WORD_MAX = 1024 };

static const char *const fs_slots[MODFS_FS_OPERATIONS] = {
    "init",
    "cleanup",
    "new_random_access_file",
    "new_writable_file",
    "new_appendable_file",
    "new_read_only_memory_region_from_file",
    "create_dir",
    "recursively_create_dir",
    "delete_file",
    "delete_dir",
    "delete_recursively",
    "rename_file",
    "copy_file",
    "path_exists",
    "paths_exist",
    "stat",
    "is_directory",
    "get_file_size",
    "translate_name",
    "get_children",
    "get_matching_paths",
    "flush_caches",
    "start_transaction",
    "end_transaction",
    "add_to_transaction",
    "get_transaction_for_path",
    "get_or_start_transaction_for_path",
    "decode_transaction_token",
    "get_filesystem_configuration",
    "set_filesystem_configuration",
    "get_filesystem_configuration_option",
    "set_filesystem_configuration_option",
    "get_filesystem_configuration_keys",
};
static const char *const file_slots[] = {"cleanup", "read"};
static const char *const writable_slots[] = {"cleanup", "append", "tell", "flush", "sync", "close"};
static const char *const region_slots[] = {"cleanup", "data", "length"};

_Static_assert(sizeof(TF_FilesystemOps) == MODFS_FS_OPERATIONS * SLOT, "a name for each slot");

/* The rules for each of the four tables. */
typedef struct table_rule {
  const char *name;
  const char *const *slots;
  size_t size;
  size_t copy;     /* offset in tables */
  size_t required; /* the first so many slots must not be NULL */
  int abi;
  int api;
} table_rule;

static const table_rule rules[MODFS_TABLES] = {
    {"filesystem", fs_slots, sizeof(TF_FilesystemOps), offsetof(tables, fs), 2,
     TF_FILESYSTEM_OPS_ABI, TF_FILESYSTEM_OPS_API},
    {"random access file", file_slots, sizeof(TF_RandomAccessFileOps), offsetof(tables, file), 1,
     TF_RANDOM_ACCESS_FILE_OPS_ABI, TF_RANDOM_ACCESS_FILE_OPS_API},
    {"writable file", writable_slots, sizeof(TF_WritableFileOps), offsetof(tables, writable), 1,
     TF_WRITABLE_FILE_OPS_ABI, TF_WRITABLE_FILE_OPS_API},
    {"read-only memory region", region_slots, sizeof(TF_ReadOnlyMemoryRegionOps),
     offsetof(tables, region), 3, TF_READ_ONLY_MEMORY_REGION_OPS_ABI,
     TF_READ_ONLY_MEMORY_REGION_OPS_API},
};

const char *tables_slot_name(size_t index) {
  return index < MODFS_FS_OPERATIONS ? fs_slots[index] : NULL;
}

static void copy_scheme(tables *copy, const char *scheme, TF_Status *status) {
  if (!scheme)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the scheme is NULL");
  else if (!(copy->unreadable = !probe_copy(copy->scheme, scheme, 1)) &&
           !probe_string(copy->scheme, sizeof copy->scheme, scheme))
    modfs_set_status(status, TF_INVALID_ARGUMENT,
                     "the scheme is not terminated or longer than %d bytes", SCHEME_MAX - 1);
  else if (copy->unreadable)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the scheme cannot be read");
  else if (!path_scheme_valid(copy->scheme, strlen(copy->scheme)))
    modfs_set_status(status, TF_INVALID_ARGUMENT,
                     "invalid scheme \"%s\": expected a letter, then letters, digits and dots",
                     copy->scheme);
}

static void check_abi(const tables *copy, TF_Status *status) {
  for (size_t i = 0; i < MODFS_TABLES && status_ok(status); i++)
    if ((copy->present[i] || i == MODFS_TABLE_FILESYSTEM) && copy->versions[i].abi != rules[i].abi)
      modfs_set_status(status, TF_FAILED_PRECONDITION,
                       "the %s table has ABI %d, this host has ABI %d", rules[i].name,
                       copy->versions[i].abi, rules[i].abi);
}

static slot slot_at(const void *table, size_t index) {
  slot value;
  memcpy(&value, (const char *)table + index * SLOT, SLOT);
  return value;
}

static void check_code(const char *name, const char *table, slot function, TF_Status *status) {
  const void *address;
  memcpy(&address, &function, sizeof address);
  if (function && !dylib_owns(address))
    modfs_set_status(status, TF_FAILED_PRECONDITION, "%s of the %s table does not point to code",
                     name, table);
}

static void check_slots(const table_rule *rule, const void *table, size_t size, TF_Status *status) {
  for (size_t i = 0; i < size / SLOT && status_ok(status); i++)
    check_code(rule->slots[i], rule->name, slot_at(table, i), status);
  for (size_t i = 0; i < rule->required && status_ok(status); i++)
    if (!slot_at(table, i))
      modfs_set_status(status, TF_FAILED_PRECONDITION, "%s of the %s table is missing",
                       rule->slots[i], rule->name);
}

static void copy_table(tables *copy, size_t i, const void *source, TF_Status *status) {
  const table_rule *rule = &rules[i];
  size_t claimed = copy->versions[i].size;
  size_t size = claimed < rule->size ? claimed : rule->size;
  void *table = (char *)copy + rule->copy;
  if (!source && i != MODFS_TABLE_FILESYSTEM) return;
  if (!source)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the filesystem table is NULL");
  else if (claimed == 0 || claimed % SLOT != 0 || claimed > TABLE_MAX)
    modfs_set_status(status, TF_INVALID_ARGUMENT,
                     "the %s table declares an impossible size of %zu bytes", rule->name, claimed);
  else if ((copy->unreadable = !probe_copy(table, source, size)))
    modfs_set_status(status, TF_INVALID_ARGUMENT,
                     "the %s table cannot be read at the address that the plugin gave", rule->name);
  else
    check_slots(rule, table, size, status);
}

/* A slot that opens files of a kind requires the table of functions for them. */
static void check_partners(const tables *copy, TF_Status *status) {
  const TF_FilesystemOps *fs = &copy->fs;
  const struct {
    bool opens;
    modfs_table needs;
    const char *slot;
  } partners[] = {
      {fs->new_random_access_file, MODFS_TABLE_RANDOM_ACCESS_FILE, "new_random_access_file"},
      {fs->new_writable_file, MODFS_TABLE_WRITABLE_FILE, "new_writable_file"},
      {fs->new_appendable_file, MODFS_TABLE_WRITABLE_FILE, "new_appendable_file"},
      {fs->new_read_only_memory_region_from_file, MODFS_TABLE_READ_ONLY_MEMORY_REGION,
       "new_read_only_memory_region_from_file"},
  };
  for (size_t i = 0; i < sizeof partners / sizeof *partners && status_ok(status); i++)
    if (partners[i].opens && !copy->present[partners[i].needs])
      modfs_set_status(status, TF_FAILED_PRECONDITION, "%s is set, but the %s table is missing",
                       partners[i].slot, rules[partners[i].needs].name);
}

void tables_copy(tables *copy, const TF_FilesystemPluginOps *entry, TF_Status *status) {
  const struct {
    modfs_version version;
    const void *table;
  } given[MODFS_TABLES] = {
      {{entry->filesystem_ops_abi, entry->filesystem_ops_api, entry->filesystem_ops_size},
       entry->filesystem_ops},
      {{entry->random_access_file_ops_abi, entry->random_access_file_ops_api,
        entry->random_access_file_ops_size},
       entry->random_access_file_ops},
      {{entry->writable_file_ops_abi, entry->writable_file_ops_api, entry->writable_file_ops_size},
       entry->writable_file_ops},
      {{entry->read_only_memory_region_ops_abi, entry->read_only_memory_region_ops_api,
        entry->read_only_memory_region_ops_size},
       entry->read_only_memory_region_ops},
  };
  *copy = (tables){0};
  copy_scheme(copy, entry->scheme, status);
  for (size_t i = 0; i < MODFS_TABLES; i++) {
    copy->versions[i] = given[i].version;
    copy->present[i] = given[i].table != NULL;
  }
  if (status_ok(status)) check_abi(copy, status);
  for (size_t i = 0; i < MODFS_TABLES && status_ok(status); i++)
    copy_table(copy, i, given[i].table, status);
  if (status_ok(status)) check_partners(copy, status);
}

static const char *const extension_slots[] = {
    "open_directory",
    "next_entry",
    "close_directory",
    "lstat",
    "abort_transaction",
    "create_private_dir",
    "open_writer",
    "open_subdirectory",
    "entry_attributes",
    "open_reader",
    "create_subdirectory",
    "delete_entry",
    "rename_entry",
    "copy_entry",
    "get_attributes",
    "set_attributes",
    "create_link",
    "read_link",
    "set_writer_attributes",
    "stored_hash",
    "reader_attributes",
    "accept_interruption",
    "get_xattrs",
    "set_xattrs",
    "get_space",
    "accept_host",
    "presign",
    "next_entries",
    "copy_entry_keeping",
};

_Static_assert(sizeof extension_slots / sizeof *extension_slots == MODFS_FS_EXTENSIONS,
               "as many as modfs.h says");
_Static_assert(sizeof(modfs_extension_ops) ==
                   offsetof(modfs_extension_ops, open_directory) + SLOT * MODFS_FS_EXTENSIONS,
               "a name for each slot");

static void check_extension_words(const modfs_extension_ops *copy, TF_Status *status) {
  const char *const words[] = {copy->author, copy->version, copy->url};
  char text[WORD_MAX];
  for (size_t i = 0; i < sizeof words / sizeof *words && status_ok(status); i++)
    if (words[i] && !probe_string(text, sizeof text, words[i]))
      TF_SetStatus(status, TF_INVALID_ARGUMENT,
                   "author, version or url of the extension cannot be read");
}

const char *tables_extension_name(size_t index) {
  return index < MODFS_FS_EXTENSIONS ? extension_slots[index] : NULL;
}

static slot extension_slot(const modfs_extension_ops *copy, size_t index) {
  return slot_at((const char *)copy + offsetof(modfs_extension_ops, open_directory), index);
}

static void check_companion(const modfs_extension_ops *copy, size_t has, size_t needs,
                            TF_Status *status) {
  if (status_ok(status) && extension_slot(copy, has) && !extension_slot(copy, needs))
    modfs_set_status(status, TF_FAILED_PRECONDITION, "the extension has %s, but not %s",
                     extension_slots[has], extension_slots[needs]);
}

/* A group of slots of which a plugin has all or none. */
static void check_family(const modfs_extension_ops *copy, size_t first, size_t last,
                         TF_Status *status) {
  for (size_t i = first; i <= last; i++) {
    check_companion(copy, first, i, status);
    check_companion(copy, i, first, status);
  }
}

/* The slots of the extension that open files require the same tables. */
static void check_extension_partners(const modfs_extension_ops *copy, const tables *with,
                                     TF_Status *status) {
  const struct {
    size_t slot;
    modfs_table needs;
  } partners[] = {
      {TABLES_EXTENSION_INDEX(open_writer), MODFS_TABLE_WRITABLE_FILE},
      {TABLES_EXTENSION_INDEX(open_reader), MODFS_TABLE_RANDOM_ACCESS_FILE},
  };
  for (size_t i = 0; i < sizeof partners / sizeof *partners && status_ok(status); i++)
    if (extension_slot(copy, partners[i].slot) && !with->present[partners[i].needs])
      modfs_set_status(status, TF_FAILED_PRECONDITION, "the extension has %s, but no %s table",
                       extension_slots[partners[i].slot], rules[partners[i].needs].name);
}

static void check_extension_slots(const modfs_extension_ops *copy, const tables *with,
                                  TF_Status *status) {
  for (size_t i = 0; i < MODFS_FS_EXTENSIONS && status_ok(status); i++)
    check_code(extension_slots[i], "extension's", extension_slot(copy, i), status);
  check_family(copy, TABLES_EXTENSION_INDEX(open_directory),
               TABLES_EXTENSION_INDEX(close_directory), status);
  check_family(copy, TABLES_EXTENSION_INDEX(open_subdirectory), TABLES_EXTENSION_INDEX(copy_entry),
               status);
  check_companion(copy, TABLES_EXTENSION_INDEX(open_subdirectory),
                  TABLES_EXTENSION_INDEX(open_directory), status);
  check_companion(copy, TABLES_EXTENSION_INDEX(next_entries),
                  TABLES_EXTENSION_INDEX(open_directory), status);
  check_companion(copy, TABLES_EXTENSION_INDEX(copy_entry_keeping),
                  TABLES_EXTENSION_INDEX(copy_entry), status);
  check_companion(copy, TABLES_EXTENSION_INDEX(set_writer_attributes),
                  TABLES_EXTENSION_INDEX(open_writer), status);
  check_family(copy, TABLES_EXTENSION_INDEX(get_xattrs), TABLES_EXTENSION_INDEX(set_xattrs),
               status);
  check_extension_partners(copy, with, status);
}

void tables_copy_extension(modfs_extension_ops *copy, const modfs_extension_ops *source,
                           const tables *with, TF_Status *status) {
  size_t claimed = 0;
  *copy = (modfs_extension_ops){0};
  if (!source) return;
  bool readable = probe_copy(&claimed, source, sizeof claimed);
  size_t size = claimed < sizeof *copy ? claimed : sizeof *copy;
  if (!readable || claimed < sizeof claimed || claimed > TABLE_MAX ||
      !probe_copy(copy, source, size))
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the extension's table cannot be read");
  if (status_ok(status)) check_extension_words(copy, status);
  if (status_ok(status)) check_extension_slots(copy, with, status);
}

char *tables_warning(const tables *copy) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (size_t i = 0; i < MODFS_TABLES; i++)
    if (copy->present[i] && copy->versions[i].api != rules[i].api)
      fprintf(out, "scheme \"%s\": the %s table has API %d, this host has API %d\n", copy->scheme,
              rules[i].name, copy->versions[i].api, rules[i].api);
  fclose(out);
  if (text && size > 0) return text;
  free(text);
  return NULL;
}
