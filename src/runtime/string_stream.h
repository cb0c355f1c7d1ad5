/* Lists of strings that are read one by one. */
#ifndef MODFS_STRING_STREAM_H
#define MODFS_STRING_STREAM_H

#include <modfs/env.h>

/* Takes over a malloc'ed array of malloc'ed strings that ends with NULL; NULL makes an empty list.
 * When memory is short, frees the array and returns NULL. */
TF_StringStream *modfs_string_stream_new(char **strings);

#endif
