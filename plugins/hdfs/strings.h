/* A growing list of strings, for the host. */
#ifndef HDFS_STRINGS_H
#define HDFS_STRINGS_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts zeroed. */
typedef struct hdfs_strings {
  char **items;
  size_t count;
  size_t room;
} hdfs_strings;

/* Adds a copy. */
bool hdfs_strings_add(hdfs_strings *strings, const char *text, TF_Status *status);
bool hdfs_strings_has(const hdfs_strings *strings, const char *text);
void hdfs_strings_fini(hdfs_strings *strings);

/* Gives the list to the host and returns its count. If status is a failure, frees it and returns -1. */
int hdfs_strings_give(hdfs_strings *strings, char ***entries, TF_Status *status);

#endif
