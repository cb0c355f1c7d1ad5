/* The cache of issued credentials.
 *
 * State, in the filesystem: the secrets `issued`, the hash of the source that issued them, and the time
 * until which they are used. All three change together under the lock on secrets. There is one place: a
 * process uses one source at a time, and one that changes it pays a question for each change.
 *
 * Two threads that find them expired both ask; the later one overwrites the other. The lock is held for
 * copies alone. Fork: a child starts with a copy of the cache. */
#include "issued.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../common/objects/flat.h"
#include "../common/options/secret.h"

enum { EARLY = 300, SHORTEST = 60 };

static uint64_t hash_of(const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

bool s3_issued_take(s3_filesystem *self, const char *source, s3_credentials *credentials) {
  uint64_t hash = hash_of(source);
  secret_lock();
  bool good = self->issued_by == hash && time(NULL) < self->issued_end;
  if (good) secret_take(self->issued, 0, S3_SECRETS, (char *)credentials);
  secret_unlock();
  return good;
}

void s3_issued_keep(s3_filesystem *self, const char *source, const s3_credentials *credentials,
                    int64_t end) {
  secret_lock();
  secret_place(self->issued, 0, credentials->key_id, strlen(credentials->key_id));
  secret_place(self->issued, 1, credentials->secret, strlen(credentials->secret));
  secret_place(self->issued, 2, credentials->token, strlen(credentials->token));
  self->issued_by = hash_of(source);
  self->issued_end = end;
  secret_unlock();
}

bool s3_issued_read_json(const char *json, const char *token, s3_credentials *credentials) {
  return objects_flat_find(json, "AccessKeyId", credentials->key_id, OPTION_SECRET_SIZE) &&
         objects_flat_find(json, "SecretAccessKey", credentials->secret, OPTION_SECRET_SIZE) &&
         objects_flat_find(json, token, credentials->token, OPTION_SECRET_SIZE);
}

/* Soon, where the time is none. */
int64_t s3_issued_end(const char *expiration) {
  struct tm parts = {0};
  int64_t soon = time(NULL) + SHORTEST;
  if (!strptime(expiration, "%Y-%m-%dT%H:%M:%S", &parts)) return soon;
  int64_t end = (int64_t)timegm(&parts) - EARLY;
  return end > soon ? end : soon;
}
