/* Sets of option values. */
#ifndef OPTIONS_VALUES_H
#define OPTIONS_VALUES_H

#include "options.h"

/* Both return NULL without memory. Owns: the caller, values_free. */
option_values *values_new(const option_table *table);
option_values *values_copy(const option_values *from, const option_table *table);
void values_free(option_values *values, const option_table *table);

/* All return false when the value is invalid for this option. */
bool values_set_number(option_values *values, const option_known *known, int which, int64_t number);
bool values_set_text(option_values *values, const option_known *known, int which, const char *text,
                     size_t n);
bool values_good_secret(const char *text, size_t n);

#endif
