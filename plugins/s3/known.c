#include "known.h"

#include <stdatomic.h>

#include "../net/net.h"

enum { LASTS_MS = 2000, TIME_BITS = 24 };

static uint64_t hash(uint64_t so_far, const char *text) {
  for (; *text; text++)
    so_far = (so_far ^ (unsigned char)*text) * 0x100000001b3u;
  return so_far;
}

/* Which directory, in the bits above the time. */
static uint64_t sign_of(const s3_name *name) {
  uint64_t all = hash(hash(hash(0xcbf29ce484222325u, name->bucket), "/"), name->prefix);
  return all >> TIME_BITS << TIME_BITS;
}

static _Atomic(uint64_t) *place_of(const TF_Filesystem *filesystem, uint64_t sign) {
  return &s3_filesystem_of(filesystem)->known[(sign >> 40) % S3_KNOWN];
}

static uint64_t now(void) {
  return (uint64_t)net_now() & ((1u << TIME_BITS) - 1);
}

void s3_known_note(const TF_Filesystem *filesystem, const s3_name *name) {
  uint64_t sign = sign_of(name);
  atomic_store(place_of(filesystem, sign), sign | now());
}

void s3_known_forget(const TF_Filesystem *filesystem, const s3_name *name) {
  atomic_store(place_of(filesystem, sign_of(name)), 0);
}

bool s3_known_has_keys(const TF_Filesystem *filesystem, const s3_name *name) {
  uint64_t sign = sign_of(name), found = atomic_load(place_of(filesystem, sign));
  uint64_t age = (now() - found) & ((1u << TIME_BITS) - 1);
  return found >> TIME_BITS << TIME_BITS == sign && age <= LASTS_MS;
}
