/* Contents that tell what they are: a head with version and length, and bytes that follow from them.
 * For tests that end writers in the middle and look at what is left. */
#ifndef MODFS_VERSIONS_H
#define MODFS_VERSIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <modfs/modfs.h>

enum { LONGEST = 300 * 1024 };

static inline char *content_of(uint32_t version, size_t *length) {
  static char text[LONGEST + 64];
  size_t body = (size_t)(version * UINT64_C(2654435761)) % LONGEST;
  int head = snprintf(text, 64, "version %u, %zu bytes follow\n", version, body);
  memset(text + head, 'a' + (int)(version % 26), body);
  *length = (size_t)head + body;
  return text;
}

/* The version that stands at a path, -1 when it is none or not whole. */
static inline int64_t version_at(const char *path) {
  static char text[LONGEST + 128];
  unsigned version = 0;
  size_t length;
  FILE *file = fopen(path, "rb");
  size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[got] = '\0';
  if (sscanf(text, "version %u,", &version) != 1) return -1;
  const char *whole = content_of(version, &length);
  return length == got && memcmp(whole, text, got) == 0 ? (int64_t)version : -1;
}

/* Writes a version in pieces of some kilobytes. */
static inline bool put_version(const modfs_fs *fs, const char *path, modfs_write_mode mode,
                               uint32_t version) {
  TF_Status *status = TF_NewStatus();
  size_t length, done = 0, piece = (size_t)version * 977 % 50000 + 1000;
  const char *text = content_of(version, &length);
  modfs_writable *file = modfs_writable_open(fs, path, mode, status);
  for (; file && done < length && TF_GetCode(status) == TF_OK; done += piece)
    modfs_writable_append(file, text + done, piece < length - done ? piece : length - done, status);
  if (file) modfs_writable_close(file, status);
  bool good = TF_GetCode(status) == TF_OK;
  TF_DeleteStatus(status);
  return good;
}

#endif
