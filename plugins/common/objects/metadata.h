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

/* The headers of an object that say how it is to be served, as items "content_type: text/plain". They are known by
 * these names in all stores. */
enum { OBJECTS_PROPERTIES = 5, OBJECTS_MOST_PROPERTY = 2000 };

typedef struct objects_property {
  const char *name;   /* "content_type" */
  const char *header; /* "Content-Type" */
  const char *member; /* "contentType" */
} objects_property;

extern const objects_property objects_properties[OBJECTS_PROPERTIES];

/* Whether it is one of these names. */
bool objects_property_has(const char *name);

/* Adds those that a response head has; false without memory. */
bool objects_properties_read(const objects_own *own, objects_headers *items);

/* The value of a name in such items, NULL: none. */
const char *objects_properties_find(const objects_headers *items, const char *name);

/* The value of an item in which any bytes can stand: as it is where it is plain ASCII, else an encoded word,
 * "=?UTF-8?B?...?=", as S3 itself shows what fits into no header. NULL without memory. Owns: free(). */
char *objects_metadata_encode(const char *bytes, size_t n);

/* Writes the bytes that a value means to `bytes`, which has room for as many as the value has; returns their
 * number. A value that is no sequence of encoded words stands for itself. */
size_t objects_metadata_decode(const char *value, char *bytes);

#endif
