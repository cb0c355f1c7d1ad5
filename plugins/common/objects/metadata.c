#include "metadata.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define START "=?UTF-8?B?"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Headers ---------------------------------------------------------------------------------------- */

static bool add_line(objects_headers *items, const char *line, size_t n) {
  size_t name = strcspn(line, ":"), value = name < n ? name + 1 : n;
  if (name >= n) return true;
  value += strspn(line + value, " \t");
  if (value > n) value = n;
  while (n > value && (line[n - 1] == ' ' || line[n - 1] == '\t'))
    n--;
  if (!objects_headers_add(items, "%.*s: %.*s", (int)name, line, (int)(n - value), line + value))
    return false;
  for (char *c = items->lines[items->count - 1]; *c != ':'; c++)
    *c = (char)tolower((unsigned char)*c);
  return true;
}

bool objects_metadata_read(const objects_own *own, const char *prefix, objects_headers *items) {
  const size_t start = strlen(prefix);
  for (const char *line = own->text ? own->text : ""; *line;) {
    size_t n = strcspn(line, "\r\n");
    if (n > start && strncasecmp(line, prefix, start) == 0 &&
        !add_line(items, line + start, n - start))
      return false;
    line += n;
    line += strspn(line, "\r\n");
  }
  return true;
}

bool objects_metadata_write(const objects_headers *items, const char *prefix,
                            objects_headers *headers) {
  int kept = 0;
  for (int i = 0; i < headers->count; i++) {
    char *line = headers->lines[i];
    if (strncasecmp(line, prefix, strlen(prefix)) == 0)
      free(line);
    else
      headers->lines[kept++] = line;
  }
  while (headers->count > kept)
    headers->lines[--headers->count] = NULL;
  for (int i = 0; i < items->count; i++)
    if (!objects_headers_add(headers, "%s%s", prefix, items->lines[i])) return false;
  return true;
}

/* Properties ------------------------------------------------------------------------------------- */

const objects_property objects_properties[OBJECTS_PROPERTIES] = {
    {"cache_control", "Cache-Control", "cacheControl"},
    {"content_disposition", "Content-Disposition", "contentDisposition"},
    {"content_encoding", "Content-Encoding", "contentEncoding"},
    {"content_language", "Content-Language", "contentLanguage"},
    {"content_type", "Content-Type", "contentType"},
};

bool objects_property_has(const char *name) {
  for (int i = 0; i < OBJECTS_PROPERTIES; i++)
    if (strcmp(objects_properties[i].name, name) == 0) return true;
  return false;
}

bool objects_properties_read(const objects_own *own, objects_headers *items) {
  const net_answer head = {.head = own->text, .length = own->length};
  char value[4 * OBJECTS_MOST_PROPERTY];
  for (int i = 0; i < OBJECTS_PROPERTIES; i++)
    if (net_answer_header(&head, objects_properties[i].header, value, sizeof value) &&
        !objects_headers_add_text(items, objects_properties[i].name, value))
      return false;
  return true;
}

const char *objects_properties_find(const objects_headers *items, const char *name) {
  const size_t n = strlen(name);
  for (int i = 0; i < items->count; i++)
    if (strncmp(items->lines[i], name, n) == 0 && items->lines[i][n] == ':')
      return items->lines[i] + n + 2;
  return NULL;
}

/* Values ----------------------------------------------------------------------------------------- */

/* Servers and their signatures change spaces at the ends, or several together. */
static bool is_plain(const char *bytes, size_t n) {
  if (n == 0 || bytes[0] == ' ' || bytes[n - 1] == ' ' || (n > 1 && memcmp(bytes, "=?", 2) == 0))
    return false;
  for (size_t i = 0; i < n; i++)
    if (bytes[i] < ' ' || bytes[i] > '~' || (bytes[i] == ' ' && bytes[i - 1] == ' ')) return false;
  return true;
}

char *objects_metadata_encode(const char *bytes, size_t n) {
  if (is_plain(bytes, n)) return strndup(bytes, n);
  char *made = malloc(sizeof START + (n + 2) / 3 * 4 + 2), *to = made;
  if (!made) return NULL;
  memcpy(to, START, sizeof START - 1);
  to += sizeof START - 1;
  for (size_t i = 0; i < n; i += 3) {
    unsigned held = (unsigned)(unsigned char)bytes[i] << 16;
    if (i + 1 < n) held |= (unsigned)(unsigned char)bytes[i + 1] << 8;
    if (i + 2 < n) held |= (unsigned char)bytes[i + 2];
    *to++ = letters[held >> 18 & 63];
    *to++ = letters[held >> 12 & 63];
    *to++ = i + 1 < n ? letters[held >> 6 & 63] : '=';
    *to++ = i + 2 < n ? letters[held & 63] : '=';
  }
  memcpy(to, "?=", 3);
  return made;
}

/* Both decode the text of a word, and return the number of bytes, or SIZE_MAX: it is none. */
static size_t decode_b(const char *text, size_t n, char *bytes) {
  unsigned held = 0, bits = 0;
  size_t made = 0;
  while (n > 0 && text[n - 1] == '=')
    n--;
  for (size_t i = 0; i < n; i++) {
    const char *found = memchr(letters, text[i], sizeof letters - 1);
    if (!found) return SIZE_MAX;
    held = held << 6 | (unsigned)(found - letters);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[made++] = (char)(held >> bits & 255);
    held &= (1u << bits) - 1;
  }
  return made;
}

static size_t decode_q(const char *text, size_t n, char *bytes) {
  size_t made = 0;
  for (size_t i = 0; i < n; i++) {
    char pair[3] = "";
    if (text[i] != '=') {
      bytes[made++] = text[i] == '_' ? ' ' : text[i];
      continue;
    }
    if (n - i < 3 || !isxdigit((unsigned char)text[i + 1]) || !isxdigit((unsigned char)text[i + 2]))
      return SIZE_MAX;
    memcpy(pair, text + i + 1, 2);
    bytes[made++] = (char)strtoul(pair, NULL, 16);
    i += 2;
  }
  return made;
}

/* Decodes the word "=?charset?B?text?=" that *at begins with, and moves *at behind it. */
static size_t decode_word(const char **at, char *bytes) {
  const char *way = strncmp(*at, "=?", 2) == 0 ? strchr(*at + 2, '?') : NULL;
  if (!way || !way[1] || way[2] != '?') return SIZE_MAX;
  const char *text = way + 3, *end = strstr(text, "?=");
  /* An encoded byte may follow the mark: "?Q?=41?=". */
  if (!end || strchr("BbQq", way[1]) == NULL) return SIZE_MAX;
  *at = end + 2;
  size_t n = (size_t)(end - text);
  return (way[1] | 32) == 'b' ? decode_b(text, n, bytes) : decode_q(text, n, bytes);
}

size_t objects_metadata_decode(const char *value, char *bytes) {
  size_t made = 0;
  const char *at = value;
  while (*at) {
    size_t n = decode_word(&at, bytes + made);
    if (n == SIZE_MAX) break;
    made += n;
    at += strspn(at, " ");
  }
  if (*at == '\0') return made;
  memcpy(bytes, value, strlen(value));
  return strlen(value);
}
