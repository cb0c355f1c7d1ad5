/* What servers send as JSON. */
#ifndef GS_DOCUMENT_H
#define GS_DOCUMENT_H

#include <jansson.h>

#include "../common/objects/object.h"

/* Reads a document whose outermost value is an object; NULL: it is none. Owns: the caller, json_decref. */
json_t *gs_document_read(const char *bytes, size_t n);

/* Reads an object's resource; false: it lacks what each has, a generation and a length. */
bool gs_document_object(const json_t *resource, objects_object *object);

/* What a copy of the object keeps, and its checksums, as text; false without memory. */
bool gs_document_own(const json_t *resource, objects_own *own);

/* A number in a string, as JSON of Google's has them, or a number; false: it is neither. */
bool gs_document_number(const json_t *value, uint64_t *number);

/* "2013-05-24T00:00:00.123Z" in seconds since 1970; 0: it is no time. */
int64_t gs_document_time(const char *text);

#endif
