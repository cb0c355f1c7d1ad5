/* What servers send as JSON. */
#ifndef GS_DOCUMENT_H
#define GS_DOCUMENT_H

#include "../common/json/json.h"
#include "../common/objects/object.h"

/* Reads an object's resource; false: it lacks what each has, a generation and a length. */
bool gs_document_object(const json_value *resource, objects_object *object);

/* What a copy of the object keeps, and its checksums, as text, taken out of the resource; false without memory. */
bool gs_document_own(json_value *resource, objects_own *own);

/* A number in a string, as JSON of Google's has them, or a number; false: it is neither. */
bool gs_document_number(const json_value *value, uint64_t *number);

/* "2013-05-24T00:00:00.123Z" in seconds since 1970; 0: it is no time. */
int64_t gs_document_time(const char *text);

#endif
