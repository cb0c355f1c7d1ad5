/* The entries of an archive as a tree, found by their paths. */
#ifndef ARCHIVE_INDEX_H
#define ARCHIVE_INDEX_H

#include <modfs/extension.h>

enum { INDEX_NONE = 0 }; /* no entry: 0 is the root, which is nobody's child */

/* How the bytes of a member are stored; the numbers are those of zip. */
enum { METHOD_STORED = 0, METHOD_DEFLATED = 8, METHOD_ZSTD = 93 };

typedef struct index_entry {
  const char *name; /* the path; "" for the root */
  const char *last; /* its last segment */
  const char *link; /* the target of a link, where the directory tells it; NULL */
  uint32_t first; /* child of a directory, and the next one of the same parent; INDEX_NONE: none */
  uint32_t next;
  uint8_t kind;    /* a modfs_kind */
  bool has_crc;    /* of the content */
  bool is_implied; /* a directory that no entry names */
  uint16_t method;
  uint16_t part; /* har: the number of the file that holds the content */
  uint32_t crc;
  uint32_t refusal; /* a REFUSED_… */
  uint64_t length;  /* of the content */
  uint64_t stored;  /* compressed */
  uint64_t offset;  /* zip: of the local header; otherwise of the content */
  uint64_t known;   /* bits MODFS_ATTRIBUTE_… */
  uint32_t mode;
  uint32_t owner;
  uint32_t group;
  int64_t mtime_nsec;
} index_entry;

/* Why a member can be listed but not read. */
enum { REFUSED_NOT, REFUSED_ENCRYPTED, REFUSED_SPARSE };

typedef struct index_limits {
  uint64_t entries;
  uint64_t bytes;
  bool skips_unsafe;
} index_limits;

typedef struct archive_index {
  index_limits limits;
  index_entry *entries; /* the first is the root */
  uint32_t count;
  uint32_t room;
  uint32_t *slots; /* a hash table of numbers, INDEX_NONE where free; size is a power of two */
  uint32_t size;
  uint64_t seed;
  uint64_t bytes; /* memory in use */
  struct index_chunk *chunks;
} archive_index;

bool index_init(archive_index *self, const index_limits *limits, TF_Status *status);
void index_fini(archive_index *self);

/* Adds an entry, or finds the one of that name, which the caller fills anew: the last of a name
 * counts. Directories above it are implied. NULL with OK: the entry is to be skipped. Owns: the
 * index; valid until the next index_add. */
index_entry *index_add(archive_index *self, const char *name, size_t length, int kind,
                       TF_Status *status);

/* Copies text into the index; NULL on failure. */
const char *index_keep(archive_index *self, const char *text, size_t length, TF_Status *status);

/* The entry with that clean path, or NULL. */
const index_entry *index_find(const archive_index *self, const char *path, size_t length);

#endif
