/* A growing list of strings, for the host. */
#ifndef REMOTE_STRINGS_H
#define REMOTE_STRINGS_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts zeroed. */
typedef struct remote_strings {
  char **items;
  size_t count;
  size_t room;
} remote_strings;

/* Adds a copy. */
bool remote_strings_add(remote_strings *strings, const char *text, TF_Status *status);
bool remote_strings_has(const remote_strings *strings, const char *text);
void remote_strings_fini(remote_strings *strings);

/* Gives the list to the host and returns its count. If status is a failure, frees it and returns -1. */
int remote_strings_give(remote_strings *strings, char ***entries, TF_Status *status);

#endif
