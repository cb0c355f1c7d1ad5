/* JSON: documents of servers, and bodies of requests. The only code that uses cJSON.
 *
 * A document is an object. Refused are those that nest deeper than 1,000 values, and all with invalid UTF-8, with
 * control characters in texts, or with the escape \u0000, as a text would end there. What is refused and what does
 * not fit into memory look alike. Functions take NULL for a value that is missing. Nothing is wiped when it is
 * freed. */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cJSON json_value;

/* NULL: it is no document. Owns: the caller, json_free. */
json_value *json_parse(const char *bytes, size_t n);

/* An empty object; NULL without memory. Owns: the caller, json_free. */
json_value *json_new(void);
void json_free(json_value *document);

/* The text of a value, without spaces; NULL without memory. Owns: the caller, free(). */
char *json_print(const json_value *value);

/* Reading: what is returned belongs to the document. NULL, or false: there is none, or it is of another kind. */
const json_value *json_member(const json_value *object, const char *name);
const char *json_text(const json_value *value);
const char *json_member_text(const json_value *object, const char *name);
bool json_is_array(const json_value *value);
bool json_is_null(const json_value *value);

/* A number that is an integer from 0 up to 2^53 - 1: beyond that they are not exact. */
bool json_number(const json_value *value, uint64_t *number);
bool json_boolean(const json_value *value, bool *truth);

/* The values in an array or object, one after the other; NULL: no more. */
const json_value *json_first(const json_value *value);
const json_value *json_next(const json_value *item);
const json_value *json_last(const json_value *value);

/* The name that a value has in its object. */
const char *json_name(const json_value *member);

/* Writing: a member of that name is replaced. False: memory is short, or the text is not valid UTF-8. */
bool json_set_text(json_value *object, const char *name, const char *text);

/* Takes the value, also on failure; a value of NULL is a failure. */
bool json_set(json_value *object, const char *name, json_value *value);

/* A new member that is an empty object or array, or a new object at the end of an array. Owns: the document. */
json_value *json_set_object(json_value *object, const char *name);
json_value *json_set_array(json_value *object, const char *name);
json_value *json_append_object(json_value *array);

/* The member that is an object, to be changed. Owns: the document. */
json_value *json_member_object(json_value *object, const char *name);

/* Takes a member out of its object; NULL: there is none. Owns: the caller, json_free. */
json_value *json_take(json_value *object, const char *name);

#endif
