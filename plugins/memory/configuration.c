#include "filesystem.h"
#include "error.h"
#include "fs.h"

#include <stdlib.h>
#include <string.h>

#define OPTION_NAME "limit_bytes"
#define OPTION_DESCRIPTION "bytes that all files together may hold; 0 means no limit"

static void option_fini(TF_Filesystem_Option *option) {
  free(option->name);
  free(option->description);
  if (option->value) free(option->value->values);
  free(option->value);
}

/* Each member is a separate block, because the host frees them one by one. */
static bool option_init(TF_Filesystem_Option *option, struct memory_filesystem *self) {
  *option = (TF_Filesystem_Option){0};
  option->name = strdup(OPTION_NAME);
  option->description = strdup(OPTION_DESCRIPTION);
  option->value = calloc(1, sizeof(*option->value));
  if (option->value) option->value->values = calloc(1, sizeof(*option->value->values));
  if (!option->name || !option->description || !option->value || !option->value->values) {
    option_fini(option);
    return false;
  }
  option->value->type_tag = TF_Filesystem_Option_Type_Int;
  option->value->num_values = 1;
  option->value->values->int_val = (int64_t)atomic_load(&self->limit);
  return true;
}

static TF_Filesystem_Option *option_new(struct memory_filesystem *self) {
  TF_Filesystem_Option *option = malloc(sizeof(*option));
  if (option && option_init(option, self)) return option;
  free(option);
  return NULL;
}

static memory_error check_option(const TF_Filesystem_Option *option) {
  const TF_Filesystem_Option_Value *value = option->value;
  if (!option->name) return MEMORY_BAD_OPTION;
  if (strcmp(option->name, OPTION_NAME) != 0) return MEMORY_NO_OPTION;
  if (!value || !value->values) return MEMORY_BAD_OPTION;
  if (value->type_tag != TF_Filesystem_Option_Type_Int || value->num_values != 1)
    return MEMORY_BAD_VALUE;
  return value->values->int_val < 0 ? MEMORY_BAD_VALUE : MEMORY_OK;
}

static memory_error set_options(struct memory_filesystem *self, const TF_Filesystem_Option *options,
                                int count) {
  if (count < 0 || (count > 0 && !options)) return MEMORY_BAD_OPTION;
  for (int i = 0; i < count; ++i) {
    memory_error error = check_option(&options[i]);
    if (error) return error;
  }
  if (count > 0)
    atomic_store(&self->limit, (uint_fast64_t)options[count - 1].value->values->int_val);
  return MEMORY_OK;
}

void memory_fs_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                            TF_Filesystem_Option **options, int *num_options,
                                            TF_Status *status) {
  TF_Filesystem_Option *option = option_new(memory_filesystem_of(filesystem));
  if (!option) {
    memory_error_report(MEMORY_NO_MEMORY, status);
    return;
  }
  *options = option;
  *num_options = 1;
}

void memory_fs_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                            const TF_Filesystem_Option *options, int num_options,
                                            TF_Status *status) {
  memory_error_report(set_options(memory_filesystem_of(filesystem), options, num_options), status);
}

void memory_fs_get_filesystem_configuration_option(const TF_Filesystem *filesystem, const char *key,
                                                   TF_Filesystem_Option **option,
                                                   TF_Status *status) {
  memory_error error = MEMORY_NO_OPTION;
  if (key && strcmp(key, OPTION_NAME) == 0) {
    TF_Filesystem_Option *found = option_new(memory_filesystem_of(filesystem));
    error = found ? MEMORY_OK : MEMORY_NO_MEMORY;
    if (found) *option = found;
  }
  memory_error_report(error, status);
}

void memory_fs_set_filesystem_configuration_option(const TF_Filesystem *filesystem,
                                                   const TF_Filesystem_Option *option,
                                                   TF_Status *status) {
  memory_error_report(set_options(memory_filesystem_of(filesystem), option, 1), status);
}
