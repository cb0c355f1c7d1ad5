#include "headers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../common/remote/format.h"

bool s3_headers_add(s3_headers *headers, const char *format, ...) {
  va_list arguments;
  if (headers->count == S3_MOST_GATHERED) return false;
  va_start(arguments, format);
  char *line = remote_format_list(format, arguments);
  va_end(arguments);
  if (line) headers->lines[headers->count++] = line;
  return line != NULL;
}

static bool add_text(s3_headers *headers, const char *name, const char *value) {
  return *value == '\0' || s3_headers_add(headers, "%s: %s", name, value);
}

bool s3_headers_add_options(s3_headers *headers, const TF_Filesystem *filesystem) {
  return add_text(headers, "x-amz-storage-class", remote_text(filesystem, S3_STORAGE_CLASS)) &&
         add_text(headers, "x-amz-server-side-encryption",
                  remote_text(filesystem, S3_ENCRYPTION)) &&
         add_text(headers, "x-amz-server-side-encryption-aws-kms-key-id",
                  remote_text(filesystem, S3_ENCRYPTION_KEY));
}

static bool begins_with_one(const char *line, const char *const *names) {
  for (; *names; names++)
    if (strncasecmp(line, *names, strlen(*names)) == 0) return true;
  return false;
}

/* Adds the lines of a response head that begin with one of the names. */
static bool add_lines(s3_headers *headers, const net_answer *answer, const char *const *names) {
  const char *line = answer->length > 0 ? answer->head : "";
  while (*line) {
    size_t n = strcspn(line, "\n"), shown = n > 0 && line[n - 1] == '\r' ? n - 1 : n;
    if (begins_with_one(line, names) && !s3_headers_add(headers, "%.*s", (int)shown, line))
      return false;
    line += n + (line[n] == '\n');
  }
  return true;
}

bool s3_headers_add_own(s3_headers *headers, const net_answer *answer) {
  static const char *const names[] = {
      "content-type:",     "cache-control:", "content-disposition:", "content-encoding:",
      "content-language:", "expires:",       "x-amz-meta-",          NULL};
  return add_lines(headers, answer, names);
}

bool s3_headers_add_whole(s3_headers *headers, const net_answer *answer) {
  static const char *const names[] = {"x-amz-storage-class:", "x-amz-server-side-encryption",
                                      "x-amz-website-redirect-location:", NULL};
  return s3_headers_add_own(headers, answer) && add_lines(headers, answer, names);
}

void s3_headers_drop(s3_headers *headers, const char *name) {
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

bool s3_headers_add_source(s3_headers *headers, const s3_name *name) {
  char encoded[S3_ENCODED_SIZE];
  s3_name_encode(name->key, true, encoded, sizeof encoded);
  return s3_headers_add(headers, "x-amz-copy-source: /%s/%s", name->bucket, encoded);
}

void s3_headers_end(s3_headers *headers) {
  while (headers->count > 0)
    free(headers->lines[--headers->count]);
}
