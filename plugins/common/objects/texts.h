/* A growing list of texts in one block, each with its NUL, for our own use. */
#ifndef OBJECTS_TEXTS_H
#define OBJECTS_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

/* Starts zeroed. */
typedef struct objects_texts {
  char *bytes;
  size_t length;
  size_t room;
} objects_texts;

/* Appends a text; false without memory. The block may move. */
bool objects_texts_add(objects_texts *texts, const char *text);

#endif
