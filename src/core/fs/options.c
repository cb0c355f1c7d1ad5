/* Options in the ABI's form, copied out of a plugin's memory into ours. */
#include <stdlib.h>
#include <string.h>

#include "fs_defaults.h"
#include "core/base/string_list.h"
#include "core/base/probe.h"
#include "core/base/status.h"

enum { OPTIONS_MAX = 4096, VALUES_MAX = 65536, WORD_MAX = 4096 };

/* Our own copies -------------------------------------------------------------- */

static void free_option(TF_Filesystem_Option *option, memory_free release) {
  TF_Filesystem_Option_Value *value = option->value;
  release(option->name);
  release(option->description);
  if (value && value->values && value->type_tag == TF_Filesystem_Option_Type_Buffer)
    for (int i = 0; i < value->num_values; i++)
      release(value->values[i].buffer_val.buf);
  if (value) release(value->values);
  release(value);
}

void modfs_options_fini(modfs_options *options) {
  for (size_t i = 0; i < options->count; i++)
    free_option(&options->items[i], free);
  free(options->items);
  *options = (modfs_options){0, NULL};
}

static bool copy_buffer(TF_Filesystem_Option_Value_Union *to,
                        const TF_Filesystem_Option_Value_Union *from) {
  size_t length = (size_t)from->buffer_val.buf_length;
  to->buffer_val.buf = malloc(length + 1);
  if (!to->buffer_val.buf) return false;
  if (length > 0) memcpy(to->buffer_val.buf, from->buffer_val.buf, length);
  to->buffer_val.buf[length] = '\0';
  to->buffer_val.buf_length = from->buffer_val.buf_length;
  return true;
}

static bool copy_values(TF_Filesystem_Option_Value *to, const TF_Filesystem_Option_Value *from) {
  size_t count = (size_t)from->num_values;
  to->type_tag = from->type_tag;
  to->values = calloc(count ? count : 1, sizeof *to->values);
  if (!to->values) return false;
  for (to->num_values = 0; (size_t)to->num_values < count; to->num_values++) {
    int i = to->num_values;
    if (from->type_tag != TF_Filesystem_Option_Type_Buffer)
      to->values[i] = from->values[i];
    else if (!copy_buffer(&to->values[i], &from->values[i]))
      return false;
  }
  return true;
}

static bool copy_option(TF_Filesystem_Option *to, const TF_Filesystem_Option *from) {
  *to = (TF_Filesystem_Option){.per_file = from->per_file != 0};
  to->name = strdup(from->name);
  to->description = strdup(from->description ? from->description : "");
  to->value = calloc(1, sizeof *to->value);
  return to->name && to->description && to->value && copy_values(to->value, from->value);
}

static bool readable_word(const char *word) {
  char copy[WORD_MAX];
  return probe_string(copy, sizeof copy, word);
}

static bool readable_buffer(const TF_Filesystem_Option_Value_Union *value) {
  const char *buf = value->buffer_val.buf;
  int length = value->buffer_val.buf_length;
  return length == 0 || (length > 0 && probe_ends(buf, (size_t)length));
}

static const char *values_fault(const TF_Filesystem_Option_Value *value) {
  TF_Filesystem_Option_Value_Union one;
  if (value->num_values < 0 || value->num_values > VALUES_MAX)
    return "an option with an impossible number of values";
  for (int i = 0; i < value->num_values; i++) {
    if (!probe_copy(&one, value->values + i, sizeof one)) return "an option with unreadable values";
    if (value->type_tag == TF_Filesystem_Option_Type_Buffer && !readable_buffer(&one))
      return "an option with an unreadable buffer";
  }
  return NULL;
}

/* What is wrong with an option that a plugin returned, or NULL. */
static const char *option_fault(const TF_Filesystem_Option *given) {
  TF_Filesystem_Option option;
  TF_Filesystem_Option_Value value;
  if (!probe_copy(&option, given, sizeof option)) return "fewer options than it announced";
  if (!readable_word(option.name)) return "an option without a readable name";
  if (option.description && !readable_word(option.description))
    return "an option without a readable description";
  if (!probe_copy(&value, option.value, sizeof value)) return "an option without a value";
  if (value.type_tag < 0 || value.type_tag >= TF_Filesystem_Num_Option_Types)
    return "an option of an unknown type";
  return values_fault(&value);
}

static const char *options_fault(const TF_Filesystem_Option *given, int count) {
  const char *fault = NULL;
  if (count < 0 || count > OPTIONS_MAX || (count > 0 && !given))
    return "an impossible number of options";
  for (int i = 0; !fault && i < count; i++)
    fault = option_fault(&given[i]);
  return fault;
}

static bool check_options(const modfs_fs *fs, const TF_Filesystem_Option *given, int count,
                          TF_Status *status) {
  const char *fault = options_fault(given, count);
  if (fault) fs_breach(fs, status, "it returned %s", fault);
  return !fault;
}

/* Copies a plugin's checked array and frees it; one that fails its check is not freed. */
static void collect(const modfs_fs *fs, TF_Filesystem_Option *given, int count,
                    modfs_options *options, TF_Status *status) {
  modfs_options copy = {0, NULL};
  copy.items = calloc((size_t)count + 1, sizeof *copy.items);
  for (int i = 0; copy.items && i < count && status_ok(status); i++)
    if (copy.count++, !copy_option(&copy.items[i], &given[i])) status_no_memory(status);
  if (!copy.items) status_no_memory(status);
  for (int i = 0; i < count; i++)
    free_option(&given[i], fs->plugin->free);
  fs->plugin->free(given);
  if (status_ok(status))
    *options = copy;
  else
    modfs_options_fini(&copy);
}

/* The calls -------------------------------------------------------------------- */

static bool query_all(const modfs_fs *fs, TF_Filesystem_Option **given, int *count,
                      TF_Status *status) {
  *given = NULL;
  *count = 0;
  fs->tables.fs.get_filesystem_configuration(&fs->handle, given, count, status);
  return status_ok(status) && check_options(fs, *given, *count, status);
}

void fs_set_options(const modfs_fs *fs, const TF_Filesystem_Option *options, int count,
                    TF_Status *status) {
  fs->tables.fs.set_filesystem_configuration(&fs->handle, options, count, status);
}

void modfs_fs_get_configuration(const modfs_fs *fs, modfs_options *options, TF_Status *status) {
  TF_Filesystem_Option *given;
  int count;
  status_clear(status);
  if (query_all(fs, &given, &count, status)) collect(fs, given, count, options, status);
  status_locate(status, "get_filesystem_configuration", NULL);
}

void modfs_fs_set_configuration(const modfs_fs *fs, const modfs_options *options,
                                TF_Status *status) {
  status_clear(status);
  if (options->count > OPTIONS_MAX)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "too many options");
  else
    fs_set_options(fs, options->items, (int)options->count, status);
  status_locate(status, "set_filesystem_configuration", NULL);
}

void modfs_fs_get_configuration_option(const modfs_fs *fs, const char *key, modfs_options *options,
                                       TF_Status *status) {
  TF_Filesystem_Option *given = NULL;
  if (status_takes(status, "the key", key))
    fs->tables.fs.get_filesystem_configuration_option(&fs->handle, key, &given, status);
  if (status_ok(status) && !given)
    fs_breach(fs, status, "get_filesystem_configuration_option returned no option with OK");
  else if (status_ok(status) && check_options(fs, given, 1, status))
    collect(fs, given, 1, options, status);
  status_locate(status, "get_filesystem_configuration_option", key);
}

void modfs_fs_set_configuration_option(const modfs_fs *fs, const TF_Filesystem_Option *option,
                                       TF_Status *status) {
  status_clear(status);
  fs->tables.fs.set_filesystem_configuration_option(&fs->handle, option, status);
  status_locate(status, "set_filesystem_configuration_option", option->name);
}

void modfs_fs_get_configuration_keys(const modfs_fs *fs, modfs_string_list *keys,
                                     TF_Status *status) {
  modfs_options options = {0, NULL};
  modfs_string_list names = {0};
  modfs_fs_get_configuration(fs, &options, status);
  for (size_t i = 0; i < options.count && status_ok(status); i++)
    if (!string_list_add(&names, options.items[i].name, strlen(options.items[i].name)))
      status_no_memory(status);
  modfs_options_fini(&options);
  if (status_ok(status))
    *keys = names;
  else
    modfs_string_list_fini(&names);
}

/* Extracts one option from the whole configuration, all of which is in the plugin's memory. */
void default_get_option(const TF_Filesystem *filesystem, const char *key,
                        TF_Filesystem_Option **option, TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  TF_Filesystem_Option *all, *one = NULL;
  int count;
  if (!query_all(fs, &all, &count, status)) return;
  for (int i = 0; i < count; i++) {
    if (!one && strcmp(all[i].name, key) == 0 && (one = fs->plugin->allocate(sizeof *one)))
      *one = all[i];
    else
      free_option(&all[i], fs->plugin->free);
  }
  fs->plugin->free(all);
  if (one)
    *option = one;
  else
    TF_SetStatus(status, TF_NOT_FOUND, "no such option");
}
