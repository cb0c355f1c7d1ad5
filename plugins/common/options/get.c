/* Reports the options to the host, in separate blocks, which the host frees. It reads one set of values
 * (see options.c), so the list is consistent whatever other threads set meanwhile. */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "secret.h"

/* Frees an option, also one that fill has left incomplete. */
static void option_free(TF_Filesystem_Option *option) {
  bool text = option->value && option->value->type_tag == TF_Filesystem_Option_Type_Buffer;
  free(option->name);
  free(option->description);
  if (text && option->value->values) free(option->value->values->buffer_val.buf);
  if (option->value) free(option->value->values);
  free(option->value);
}

/* A secret is reported as "***" if it is set, else as "". */
static const char *text_of(const option_set *self, const option_value *value, int which) {
  if (self->table->known[which].kind == OPTION_TEXT) return value->text;
  return secret_is_set(self->secrets, which) ? "***" : "";
}

static bool fill_value(TF_Filesystem_Option_Value *made, const option_set *self,
                       const option_value *value, int which) {
  made->num_values = 1;
  made->type_tag = TF_Filesystem_Option_Type_Int;
  if (self->table->known[which].kind == OPTION_NUMBER) {
    made->values->int_val = value->number;
    return true;
  }
  const char *text = text_of(self, value, which);
  made->type_tag = TF_Filesystem_Option_Type_Buffer;
  made->values->buffer_val.buf = strdup(text);
  made->values->buffer_val.buf_length = (int)strlen(text);
  return made->values->buffer_val.buf != NULL;
}

static bool fill(TF_Filesystem_Option *option, const option_set *self, const option_values *values,
                 int which) {
  option->name = strdup(self->table->known[which].name);
  option->description = strdup(self->table->known[which].description);
  option->value = calloc(1, sizeof *option->value);
  if (option->value) option->value->values = calloc(1, sizeof *option->value->values);
  if (option->name && option->description && option->value && option->value->values &&
      fill_value(option->value, self, &values->items[which], which))
    return true;
  option_free(option);
  return false;
}

void options_get_configuration(const TF_Filesystem *filesystem, TF_Filesystem_Option **options,
                               int *num_options, TF_Status *status) {
  const option_set *self = filesystem->plugin_filesystem;
  const option_values *values = options_here(self);
  TF_Filesystem_Option *made = calloc((size_t)self->table->count, sizeof *made);
  for (int i = 0; made && i < self->table->count; i++) {
    if (fill(&made[i], self, values, i)) continue;
    while (i-- > 0)
      option_free(&made[i]);
    free(made);
    made = NULL;
    break;
  }
  if (!made) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return;
  }
  *options = made;
  *num_options = self->table->count;
}
