/* A list of strings that the host will own. */
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

/* Hands the list over and returns how many there are; -1, and frees it, where status is a failure. */
int s3_strings_give(s3_strings *strings, char ***entries, TF_Status *status);

#endif
