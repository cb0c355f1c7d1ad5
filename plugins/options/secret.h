/* Where the secrets of options are kept. */
#ifndef OPTIONS_SECRET_H
#define OPTIONS_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Room for count secrets of OPTION_SECRET_SIZE, all ""; NULL when memory is short. */
char *secret_open(int count);
void secret_close(char *secrets, int count);

void secret_put(char *secrets, int which, const char *text, size_t n);

/* Copies count of them from first on, as they are between two changes. */
void secret_copy(const char *secrets, int first, int count, char *copy);

/* Several changes in one: secret_place between the two others. */
void secret_lock(void);
void secret_place(char *secrets, int which, const char *text, size_t n);
void secret_unlock(void);

bool secret_is_set(const char *secrets, int which);

#endif
