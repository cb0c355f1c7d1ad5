/* The names of zip members in their encodings. */
#ifndef ARCHIVE_ZIP_NAME_H
#define ARCHIVE_ZIP_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes that a name of n bytes becomes. */
#define ZIP_NAME_ROOM(n) ((size_t)3 * (n) + 1)

bool zip_name_is_utf8(const char *text, size_t length);

/* Converts from code page 437, which MS-DOS used; returns the length. */
size_t zip_name_from_437(const char *text, size_t length, char *out);

#endif
