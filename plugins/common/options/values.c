/* Building a set of values. A set belongs to the thread that builds it until options.c publishes it;
 * from then on it is constant. Each set owns its own copy of every text, so freeing one set leaves the
 * others alone. No locks. */
#include "values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../words/words.h"

enum { MOST_TEXT = 4096 };

static option_values *values_make(const option_table *table, const option_values *from) {
  option_values *made = calloc(1, sizeof *made + (size_t)table->count * sizeof *made->items);
  if (!made) return NULL;
  for (int i = 0; i < table->count; i++) {
    const option_known *known = &table->known[i];
    const char *text = from ? from->items[i].text : known->text ? known->text : "";
    made->items[i].number = from ? from->items[i].number : known->initial;
    made->items[i].text = known->kind == OPTION_TEXT ? strdup(text) : NULL;
    if (made->items[i].text || known->kind != OPTION_TEXT) continue;
    values_free(made, table);
    return NULL;
  }
  return made;
}

option_values *values_new(const option_table *table) {
  return values_make(table, NULL);
}

option_values *values_copy(const option_values *from, const option_table *table) {
  return values_make(table, from);
}

void values_free(option_values *values, const option_table *table) {
  for (int i = 0; i < table->count; i++)
    free(values->items[i].text);
  free(values);
}

bool values_set_number(option_values *values, const option_known *known, int which,
                       int64_t number) {
  if (number < known->least || number > known->most) return false;
  values->items[which].number = number;
  return true;
}

static bool is_line(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (iscntrl((unsigned char)text[i])) return false;
  return true;
}

bool values_set_text(option_values *values, const option_known *known, int which, const char *text,
                     size_t n) {
  if (n >= MOST_TEXT || !is_line(text, n)) return false;
  if (known->choices && !words_have(known->choices, text, n)) return false;
  char *copy = strndup(text, n);
  if (!copy || (known->accepts && !known->accepts(copy))) {
    free(copy);
    return false;
  }
  free(values->items[which].text);
  values->items[which].text = copy;
  return true;
}

bool values_good_secret(const char *text, size_t n) {
  return n < OPTION_SECRET_SIZE && is_line(text, n);
}
