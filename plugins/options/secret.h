/* Where the secrets of options are kept. */
#ifndef OPTIONS_SECRET_H
#define OPTIONS_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Room for count secrets of OPTION_SECRET_SIZE, all ""; NULL when memory is short. */
char *secret_open(int count);
void secret_close(char *secrets, int count);

void secret_put(char *secrets, int which, const char *text, size_t n);
void secret_copy(const char *secrets, int which, char *copy);
bool secret_is_set(const char *secrets, int which);

#endif
