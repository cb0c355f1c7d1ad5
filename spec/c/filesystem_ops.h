/* Operations of a filesystem as one call on a name, with the code for an answer. An answer that
 * contradicts the code is DATA_LOSS. */
#ifndef MODFS_FILESYSTEM_OPS_H
#define MODFS_FILESYSTEM_OPS_H

#include "filesystem_host.h"

static inline TF_Code try_read(const char *uri) {
  TF_RandomAccessFile file;
  TF_Code code = open_file(uri, &file);
  if (!code) file_ops.cleanup(&file);
  return code;
}

static inline TF_Code try_region(const char *uri) {
  TF_ReadOnlyMemoryRegion region;
  TF_Code code = open_region(uri, &region);
  if (!code) region_ops.cleanup(&region);
  return code;
}

static inline TF_Code try_make_all(const char *uri) {
  return on(fs.recursively_create_dir, uri);
}

static inline TF_Code try_delete(const char *uri) {
  return on(fs.delete_file, uri);
}

static inline TF_Code try_delete_dir(const char *uri) {
  return on(fs.delete_dir, uri);
}

static inline TF_Code try_delete_tree(const char *uri) {
  uint64_t files, dirs;
  return delete_tree(uri, &files, &dirs);
}

static inline TF_Code try_list(const char *uri) {
  char **names;
  int count = list(uri, &names);
  if (count >= 0) free_names(names, count);
  return (count < 0) == (TF_GetCode(status) != TF_OK) ? TF_GetCode(status) : TF_DATA_LOSS;
}

static inline TF_Code try_iterate(const char *uri) {
  modfs_directory directory = {NULL};
  char *path = translate(uri);
  ext->open_directory(&here, path, &directory, fresh());
  drop(path, uri);
  if (!TF_GetCode(status)) ext->close_directory(&directory);
  return TF_GetCode(status);
}

static inline TF_Code open_by(const char *uri, uint32_t flags, TF_WritableFile *file) {
  char *path = translate(uri);
  ext->open_writer(&here, NULL, path, flags, file, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

/* The code of what fails first. */
static inline TF_Code write_by(const char *uri, uint32_t flags, const char *text) {
  TF_WritableFile file = {NULL};
  TF_Code code = open_by(uri, flags, &file);
  return code ? code : finish_with(&file, text);
}

/* Links */

static inline TF_Code make_link(const char *uri, const char *target) {
  char *path = translate(uri);
  ext->create_link(&here, NULL, path, target, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

/* What a link leads to, or "!code"; in one place for each thread. */
static inline const char *target_of(const char *uri) {
  static _Thread_local char text[8192];
  char *path = translate(uri), *target = ext->read_link(&here, NULL, path, fresh());
  drop(path, uri);
  if (TF_GetCode(status))
    snprintf(text, sizeof text, "!%d", (int)TF_GetCode(status));
  else
    snprintf(text, sizeof text, "%s", target ? target : "!NULL");
  info.plugin_memory_free(target);
  return text;
}

/* Options */

static inline TF_Code set_option(const char *name, int type, int64_t value) {
  TF_Filesystem_Option_Value_Union number = {.int_val = value};
  TF_Filesystem_Option_Value held = {type, 1, &number};
  TF_Filesystem_Option option = {(char *)(uintptr_t)name, NULL, 0, &held};
  fs.set_filesystem_configuration_option(&here, &option, fresh());
  return TF_GetCode(status);
}

/* Takes the option apart, as a host does, and gives its value. */
static inline int64_t take_option(TF_Filesystem_Option *option) {
  int64_t value = option->value->num_values == 1 ? option->value->values[0].int_val : -1;
  info.plugin_memory_free(option->name);
  info.plugin_memory_free(option->description);
  info.plugin_memory_free(option->value->values);
  info.plugin_memory_free(option->value);
  return value;
}

/* -1 on failure. */
static inline int64_t get_option(const char *name) {
  TF_Filesystem_Option *option = NULL;
  fs.get_filesystem_configuration_option(&here, name, &option, fresh());
  if (TF_GetCode(status) != TF_OK) return -1;
  int64_t value = take_option(option);
  info.plugin_memory_free(option);
  return value;
}

/* The value of the first option, and how many there are. */
static inline int64_t list_options(int *count) {
  TF_Filesystem_Option *options = NULL;
  int64_t first = -1;
  fs.get_filesystem_configuration(&here, &options, count, fresh());
  if (TF_GetCode(status) != TF_OK) return -1;
  for (int i = *count; i-- > 0;)
    first = take_option(&options[i]);
  info.plugin_memory_free(options);
  return first;
}

/* Transactions */

static inline TF_TransactionToken *begin(void) {
  TF_TransactionToken *token = NULL;
  return fs.start_transaction(&here, &token, fresh()) == 0 ? token : NULL;
}

static inline TF_Code add(TF_TransactionToken *token, const char *uri) {
  char *path = translate(uri);
  fs.add_to_transaction(&here, path, token, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

static inline TF_Code commit(TF_TransactionToken *token) {
  fs.end_transaction(&here, token, fresh());
  return TF_GetCode(status);
}

static inline TF_Code abort_of(TF_TransactionToken *token) {
  ext->abort_transaction(&here, token, fresh());
  return TF_GetCode(status);
}

static inline TF_TransactionToken *holder(const char *uri) {
  TF_TransactionToken *token = NULL;
  char *path = translate(uri);
  fs.get_transaction_for_path(&here, path, &token, fresh());
  drop(path, uri);
  return TF_GetCode(status) ? NULL : token;
}

/* A tree to begin with, and what it looks like. */
static inline void start_tree(void) {
  clear();
  try_make_all("mem://t/d/sub");
  put("mem://t/d/old", "old");
  put("mem://t/d/sub/x", "x");
  put("mem://t/out", "out");
}

#define START_DUMP "d(old=old;sub(x=x;))out=out;"

#endif
