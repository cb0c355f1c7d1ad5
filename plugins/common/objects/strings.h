/* Growing lists of strings: one by one, for the host; in one block, for our own use. */
#ifndef OBJECTS_STRINGS_H
#define OBJECTS_STRINGS_H

#include <modfs/filesystem.h>

/* Starts zeroed. */
typedef struct objects_strings {
  char **items;
  size_t count;
  size_t room;
} objects_strings;

/* Adds a copy. */
bool objects_strings_add(objects_strings *strings, const char *text, TF_Status *status);

/* Gives the list to the host and returns its count. If status is a failure, frees it and returns -1. */
int objects_strings_give(objects_strings *strings, char ***entries, TF_Status *status);

/* Texts in one block, each with its NUL. Starts zeroed. */
typedef struct objects_texts {
  char *bytes;
  size_t length;
  size_t room;
} objects_texts;

/* Appends a text; false without memory. The block may move. */
bool objects_texts_add(objects_texts *texts, const char *text);

#endif
