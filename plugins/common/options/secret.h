/* The storage of secret options. */
#ifndef OPTIONS_SECRET_H
#define OPTIONS_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Allocates count secrets of OPTION_SECRET_SIZE bytes, all ""; NULL without memory. */
char *secret_open(int count);
void secret_close(char *secrets, int count);

void secret_put(char *secrets, int which, const char *text, size_t n);

/* Copies count secrets from first on, in one state between two changes. */
void secret_copy(const char *secrets, int first, int count, char *copy);

/* Several steps at once: secret_place and secret_take are called between lock and unlock. */
void secret_lock(void);
void secret_take(const char *secrets, int first, int count, char *copy);
void secret_place(char *secrets, int which, const char *text, size_t n);
void secret_unlock(void);

bool secret_is_set(const char *secrets, int which);

#endif
