#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "filesystem.h"

enum { DAY_MS = 86400000 };

static const struct {
  const char *name;
  const char *description;
  int64_t initial;
  int64_t least;
  int64_t most;
} known[HTTP_OPTIONS] = {
    [HTTP_CONNECT_TIMEOUT_MS] = {"connect_timeout_ms", "until a connection stands", 5000, 1,
                                 DAY_MS},
    [HTTP_IDLE_TIMEOUT_MS] = {"idle_timeout_ms", "without one byte from the server", 30000, 1,
                              DAY_MS},
    [HTTP_TOTAL_TIMEOUT_MS] = {"total_timeout_ms",
                               "for one request with its redirects, retries and pauses", 300000, 1,
                               DAY_MS},
    [HTTP_RETRIES] = {"retries", "attempts after the first one", 3, 0, 100},
    [HTTP_CACHE_BYTES] = {"cache_bytes", "content kept for all readers together", 64 << 20, 0,
                          1LL << 40},
    [HTTP_WHOLE_BYTES] = {"whole_bytes", "largest file taken from a server without ranges",
                          64 << 20, 0, 1LL << 40},
    [HTTP_CA_FILE] = {"ca_file", "certificates to trust, PEM; \"\": the system's", 0, 0, 0},
    [HTTP_USER_AGENT] = {"user_agent", "who asks", 0, 0, 0},
};

static bool set_text(http_options *options, int which, const char *text, size_t n) {
  char *place = options->texts[which - HTTP_NUMBERS];
  if (n >= HTTP_TEXT_SIZE) return false;
  for (size_t i = 0; i < n; i++)
    if (iscntrl((unsigned char)text[i])) return false;
  memcpy(place, text, n);
  place[n] = '\0';
  return true;
}

static bool set_number(http_options *options, int which, int64_t number) {
  if (number < known[which].least || number > known[which].most) return false;
  options->numbers[which] = number;
  return true;
}

static bool set_from_text(http_options *options, int which, const char *text) {
  char *end = NULL;
  if (which >= HTTP_NUMBERS) return set_text(options, which, text, strlen(text));
  errno = 0;
  long long number = strtoll(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && set_number(options, which, number);
}

/* MODFS_HTTP_RETRIES and so on. */
static void environment_name(int which, char name[64]) {
  snprintf(name, 64, "MODFS_HTTP_%s", known[which].name);
  for (char *c = name; *c; c++)
    *c = (char)toupper((unsigned char)*c);
}

static bool set_initial(http_options *options, TF_Status *status) {
  static const char agent[] = "modfs";
  for (int i = 0; i < HTTP_NUMBERS; i++)
    options->numbers[i] = known[i].initial;
  set_text(options, HTTP_USER_AGENT, agent, sizeof agent - 1);
  for (int i = 0; i < HTTP_OPTIONS; i++) {
    char name[64], text[128];
    environment_name(i, name);
    const char *value = secure_getenv(name);
    if (!value || set_from_text(options, i, value)) continue;
    snprintf(text, sizeof text, "the environment variable %s has no good value", name);
    TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
    return false;
  }
  return true;
}

http_options *http_options_new(TF_Status *status) {
  http_options *options = calloc(1, sizeof *options);
  if (!options)
    http_no_memory(status);
  else if (set_initial(options, status))
    return options;
  free(options);
  return NULL;
}

void http_options_free(http_options *options) {
  while (options) {
    http_options *before = options->before;
    free(options);
    options = before;
  }
}

net_settings http_options_settings(const http_options *options) {
  return (net_settings){
      .connect_ms = options->numbers[HTTP_CONNECT_TIMEOUT_MS],
      .idle_ms = options->numbers[HTTP_IDLE_TIMEOUT_MS],
      .retries = options->numbers[HTTP_RETRIES],
      .ca_file = options->texts[HTTP_CA_FILE - HTTP_NUMBERS],
      .user_agent = options->texts[HTTP_USER_AGENT - HTTP_NUMBERS],
  };
}

/* Frees what fill made, and what it left half made. */
static void option_free(TF_Filesystem_Option *option) {
  bool text = option->value && option->value->type_tag == TF_Filesystem_Option_Type_Buffer;
  free(option->name);
  free(option->description);
  if (text && option->value->values) free(option->value->values->buffer_val.buf);
  if (option->value) free(option->value->values);
  free(option->value);
}

static bool fill_value(TF_Filesystem_Option_Value *value, const http_options *options, int which) {
  value->num_values = 1;
  value->type_tag = TF_Filesystem_Option_Type_Int;
  if (which < HTTP_NUMBERS) {
    value->values->int_val = options->numbers[which];
    return true;
  }
  const char *text = options->texts[which - HTTP_NUMBERS];
  value->type_tag = TF_Filesystem_Option_Type_Buffer;
  value->values->buffer_val.buf = strdup(text);
  value->values->buffer_val.buf_length = (int)strlen(text);
  return value->values->buffer_val.buf != NULL;
}

static bool fill(TF_Filesystem_Option *option, const http_options *options, int which) {
  option->name = strdup(known[which].name);
  option->description = strdup(known[which].description);
  option->value = calloc(1, sizeof *option->value);
  if (option->value) option->value->values = calloc(1, sizeof *option->value->values);
  if (option->name && option->description && option->value && option->value->values &&
      fill_value(option->value, options, which))
    return true;
  option_free(option);
  return false;
}

void http_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                       TF_Filesystem_Option **options, int *num_options,
                                       TF_Status *status) {
  const http_options *present = http_options_of(filesystem);
  TF_Filesystem_Option *made = calloc(HTTP_OPTIONS, sizeof *made);
  for (int i = 0; made && i < HTTP_OPTIONS; i++) {
    if (fill(&made[i], present, i)) continue;
    while (i-- > 0)
      option_free(&made[i]);
    free(made);
    made = NULL;
    break;
  }
  if (!made) {
    http_no_memory(status);
    return;
  }
  *options = made;
  *num_options = HTTP_OPTIONS;
}

static int find(const char *name) {
  for (int i = 0; name && i < HTTP_OPTIONS; i++)
    if (strcmp(name, known[i].name) == 0) return i;
  return -1;
}

static bool set_value(http_options *options, int which, const TF_Filesystem_Option_Value *value) {
  if (!value || value->num_values != 1 || !value->values) return false;
  if (which < HTTP_NUMBERS)
    return value->type_tag == TF_Filesystem_Option_Type_Int &&
           set_number(options, which, value->values->int_val);
  int length = value->values->buffer_val.buf_length;
  return value->type_tag == TF_Filesystem_Option_Type_Buffer && length >= 0 &&
         set_text(options, which, value->values->buffer_val.buf, (size_t)length);
}

static bool set_option(http_options *options, const TF_Filesystem_Option *option,
                       TF_Status *status) {
  char text[160];
  int which = find(option->name);
  if (which < 0) {
    TF_SetStatus(status, TF_NOT_FOUND, "no such option; plugins/http/README.md lists them");
    return false;
  }
  if (set_value(options, which, option->value)) return true;
  if (which < HTTP_NUMBERS)
    snprintf(text, sizeof text, "option %s takes one integer from %lld to %lld", known[which].name,
             (long long)known[which].least, (long long)known[which].most);
  else
    snprintf(text, sizeof text, "option %s takes one line of text", known[which].name);
  TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
  return false;
}

void http_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                       const TF_Filesystem_Option *options, int num_options,
                                       TF_Status *status) {
  http_filesystem *self = http_filesystem_of(filesystem);
  http_options *made = malloc(sizeof *made);
  http_options *before = atomic_load(&self->options);
  bool good = made != NULL && num_options >= 0 && (options || num_options == 0);
  if (!made)
    http_no_memory(status);
  else if (!good)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "no array of options");
  do {
    if (good) *made = *before;
    for (int i = 0; good && i < num_options; i++)
      good = set_option(made, &options[i], status);
    if (good) made->before = before;
  } while (good && !atomic_compare_exchange_weak(&self->options, &before, made));
  if (!good) free(made);
}
