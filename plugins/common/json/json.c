/* cJSON takes more than JSON: any control character is a space to it, bytes of a text are not looked at, and an
 * escape \u that is 0 or malformed ends the text. So each document is looked through before it is parsed. Reading
 * behind a document that ends too early is prevented as well: it is parsed from its first brace to its last one.
 *
 * Its state of the process is left alone: the hooks, which belong to the program, and the place of the last error,
 * which threads overwrite for each other. */
#include "json.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../utf8/utf8.h"

static const double most_exact = 9007199254740991.0; /* 2^53 - 1 */

/* The length of an escape in a text; 0 where it is none. cJSON knows which letters there are. */
static size_t escape(const char *at, size_t left) {
  size_t digits = 0;
  if (left < 2 || at[1] != 'u') return left < 2 ? 0 : 2;
  while (digits < 4 && digits + 2 < left && isxdigit((unsigned char)at[digits + 2]))
    digits++;
  return digits == 4 && memcmp(at + 2, "0000", 4) != 0 ? 6 : 0;
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What ends in a closing brace. */
static bool is_sound(const char *bytes, size_t n) {
  bool in_text = false;
  size_t length;
  for (size_t i = 0; i < n; i += length) {
    const char c = bytes[i];
    if ((unsigned char)c < ' ' && (in_text || !is_space(c))) return false;
    if (c == '"') in_text = !in_text;
    length = in_text && c == '\\' ? escape(bytes + i, n - i) : utf8_character(bytes + i);
    if (length == 0) return false;
  }
  return true;
}

json_value *json_parse(const char *bytes, size_t n) {
  const char *end = NULL;
  while (n > 0 && is_space(*bytes))
    bytes++, n--;
  while (n > 0 && is_space(bytes[n - 1]))
    n--;
  if (n < 2 || bytes[0] != '{' || bytes[n - 1] != '}' || !is_sound(bytes, n)) return NULL;
  cJSON *document = cJSON_ParseWithLengthOpts(bytes, n, &end, false);
  if (document && end == bytes + n) return document;
  cJSON_Delete(document);
  return NULL;
}

json_value *json_new(void) {
  return cJSON_CreateObject();
}

/* A server may repeat secrets in what it says of them. */
static void wipe(cJSON *value) {
  for (; value; value = value->next) {
    if (value->valuestring) explicit_bzero(value->valuestring, strlen(value->valuestring));
    wipe(value->child);
  }
}

void json_free(json_value *document) {
  if (document) wipe(document->child);
  cJSON_Delete(document);
}

char *json_print(const json_value *value) {
  char *printed = cJSON_PrintUnformatted(value);
  char *text = printed ? strdup(printed) : NULL;
  cJSON_free(printed); /* by the hooks, if the program has some */
  return text;
}

/* Reading ------------------------------------------------------------------------------------- */

const json_value *json_member(const json_value *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

const char *json_text(const json_value *value) {
  return cJSON_GetStringValue(value);
}

const char *json_member_text(const json_value *object, const char *name) {
  return json_text(json_member(object, name));
}

bool json_is_array(const json_value *value) {
  return cJSON_IsArray(value);
}

bool json_is_null(const json_value *value) {
  return cJSON_IsNull(value);
}

bool json_number(const json_value *value, uint64_t *number) {
  if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0 && value->valuedouble <= most_exact))
    return false;
  const uint64_t whole = (uint64_t)value->valuedouble;
  if ((double)whole < value->valuedouble) return false;
  *number = whole;
  return true;
}

bool json_boolean(const json_value *value, bool *truth) {
  if (!cJSON_IsBool(value)) return false;
  *truth = cJSON_IsTrue(value);
  return true;
}

const json_value *json_first(const json_value *value) {
  return value ? value->child : NULL;
}

const json_value *json_next(const json_value *item) {
  return item->next;
}

const json_value *json_last(const json_value *value) {
  const json_value *first = json_first(value);
  return first ? first->prev : NULL; /* its own ring */
}

const char *json_name(const json_value *member) {
  return member->string;
}

/* Writing ------------------------------------------------------------------------------------- */

bool json_set(json_value *object, const char *name, json_value *value) {
  cJSON_DeleteItemFromObjectCaseSensitive(object, name);
  if (object && value && cJSON_AddItemToObject(object, name, value)) return true;
  cJSON_Delete(value);
  return false;
}

bool json_set_text(json_value *object, const char *name, const char *text) {
  return utf8_is_valid(text) && json_set(object, name, cJSON_CreateString(text));
}

json_value *json_set_object(json_value *object, const char *name) {
  cJSON *made = cJSON_CreateObject();
  return json_set(object, name, made) ? made : NULL;
}

json_value *json_set_array(json_value *object, const char *name) {
  cJSON *made = cJSON_CreateArray();
  return json_set(object, name, made) ? made : NULL;
}

json_value *json_append_object(json_value *array) {
  cJSON *made = cJSON_CreateObject();
  if (array && made && cJSON_AddItemToArray(array, made)) return made;
  cJSON_Delete(made);
  return NULL;
}

json_value *json_member_object(json_value *object, const char *name) {
  cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsObject(found) ? found : NULL;
}

json_value *json_take(json_value *object, const char *name) {
  return cJSON_DetachItemFromObjectCaseSensitive(object, name);
}
