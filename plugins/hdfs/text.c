#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release(char *bytes, size_t room) {
  if (bytes) explicit_bzero(bytes, room);
  free(bytes);
}

static bool make_room(hdfs_text *self, size_t n) {
  if (n < self->room - self->length) return true;
  size_t room = self->room * 2 + n + 256;
  char *longer = malloc(room);
  if (!longer) return false;
  if (self->bytes) memcpy(longer, self->bytes, self->length);
  release(self->bytes, self->room);
  self->bytes = longer;
  self->room = room;
  return true;
}

void hdfs_text_add_bytes(hdfs_text *self, const char *bytes, size_t n) {
  if (self->failed || !make_room(self, n)) {
    self->failed = true;
    return;
  }
  memcpy(self->bytes + self->length, bytes, n);
  self->length += n;
  self->bytes[self->length] = '\0';
}

void hdfs_text_add(hdfs_text *self, const char *text) {
  hdfs_text_add_bytes(self, text, strlen(text));
}

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

size_t hdfs_text_encoded_length(const char *path) {
  size_t n = 0;
  for (; *path; path++)
    n += strchr(plain, *path) || *path == '/' ? 1 : 3;
  return n;
}

void hdfs_text_add_encoded(hdfs_text *self, const char *text, bool keeps_slashes) {
  for (; *text; text++) {
    char coded[4];
    if (strchr(plain, *text) || (keeps_slashes && *text == '/')) {
      hdfs_text_add_bytes(self, text, 1);
    } else {
      snprintf(coded, sizeof coded, "%%%02X", (unsigned)(unsigned char)*text);
      hdfs_text_add_bytes(self, coded, 3);
    }
  }
}

void hdfs_text_fini(hdfs_text *self) {
  release(self->bytes, self->room);
  *self = (hdfs_text){.bytes = NULL};
}
