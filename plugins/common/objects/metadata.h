/* Metadata that users keep with an object, besides its attributes: items "name: value", each a line. */
#ifndef OBJECTS_METADATA_H
#define OBJECTS_METADATA_H

#include <stdint.h>

#include "headers.h"
#include "object.h"

/* Adds the items that a response head has behind prefix, "x-amz-meta-", with their names in small letters; false
 * without memory or room. */
bool objects_metadata_read(const objects_own *own, const char *prefix, objects_headers *items);

/* Replaces the headers of that prefix; false without memory or room. */
bool objects_metadata_write(const objects_headers *items, const char *prefix,
                            objects_headers *headers);

/* The value of an item in which any bytes can stand: as it is where it is plain ASCII, else an encoded word,
 * "=?UTF-8?B?...?=", as S3 itself shows what fits into no header. NULL without memory. Owns: free(). */
char *objects_metadata_encode(const char *bytes, size_t n);

/* Writes the bytes that a value means to `bytes`, which has room for as many as the value has; returns their
 * number. A value that is no sequence of encoded words stands for itself. */
size_t objects_metadata_decode(const char *value, char *bytes);

#endif
