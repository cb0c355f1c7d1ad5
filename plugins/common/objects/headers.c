#include "headers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../remote/format.h"

bool objects_headers_add(objects_headers *headers, const char *format, ...) {
  va_list arguments;
  if (headers->count == OBJECTS_MOST_HEADERS) return false;
  va_start(arguments, format);
  char *line = remote_format_list(format, arguments);
  va_end(arguments);
  if (line) headers->lines[headers->count++] = line;
  return line != NULL;
}

bool objects_headers_add_text(objects_headers *headers, const char *name, const char *value) {
  return *value == '\0' || objects_headers_add(headers, "%s: %s", name, value);
}

static bool begins_with_one(const char *line, const char *const *names) {
  for (; *names; names++)
    if (strncasecmp(line, *names, strlen(*names)) == 0) return true;
  return false;
}

bool objects_headers_add_lines(objects_headers *headers, const char *head,
                               const char *const *names) {
  const char *line = head ? head : "";
  while (*line) {
    size_t n = strcspn(line, "\n"), shown = n > 0 && line[n - 1] == '\r' ? n - 1 : n;
    if (begins_with_one(line, names) && !objects_headers_add(headers, "%.*s", (int)shown, line))
      return false;
    line += n + (line[n] == '\n');
  }
  return true;
}

void objects_headers_drop(objects_headers *headers, const char *name) {
  size_t n = strlen(name);
  int kept = 0;
  for (int i = 0; i < headers->count; i++) {
    char *line = headers->lines[i];
    if (strncasecmp(line, name, n) == 0 && line[n] == ':')
      free(line);
    else
      headers->lines[kept++] = line;
  }
  while (headers->count > kept)
    headers->lines[--headers->count] = NULL;
}

void objects_headers_end(objects_headers *headers) {
  while (headers->count > 0)
    free(headers->lines[--headers->count]);
}
