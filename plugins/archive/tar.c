/* Reading a tar file into an index, from its first header to its last. One that is compressed is
 * first decompressed, into memory while it is short, then into a temporary file without a name: then its members can be read at any
 * place, and the checksums of the compressed form were checked before any byte is given out. */
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "decode.h"
#include "error.h"
#include "name.h"
#include "tar_header.h"

enum {
  GRACE = 16 * 1024 * 1024,
  PIECE = 256 * 1024,
  IN_MEMORY = 2 * 1024 * 1024, /* of a content that is decompressed */
  WINDOW = 32 * 1024           /* of small members, whose headers are read together */
};

/* Decompressing ----------------------------------------------------------------------------- */

/* What the file begins with; DECODE_STORED for anything else. False for what cannot be read. */
static bool detect(const archive *self, decode_form *form, TF_Status *status) {
  static const struct {
    const char *bytes;
    size_t n;
    const char *name;
    int form;
  } known[] = {
      {"\x1f\x8b", 2, "gzip", DECODE_GZIP},
      {"\x28\xb5\x2f\xfd", 4, "zstd", DECODE_ZSTD},
      {"BZh", 3, "bzip2", -1},
      {"\xfd"
       "7zXZ",
       5, "xz", -1},
  };
  char head[8] = "";
  size_t n = self->length < sizeof head ? (size_t)self->length : sizeof head;
  if (!base_read(self->file, 0, n, head, status)) return false;
  /* pzstd begins with a frame that is to be skipped. */
  bool skips = (head[0] & 0xf0) == 0x50 && memcmp(head + 1, "\x2a\x4d\x18", 3) == 0;
  *form = skips ? DECODE_ZSTD : DECODE_STORED;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (memcmp(head, known[i].bytes, known[i].n) != 0) continue;
    if (known[i].form < 0)
      return fail_with(status, TF_UNIMPLEMENTED,
                       "it is compressed by %s; modfs reads gzip and zstd", known[i].name);
    *form = (decode_form)known[i].form;
  }
  return true;
}

static bool check_limits(const archive *self, uint64_t length, const option_values *options,
                         TF_Status *status) {
  uint64_t most = (uint64_t)options->items[ARCHIVE_SPOOL_BYTES].number;
  uint64_t ratio = (uint64_t)options->items[ARCHIVE_RATIO].number;
  if (length > most)
    return fail_with(status, TF_RESOURCE_EXHAUSTED,
                     "its content has more than %llu bytes (option spool_bytes)",
                     (unsigned long long)most);
  if (length > GRACE && length / ratio > self->length)
    return fail_with(status, TF_RESOURCE_EXHAUSTED,
                     "its content is more than %llu times as long as it (option ratio)",
                     (unsigned long long)ratio);
  return true;
}

static bool spool_all(archive *self, decoder *stream, base_file *spool,
                      const option_values *options, TF_Status *status) {
  char *piece = malloc(PIECE);
  uint64_t length = 0;
  int64_t got = -1;
  if (!piece) return fail_no_memory(status);
  while ((got = decode_some(stream, PIECE, piece, status)) > 0) {
    length += (uint64_t)got;
    if (!check_limits(self, length, options, status) ||
        !base_append(spool, piece, (size_t)got, status))
      break;
  }
  free(piece);
  if (got != 0) return false;
  self->length = length;
  return true;
}

/* Puts the content in the place of the file. */
static bool decompress(archive *self, decode_form form, const option_values *options,
                       TF_Status *status) {
  decoder *stream = decode_open(form, self->file, 0, self->length, status);
  base_file *spool = stream ? base_spool(IN_MEMORY, status) : NULL;
  bool fine = spool && spool_all(self, stream, spool, options, status);
  decode_close(stream);
  if (fine) {
    base_close(self->file);
    self->file = spool;
  } else {
    base_close(spool);
  }
  return fine;
}

/* Members ----------------------------------------------------------------------------------- */

typedef struct reader {
  archive *archive;
  uint64_t at; /* of the next header */
  tar_extension next;
  tar_extension all; /* of a global header: for all that follow */
  uint64_t last;     /* offset of what was read last */
  char *window;      /* bytes of the archive, from start to end; NULL: none were read */
  uint64_t start, end;
} reader;

static bool is_held(const reader *self, size_t n) {
  return self->at >= self->start && self->at + n <= self->end;
}

/* Reads the next bytes into the window. */
static bool fill_window(reader *self, TF_Status *status) {
  uint64_t left = self->archive->length - self->at;
  size_t all = left < WINDOW ? (size_t)left : WINDOW;
  self->start = self->end = self->at;
  if (!base_read(self->archive->file, self->at, all, self->window, status)) return false;
  self->end += all;
  return true;
}

/* Reads what comes next. Where that is close to what was read last, much is read at once. */
static bool read_near(reader *self, size_t n, void *buffer, TF_Status *status) {
  bool is_near = self->at > 0 && self->at - self->last < WINDOW / 8;
  self->last = self->at;
  if (is_near && !self->window) self->window = malloc(WINDOW);
  if (is_near && self->window && !is_held(self, n) && !fill_window(self, status)) return false;
  if (!is_held(self, n)) return base_read(self->archive->file, self->at, n, buffer, status);
  memcpy(buffer, self->window + (self->at - self->start), n);
  return true;
}

static bool fail_cut(TF_Status *status) {
  return fail_with(status, TF_DATA_LOSS, "no tar archive, or one that is cut off");
}

/* The content of an extended header, with a NUL behind it; NULL on failure. Owns: free(). */
static char *read_text(reader *self, uint64_t size, TF_Status *status) {
  char *text = size <= TAR_LONGEST ? malloc((size_t)size + 1) : NULL;
  if (!text) {
    fail_with(status, size <= TAR_LONGEST ? TF_RESOURCE_EXHAUSTED : TF_DATA_LOSS,
              "an extended header has %llu bytes", (unsigned long long)size);
    return NULL;
  }
  if (read_near(self, (size_t)size, text, status)) {
    text[size] = '\0';
    return text;
  }
  free(text);
  return NULL;
}

/* True if the header was one that says something of others. */
static bool take_extension(reader *self, const tar_header *header, TF_Status *status) {
  char **place = header->type == 'L' ? &self->next.path : &self->next.link;
  if (!strchr("xgXLKVN", header->type) || !header->type) return false;
  if (header->type == 'V' || header->type == 'N') return true; /* names of volumes */
  char *text = read_text(self, header->size, status);
  if (!text) return true;
  if (header->type == 'L' || header->type == 'K') {
    free(*place);
    *place = text;
    return true;
  }
  tar_extension_take(header->type == 'g' ? &self->all : &self->next, text, (size_t)header->size,
                     status);
  free(text);
  return true;
}

static int kind_of(const tar_header *header, const char *path) {
  size_t length = strlen(path);
  switch (header->type) {
  case '2':
    return MODFS_KIND_LINK;
  case '3':
  case '4':
  case '6':
    return MODFS_KIND_OTHER;
  case '5':
  case 'D':
    return MODFS_KIND_DIRECTORY;
  case '\0': /* before POSIX, the slash alone said it */
    return length > 0 && path[length - 1] == '/' ? MODFS_KIND_DIRECTORY : MODFS_KIND_FILE;
  default:
    return MODFS_KIND_FILE;
  }
}

/* A hard link is another name of the member that it names, which comes before it: a file, or a
 * symbolic link. */
static bool take_hard_link(archive_index *index, index_entry *entry, const char *target,
                           TF_Status *status) {
  char *clean = strdup(target);
  if (!clean) return fail_no_memory(status);
  archive_inner_clean(clean);
  const index_entry *other = index_find(index, clean, strlen(clean));
  bool known =
      other && other != entry && (other->kind == MODFS_KIND_FILE || other->kind == MODFS_KIND_LINK);
  if (known) {
    entry->kind = other->kind;
    entry->link = other->link;
    entry->offset = other->offset;
    entry->length = other->length;
    entry->stored = other->stored;
    entry->refusal = other->refusal;
  } else {
    entry->kind = MODFS_KIND_OTHER;
  }
  free(clean);
  return true;
}

static void fill_attributes(index_entry *entry, const reader *from, const tar_header *header) {
  const tar_extension *next = &from->next, *all = &from->all;
  entry->mode = header->mode;
  const tar_extension *owner = next->has_owner ? next : all, *group = next->has_group ? next : all;
  entry->owner = owner->has_owner ? (uint32_t)owner->owner : (uint32_t)header->owner;
  entry->group = group->has_group ? (uint32_t)group->group : (uint32_t)header->group;
  entry->mtime_nsec = next->has_mtime  ? next->mtime_nsec
                      : all->has_mtime ? all->mtime_nsec
                                       : header->mtime_nsec;
  entry->known =
      MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP | MODFS_ATTRIBUTE_MTIME;
}

static bool add_member(reader *self, const tar_header *header, uint64_t size, TF_Status *status) {
  const tar_extension *next = &self->next;
  const char *path = next->path ? next->path : header->path;
  const char *link = next->link ? next->link : header->link;
  archive_index *index = &self->archive->index;
  index_entry *entry = index_add(index, path, strlen(path), kind_of(header, path), status);
  if (!entry) return archive_ok(status);
  entry->offset = self->at;
  entry->stored = entry->length = entry->kind == MODFS_KIND_FILE ? size : 0;
  if (next->is_sparse || header->type == 'S') {
    entry->refusal = REFUSED_SPARSE;
    entry->length = next->is_sparse ? next->real_size : header->real_size;
  }
  fill_attributes(entry, self, header);
  if (header->type == '1') return take_hard_link(index, entry, link, status);
  if (entry->kind != MODFS_KIND_LINK) return true;
  entry->length = strlen(link);
  return (entry->link = index_keep(index, link, strlen(link), status)) != NULL;
}

/* The further blocks of a sparse map lie between the header and the content. */
static bool skip_map(reader *self, bool more, TF_Status *status) {
  unsigned char block[TAR_BLOCK];
  for (; more; more = block[504] != 0, self->at += TAR_BLOCK) {
    if (self->archive->length - self->at < TAR_BLOCK) return fail_cut(status);
    if (!base_read(self->archive->file, self->at, TAR_BLOCK, block, status)) return false;
  }
  return true;
}

/* How many bytes follow the header. */
static uint64_t content_size(const reader *self, const tar_header *header, bool extends) {
  if (header->type && strchr("123456", header->type)) return 0;
  return !extends && self->next.has_size ? self->next.size : header->size;
}

static bool take_member(reader *self, const unsigned char *block, TF_Status *status) {
  tar_header header;
  if (!tar_header_read(&header, block, status)) return false;
  self->at += TAR_BLOCK;
  if (header.type == 'M')
    return fail_with(status, TF_UNIMPLEMENTED, "it is a part of an archive of several files");
  bool extends = take_extension(self, &header, status);
  uint64_t size = content_size(self, &header, extends);
  if (!archive_ok(status) || !skip_map(self, header.is_extended, status)) return false;
  uint64_t left = self->archive->length - self->at;
  if (size > left) return fail_cut(status);
  if (!extends) {
    if (!add_member(self, &header, size, status)) return false;
    tar_extension_fini(&self->next);
  }
  uint64_t padded = (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
  self->at += padded < left ? padded : left;
  return true;
}

bool tar_load(archive *self, const option_values *options, TF_Status *status) {
  decode_form form;
  if (!detect(self, &form, status)) return false;
  if (form != DECODE_STORED && !decompress(self, form, options, status)) return false;
  reader members = {.archive = self};
  unsigned char block[TAR_BLOCK];
  bool ended = false;
  while (!ended && archive_ok(status)) {
    if (self->length - members.at < TAR_BLOCK)
      fail_cut(status);
    else if (read_near(&members, TAR_BLOCK, block, status) && !(ended = tar_block_is_zero(block)))
      take_member(&members, block, status);
  }
  tar_extension_fini(&members.next);
  tar_extension_fini(&members.all);
  free(members.window);
  return archive_ok(status);
}
