/* Reads single members of a JSON object, where its text holds secrets: nothing is allocated, so that nothing
 * but the caller's own memory has to be wiped. */
#ifndef OBJECTS_FLAT_H
#define OBJECTS_FLAT_H

#include <stdbool.h>
#include <stddef.h>

/* Copies the value of a member of the outermost object: a string with its escapes decoded, or a number or
 * word as it is. False, and "": there is no such member, it is another kind of value, is too long or contains
 * a NUL, or the text is no JSON up to there. */
bool objects_flat_find(const char *json, const char *name, char *value, size_t size);

#endif
