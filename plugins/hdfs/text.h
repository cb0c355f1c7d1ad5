/* Text that grows, and may contain secrets: what it leaves is wiped. */
#ifndef HDFS_TEXT_H
#define HDFS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Starts zeroed. */
typedef struct hdfs_text {
  char *bytes; /* with a NUL behind them; NULL: nothing was added yet */
  size_t length;
  size_t room;
  bool failed; /* memory was short: what is there is not all */
} hdfs_text;

void hdfs_text_add(hdfs_text *self, const char *text);
void hdfs_text_add_bytes(hdfs_text *self, const char *bytes, size_t n);

/* Adds text with all but letters, digits and "-._~" as %XX; also but slashes with keeps_slashes. */
void hdfs_text_add_encoded(hdfs_text *self, const char *text, bool keeps_slashes);

/* The length of a path that is added so, with its slashes. */
size_t hdfs_text_encoded_length(const char *path);

void hdfs_text_fini(hdfs_text *self);

#endif
