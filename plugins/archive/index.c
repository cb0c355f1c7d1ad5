/* Entries are numbers of an array that grows; 0 is the root. Names lie in chunks that never move.
 * The hash table is at most half full. Its seed differs between processes, so that no archive can
 * be made whose names all collide. Memory is counted before it is taken. */
#include "index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "error.h"

enum { CHUNK = 64 * 1024, LONGEST_NAME = 4096 };

typedef struct index_chunk {
  struct index_chunk *before;
  size_t used;
  size_t size;
  char bytes[];
} index_chunk;

/* Memory ------------------------------------------------------------------------------------ */

static bool may_take(archive_index *self, uint64_t bytes, TF_Status *status) {
  if (bytes <= self->limits.bytes - self->bytes) {
    self->bytes += bytes;
    return true;
  }
  return fail_with(status, TF_RESOURCE_EXHAUSTED,
                   "the archive's directory needs more than %llu bytes of memory (option "
                   "index_bytes)",
                   (unsigned long long)self->limits.bytes);
}

const char *index_keep(archive_index *self, const char *text, size_t length, TF_Status *status) {
  index_chunk *chunk = self->chunks;
  if (!chunk || chunk->size - chunk->used <= length) {
    size_t size = length < CHUNK ? CHUNK : length + 1;
    if (!may_take(self, size, status)) return NULL;
    if (!(chunk = malloc(sizeof *chunk + size))) return fail_no_memory(status), NULL;
    *chunk = (index_chunk){self->chunks, 0, size};
    self->chunks = chunk;
  }
  char *copy = chunk->bytes + chunk->used;
  memcpy(copy, text, length);
  copy[length] = '\0';
  chunk->used += length + 1;
  return copy;
}

static bool grow_entries(archive_index *self, TF_Status *status) {
  uint32_t room = self->room ? self->room * 2 : 64;
  if (!may_take(self, (uint64_t)(room - self->room) * sizeof *self->entries, status)) return false;
  index_entry *entries = realloc(self->entries, room * sizeof *entries);
  if (!entries) return fail_no_memory(status);
  self->entries = entries;
  self->room = room;
  return true;
}

/* The hash table ---------------------------------------------------------------------------- */

static uint64_t hash_of(const archive_index *self, const char *path, size_t length) {
  uint64_t hash = self->seed;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)path[i]) * 1099511628211u;
  return hash ^ (hash >> 29);
}

/* The slot of the path: with its number, or free. */
static uint32_t *find_slot(const archive_index *self, const char *path, size_t length) {
  uint32_t at = (uint32_t)hash_of(self, path, length);
  for (;; at++) {
    uint32_t *slot = &self->slots[at & (self->size - 1)];
    if (*slot == INDEX_NONE) return slot;
    const char *name = self->entries[*slot].name;
    if (strncmp(name, path, length) == 0 && name[length] == '\0') return slot;
  }
}

static bool grow_slots(archive_index *self, TF_Status *status) {
  uint32_t size = self->size ? self->size * 2 : 128;
  if (!may_take(self, (uint64_t)(size - self->size) * sizeof *self->slots, status)) return false;
  uint32_t *slots = calloc(size, sizeof *slots);
  if (!slots) return fail_no_memory(status);
  free(self->slots);
  self->slots = slots;
  self->size = size;
  for (uint32_t i = 1; i < self->count; i++)
    *find_slot(self, self->entries[i].name, strlen(self->entries[i].name)) = i;
  return true;
}

/* Adding ------------------------------------------------------------------------------------ */

bool index_init(archive_index *self, const index_limits *limits, TF_Status *status) {
  *self = (archive_index){.limits = *limits};
  if (getrandom(&self->seed, sizeof self->seed, GRND_NONBLOCK) < 0) self->seed = (uintptr_t)self;
  self->seed |= 1;
  if (!grow_entries(self, status) || !grow_slots(self, status)) return false;
  self->entries[0] =
      (index_entry){.name = "", .last = "", .kind = MODFS_KIND_DIRECTORY, .is_implied = true};
  self->count = 1;
  return true;
}

void index_fini(archive_index *self) {
  while (self->chunks) {
    index_chunk *before = self->chunks->before;
    free(self->chunks);
    self->chunks = before;
  }
  free(self->entries);
  free(self->slots);
  *self = (archive_index){.count = 0};
}

static uint32_t append(archive_index *self, uint32_t parent, const char *path, size_t length,
                       TF_Status *status) {
  if (self->count > self->limits.entries) {
    fail_with(status, TF_RESOURCE_EXHAUSTED,
              "the archive has more than %llu entries (option entries)",
              (unsigned long long)self->limits.entries);
    return INDEX_NONE;
  }
  if (self->count == self->room && !grow_entries(self, status)) return INDEX_NONE;
  if (self->count >= self->size / 2 && !grow_slots(self, status)) return INDEX_NONE;
  const char *name = index_keep(self, path, length, status);
  if (!name) return INDEX_NONE;
  const char *slash = memrchr(name, '/', length);
  uint32_t number = self->count++;
  self->entries[number] = (index_entry){
      .name = name, .last = slash ? slash + 1 : name, .next = self->entries[parent].first};
  self->entries[parent].first = number;
  *find_slot(self, name, length) = number;
  return number;
}

/* The number of the entry, which is made with the directories above it if it is new. */
static uint32_t provide(archive_index *self, const char *path, size_t length, TF_Status *status) {
  uint32_t parent = 0;
  for (size_t end = 0; end < length; end++) {
    const char *slash = memchr(path + end, '/', length - end);
    end = slash ? (size_t)(slash - path) : length;
    uint32_t number = *find_slot(self, path, end);
    bool fresh = number == INDEX_NONE;
    if (fresh && !(number = append(self, parent, path, end, status))) return INDEX_NONE;
    if (fresh && slash) {
      self->entries[number].kind = MODFS_KIND_DIRECTORY;
      self->entries[number].is_implied = true;
    }
    if (slash && self->entries[number].kind != MODFS_KIND_DIRECTORY) {
      fail_with(status, TF_DATA_LOSS, "\"%.200s\" is a file and has entries below it",
                self->entries[number].name);
      return INDEX_NONE;
    }
    parent = number;
  }
  return parent;
}

/* Writes the clean path; false for one that leads out of the archive. */
static bool clean(const char *name, size_t length, char *path, size_t *used) {
  *used = 0;
  for (size_t at = 0; at < length;) {
    const char *slash = memchr(name + at, '/', length - at);
    size_t n = slash ? (size_t)(slash - name) - at : length - at;
    const char *segment = name + at;
    at += n + 1;
    if (n == 2 && memcmp(segment, "..", 2) == 0) return false;
    if (n == 0 || (n == 1 && *segment == '.')) continue;
    if (*used > 0) path[(*used)++] = '/';
    memcpy(path + *used, segment, n);
    *used += n;
  }
  return true;
}

/* Nothing may replace a directory that has entries, nor take its place. */
static bool check_kind(const index_entry *found, int kind, TF_Status *status) {
  bool was = found->kind == MODFS_KIND_DIRECTORY, is = kind == MODFS_KIND_DIRECTORY;
  if (found->kind == MODFS_KIND_UNKNOWN || was == is || !found->first) return true;
  return fail_with(status, TF_DATA_LOSS, "\"%.200s\" is a file and has entries below it",
                   found->name);
}

index_entry *index_add(archive_index *self, const char *name, size_t length, int kind,
                       TF_Status *status) {
  char path[LONGEST_NAME + 1];
  size_t used;
  if (length > LONGEST_NAME || memchr(name, '\0', length)) {
    fail_with(status, TF_DATA_LOSS,
              length > LONGEST_NAME ? "an entry has a name of %zu bytes; the longest is 4096"
                                    : "an entry has a name with a NUL in its %zu bytes",
              length);
    return NULL;
  }
  if (!clean(name, length, path, &used)) {
    if (!self->limits.skips_unsafe)
      fail_with(status, TF_DATA_LOSS,
                "the entry \"%.*s\" leads out of the archive (option unsafe_names)",
                (int)(length < 200 ? length : 200), name);
    return NULL;
  }
  if (used == 0) return NULL;
  uint32_t number = provide(self, path, used, status);
  if (number == INDEX_NONE || !check_kind(&self->entries[number], kind, status)) return NULL;
  index_entry *entry = &self->entries[number];
  *entry = (index_entry){.name = entry->name,
                         .last = entry->last,
                         .first = entry->first,
                         .next = entry->next,
                         .kind = (uint8_t)kind};
  return entry;
}

const index_entry *index_find(const archive_index *self, const char *path, size_t length) {
  if (length == 0) return &self->entries[0];
  uint32_t number = *find_slot(self, path, length);
  return number == INDEX_NONE ? NULL : &self->entries[number];
}
