/* The options of a filesystem.
 *
 * `here` points to the current values. A set of values is constant once it is published there: a change
 * copies the current set, edits the copy and publishes it by compare-and-swap, again if another thread
 * was faster. So a list of options is applied as a whole or not at all, and readers need no lock.
 *
 * A replaced set stays linked as `before` until options_fini, because a reader may still use it. So
 * memory grows with the number of changes, not with the number of reads.
 *
 * Secrets are apart, under the one lock of secret.c. A change publishes its values and writes its secrets
 * under that lock: options_secrets sees both of one state, and options_here that state or a later one.
 *
 * Who frees: options_fini, when nobody reads any more. It also works after an options_init that failed.
 *
 * Fork: the values need nothing. The lock on secrets is held meanwhile, so a child finds it free. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "secret.h"
#include "values.h"

/* An empty variable counts as none, as for the clouds' own programs. */
static const char *variable(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value ? value : NULL;
}

/* The variable with the prefix first, then the other names of the option; `name` gets the one found. */
static const char *find_variable(const option_table *table, int which, char *name, size_t size) {
  snprintf(name, size, "%s%s", table->prefix, table->known[which].name);
  for (char *c = name; *c; c++)
    *c = (char)toupper((unsigned char)*c);
  const char *value = variable(name), *next = table->known[which].variables;
  while (!value && next && *next) {
    size_t n = strcspn(next, " ");
    snprintf(name, size, "%.*s", (int)n, next);
    value = variable(name);
    next += n + (next[n] == ' ');
  }
  return value;
}

static bool set_from_text(option_set *self, option_values *values, int which, const char *text) {
  const option_known *known = &self->table->known[which];
  size_t n = strlen(text);
  char *end = NULL;
  if (known->kind == OPTION_SECRET) {
    if (!values_good_secret(text, n)) return false;
    secret_put(self->secrets, which, text, n);
    return true;
  }
  if (known->kind == OPTION_TEXT) return values_set_text(values, known, which, text, n);
  errno = 0;
  long long number = strtoll(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' &&
         values_set_number(values, known, which, number);
}

static bool take_environment(option_set *self, option_values *values, TF_Status *status) {
  for (int i = 0; i < self->table->count; i++) {
    char name[96], text[160];
    const char *value = find_variable(self->table, i, name, sizeof name);
    if (!value || set_from_text(self, values, i, value)) continue;
    snprintf(text, sizeof text, "invalid value of the environment variable %s", name);
    TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
    return false;
  }
  return true;
}

bool options_init(option_set *self, const option_table *table, TF_Status *status) {
  self->table = table;
  self->secrets = secret_open(table->count);
  option_values *values = values_new(table);
  atomic_init(&self->here, values);
  if (self->secrets && values) return take_environment(self, values, status);
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  return false;
}

void options_fini(option_set *self) {
  option_values *values = atomic_load(&self->here);
  while (values) {
    option_values *before = values->before;
    values_free(values, self->table);
    values = before;
  }
  if (self->table) secret_close(self->secrets, self->table->count);
}

const option_values *options_here(const option_set *self) {
  return atomic_load(&self->here);
}

const option_values *options_secrets(const option_set *self, int first, int count, char *copy) {
  secret_lock();
  const option_values *values = atomic_load(&self->here);
  secret_take(self->secrets, first, count, copy);
  secret_unlock();
  return values;
}

static int find(const option_table *table, const char *name) {
  for (int i = 0; name && i < table->count; i++)
    if (strcmp(name, table->known[i].name) == 0) return i;
  return -1;
}

static bool set_value(option_values *values, const option_known *known, int which,
                      const TF_Filesystem_Option_Value *value) {
  if (!value || value->num_values != 1 || !value->values) return false;
  if (known->kind == OPTION_NUMBER)
    return value->type_tag == TF_Filesystem_Option_Type_Int &&
           values_set_number(values, known, which, value->values->int_val);
  const char *text = value->values->buffer_val.buf;
  int length = value->values->buffer_val.buf_length;
  if (value->type_tag != TF_Filesystem_Option_Type_Buffer || length < 0) return false;
  return known->kind == OPTION_SECRET ? values_good_secret(text, (size_t)length)
                                      : values_set_text(values, known, which, text, (size_t)length);
}

static void refuse(const option_known *known, TF_Status *status) {
  char text[256];
  const char *valid = known->valid ? known->valid : "one line of text";
  if (known->kind == OPTION_NUMBER)
    snprintf(text, sizeof text, "option %s takes one integer from %lld to %lld", known->name,
             (long long)known->least, (long long)known->most);
  else
    snprintf(text, sizeof text, "option %s takes %s%s", known->name,
             known->choices ? "one of: " : valid, known->choices ? known->choices : "");
  TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
}

static bool set_option(const option_set *self, option_values *values,
                       const TF_Filesystem_Option *option, TF_Status *status) {
  char text[160];
  int which = find(self->table, option->name);
  if (which < 0) {
    snprintf(text, sizeof text, "no such option; %s lists them", self->table->manual);
    TF_SetStatus(status, TF_NOT_FOUND, text);
    return false;
  }
  if (set_value(values, &self->table->known[which], which, option->value)) return true;
  refuse(&self->table->known[which], status);
  return false;
}

static option_values *make_values(const option_set *self, option_values *before,
                                  const TF_Filesystem_Option *list, int count, TF_Status *status) {
  option_values *values = values_copy(before, self->table);
  if (!values) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  for (int i = 0; i < count; i++) {
    if (set_option(self, values, &list[i], status)) continue;
    values_free(values, self->table);
    return NULL;
  }
  values->before = before;
  return values;
}

/* "***", which is reported for a secret, leaves the secret as it is when it is set again. */
static bool is_veiled(const TF_Filesystem_Option_Value_Union *value) {
  return value->buffer_val.buf_length == 3 && memcmp(value->buffer_val.buf, "***", 3) == 0;
}

/* Publishes a set, with its secrets, in the place of the one before it; false when another thread was
 * faster, and *before is the set of that thread then. */
static bool publish(option_set *self, option_values **before, option_values *made,
                    const TF_Filesystem_Option *list, int count) {
  secret_lock();
  bool done = atomic_compare_exchange_strong(&self->here, before, made);
  for (int i = 0; done && i < count; i++) {
    int which = find(self->table, list[i].name);
    const TF_Filesystem_Option_Value_Union *value = list[i].value->values;
    if (self->table->known[which].kind == OPTION_SECRET && !is_veiled(value))
      secret_place(self->secrets, which, value->buffer_val.buf,
                   (size_t)value->buffer_val.buf_length);
  }
  secret_unlock();
  return done;
}

void options_set_configuration(const TF_Filesystem *filesystem, const TF_Filesystem_Option *list,
                               int count, TF_Status *status) {
  option_set *self = filesystem->plugin_filesystem;
  option_values *made = NULL, *before = atomic_load(&self->here);
  if (count < 0 || (!list && count > 0)) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the array of options is NULL");
    return;
  }
  do {
    if (made) values_free(made, self->table);
    made = make_values(self, before, list, count, status);
  } while (made && !publish(self, &before, made, list, count));
}
