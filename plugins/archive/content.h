/* The content of members. */
#ifndef ARCHIVE_CONTENT_H
#define ARCHIVE_CONTENT_H

#include "archive.h"
#include "decode.h"

/* Checks what can be known before reading: that the method is supported, and the limits. */
bool content_check(const archive *self, const index_entry *entry, const option_values *options,
                   TF_Status *status);

/* A decoder at the start of a member; NULL on failure. *offset: where its stored bytes begin. */
decoder *content_open(const archive *self, const index_entry *entry, uint64_t *offset,
                      TF_Status *status);

/* The whole content, checked, with a NUL behind it; NULL on failure. Owns: free(). */
char *content_whole(const archive *self, const index_entry *entry, TF_Status *status);

bool content_fail_crc(const index_entry *entry, TF_Status *status);

#endif
