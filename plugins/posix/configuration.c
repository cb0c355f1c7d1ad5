#include "configuration.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

typedef struct posix_filesystem {
  atomic_int values[POSIX_OPTIONS];
} posix_filesystem;

static const struct {
  const char *name;
  const char *description;
  int initial;
  int most;
} options_known[POSIX_OPTIONS] = {
    [POSIX_FILE_MODE] = {"file_mode", "permissions of new files, less the umask", 0666, 0777},
    [POSIX_DIRECTORY_MODE] = {"directory_mode", "permissions of new directories, less the umask",
                              0777, 0777},
    [POSIX_SYNC_ON_CLOSE] = {"sync_on_close", "1: closing a file waits until it is durable", 0, 1},
};

void posix_init(TF_Filesystem *filesystem, TF_Status *status) {
  posix_filesystem *made = calloc(1, sizeof *made);
  if (made != NULL) {
    for (int i = 0; i < POSIX_OPTIONS; i++)
      atomic_init(&made->values[i], options_known[i].initial);
    filesystem->plugin_filesystem = made;
  }
  posix_report(status, made != NULL ? 0 : ENOMEM);
}

void posix_cleanup(TF_Filesystem *filesystem) {
  free(filesystem->plugin_filesystem);
  filesystem->plugin_filesystem = NULL;
}

int posix_option_get(const TF_Filesystem *filesystem, posix_option option) {
  posix_filesystem *self = filesystem->plugin_filesystem;
  return atomic_load_explicit(&self->values[option], memory_order_relaxed);
}

static int option_find(const char *name) {
  for (int i = 0; name != NULL && i < POSIX_OPTIONS; i++) {
    if (strcmp(name, options_known[i].name) == 0) return i;
  }
  return -1;
}

/* Frees an option, also one that option_fill has left incomplete. */
static void option_free(TF_Filesystem_Option *option) {
  free(option->name);
  free(option->description);
  if (option->value != NULL) free(option->value->values);
  free(option->value);
}

static bool option_fill(TF_Filesystem_Option *option, const TF_Filesystem *filesystem, int which) {
  option->name = strdup(options_known[which].name);
  option->description = strdup(options_known[which].description);
  option->value = calloc(1, sizeof *option->value);
  if (option->value != NULL) option->value->values = calloc(1, sizeof *option->value->values);
  if (option->name == NULL || option->description == NULL || option->value == NULL ||
      option->value->values == NULL) {
    option_free(option);
    return false;
  }
  option->value->type_tag = TF_Filesystem_Option_Type_Int;
  option->value->num_values = 1;
  option->value->values[0].int_val = posix_option_get(filesystem, (posix_option)which);
  return true;
}

static TF_Filesystem_Option *options_new(const TF_Filesystem *filesystem, int from, int count) {
  TF_Filesystem_Option *options = calloc((size_t)count, sizeof *options);
  for (int i = 0; options != NULL && i < count; i++) {
    if (option_fill(&options[i], filesystem, from + i)) continue;
    while (i-- > 0)
      option_free(&options[i]);
    free(options);
    options = NULL;
    break;
  }
  return options;
}

void posix_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                        TF_Filesystem_Option **options, int *num_options,
                                        TF_Status *status) {
  TF_Filesystem_Option *made = options_new(filesystem, 0, POSIX_OPTIONS);
  if (made != NULL) {
    *options = made;
    *num_options = POSIX_OPTIONS;
  }
  posix_report(status, made != NULL ? 0 : ENOMEM);
}

static void report_unknown(TF_Status *status) {
  TF_SetStatus(status, TF_NOT_FOUND,
               "unknown option; the options are file_mode, directory_mode and sync_on_close");
}

void posix_get_filesystem_configuration_option(const TF_Filesystem *filesystem, const char *key,
                                               TF_Filesystem_Option **option, TF_Status *status) {
  int which = option_find(key);
  if (which < 0) {
    report_unknown(status);
    return;
  }
  TF_Filesystem_Option *made = options_new(filesystem, which, 1);
  if (made != NULL) *option = made;
  posix_report(status, made != NULL ? 0 : ENOMEM);
}

static void report_bad_value(int which, TF_Status *status) {
  char text[96];
  snprintf(text, sizeof text, "option %s takes one integer from 0 to %d", options_known[which].name,
           options_known[which].most);
  TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
}

/* The index of an option, with its value checked; -1 when either is invalid. */
static int check_option(const TF_Filesystem_Option *option, TF_Status *status) {
  if (option == NULL || option->name == NULL) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "an option has no name");
    return -1;
  }
  int which = option_find(option->name);
  if (which < 0) {
    report_unknown(status);
    return -1;
  }
  const TF_Filesystem_Option_Value *value = option->value;
  bool good = value != NULL && value->type_tag == TF_Filesystem_Option_Type_Int &&
              value->num_values == 1 && value->values != NULL && value->values[0].int_val >= 0 &&
              value->values[0].int_val <= options_known[which].most;
  if (good) return which;
  report_bad_value(which, status);
  return -1;
}

void posix_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                        const TF_Filesystem_Option *options, int num_options,
                                        TF_Status *status) {
  if (num_options < 0 || (options == NULL && num_options > 0)) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the array of options is NULL");
    return;
  }
  for (int i = 0; i < num_options; i++) {
    if (check_option(&options[i], status) < 0) return;
  }
  posix_filesystem *self = filesystem->plugin_filesystem;
  for (int i = 0; i < num_options; i++) {
    int value = (int)options[i].value->values[0].int_val;
    atomic_store_explicit(&self->values[option_find(options[i].name)], value, memory_order_relaxed);
  }
  posix_report(status, 0);
}

void posix_set_filesystem_configuration_option(const TF_Filesystem *filesystem,
                                               const TF_Filesystem_Option *option,
                                               TF_Status *status) {
  posix_set_filesystem_configuration(filesystem, option, 1, status);
}
