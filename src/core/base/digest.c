#include "digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc32c.h"
#include "status.h"

struct digest {
  const digest_ops *ops;
  void *state;
  bool failed;
};

static void *crc_begin(const char *name, TF_Status *status) {
  (void)name;
  void *crc = calloc(1, sizeof(uint32_t));
  if (!crc) status_no_memory(status);
  return crc;
}

static bool crc_add(void *state, const void *data, size_t n) {
  uint32_t *crc = state;
  *crc = crc32c_extend(*crc, data, n);
  return true;
}

static bool crc_finish(void *state, char text[DIGEST_TEXT]) {
  const uint32_t *crc = state;
  snprintf(text, DIGEST_TEXT, "%08x", *crc);
  return true;
}

static const digest_ops digest_crc = {crc_begin, crc_add, crc_finish, free};

/* NULL for an unknown name. */
static const digest_ops *find_ops(const char *name) {
  static const char *const names[] = {"md5", "sha1", "sha256", "sha512"};
  if (strcmp(name, "crc32c") == 0) return &digest_crc;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return &digest_crypto;
  return NULL;
}

bool digest_exists(const char *name) {
  return find_ops(name) != NULL;
}

digest *digest_new(const char *name, TF_Status *status) {
  digest *self = calloc(1, sizeof *self);
  status_clear(status);
  if (!self) {
    status_no_memory(status);
    return NULL;
  }
  self->ops = find_ops(name);
  self->state = self->ops->begin(name, status);
  if (self->state) return self;
  free(self);
  return NULL;
}

void digest_add(digest *self, const void *data, size_t n) {
  self->failed = !self->ops->add(self->state, data, n) || self->failed;
}

bool digest_finish(digest *self, char text[DIGEST_TEXT], TF_Status *status) {
  self->failed = !self->ops->finish(self->state, text) || self->failed;
  if (self->failed) TF_SetStatus(status, TF_INTERNAL, "the library of the algorithm failed");
  return !self->failed;
}

void digest_free(digest *self) {
  if (self) self->ops->free(self->state);
  free(self);
}
