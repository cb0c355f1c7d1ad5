/* Growing lists of strings: one by one, for the host; in one block, for our own use. */
#ifndef S3_STRINGS_H
#define S3_STRINGS_H

#include <modfs/filesystem.h>

/* Starts zeroed. */
typedef struct s3_strings {
  char **items;
  size_t count;
  size_t room;
} s3_strings;

/* Adds a copy. */
bool s3_strings_add(s3_strings *strings, const char *text, TF_Status *status);

/* Gives the list to the host and returns its count. If status is a failure, frees it and returns -1. */
int s3_strings_give(s3_strings *strings, char ***entries, TF_Status *status);

/* Texts in one block, each with its NUL. Starts zeroed. */
typedef struct s3_texts {
  char *bytes;
  size_t length;
  size_t room;
} s3_texts;

/* Appends a text; false without memory. The block may move. */
bool s3_texts_add(s3_texts *texts, const char *text);

#endif
