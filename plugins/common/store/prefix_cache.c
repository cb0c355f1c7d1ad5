/* The prefix cache: directories that had keys a moment ago.
 *
 * It serves one question of a write: is a path above this one a file? A directory with keys ends that
 * search, so a fresh entry saves the request for its keys. An entry is a hint that lasts two seconds:
 * what others change in that time goes unnoticed. What this filesystem deletes discards the entries that it may make
 * wrong: a file could take the place of a directory.
 *
 * An entry is one 64-bit word: 32 bits of a hash over bucket and prefix, 32 bits of a clock in steps of
 * 128 milliseconds. Bits 40 to 45 of the hash select one of 64 places; a new entry replaces the old
 * one. Two prefixes with the same 32 bits are taken for the same. The clock counts from the start of the
 * machine and wraps after 17 years.
 *
 * Locks: none; a word is read and written atomically, and 0 is empty. Nothing is allocated. Fork: a
 * child starts with its parent's entries, whose clock is the same; they expire as in the parent. */
#include "prefix_cache.h"

#include <stdatomic.h>

#include "../net/net.h"

enum { STEP_MS = 128, LASTS = 2000 / STEP_MS, TIME_BITS = 32 };

static uint64_t hash(uint64_t so_far, const char *text) {
  for (; *text; text++)
    so_far = (so_far ^ (unsigned char)*text) * 0x100000001b3u;
  return so_far;
}

/* Identifies the directory, in the bits above the time. */
static uint64_t sign_of(const objects_name *name) {
  uint64_t all = hash(hash(hash(0xcbf29ce484222325u, name->bucket), "/"), name->prefix);
  return all >> TIME_BITS << TIME_BITS;
}

static _Atomic(uint64_t) *place_of(const TF_Filesystem *filesystem, uint64_t sign) {
  return &objects_of(filesystem)->prefix_cache[(sign >> 40) % OBJECTS_PREFIX_CACHE];
}

static uint64_t now(void) {
  return (uint32_t)(net_now() / STEP_MS);
}

void store_prefix_cache_add(const TF_Filesystem *filesystem, const objects_name *name) {
  uint64_t sign = sign_of(name);
  atomic_store(place_of(filesystem, sign), sign | now());
}

void store_prefix_cache_discard(const TF_Filesystem *filesystem, const objects_name *name) {
  atomic_store(place_of(filesystem, sign_of(name)), 0);
}

void store_prefix_cache_discard_around(const TF_Filesystem *filesystem, const objects_name *name) {
  objects_name above = *name;
  do
    store_prefix_cache_discard(filesystem, &above);
  while (objects_name_to_parent(&above));
}

void store_prefix_cache_clear(const TF_Filesystem *filesystem) {
  for (int i = 0; i < OBJECTS_PREFIX_CACHE; i++)
    atomic_store(&objects_of(filesystem)->prefix_cache[i], 0);
}

bool store_prefix_cache_has_keys(const TF_Filesystem *filesystem, const objects_name *name) {
  uint64_t sign = sign_of(name), found = atomic_load(place_of(filesystem, sign));
  uint32_t age = (uint32_t)(now() - found);
  return found >> TIME_BITS << TIME_BITS == sign && age <= LASTS;
}
