/* Reading members.
 *
 * A member of at most WHOLE bytes is decoded at the first read, checked against its CRC, and kept:
 * no byte is given out before. One without a CRC that is read at once is not kept. A longer one that is stored is read where it lies. A longer one that
 * is compressed is decoded on the way: a read behind the decoder's position goes on, one before it
 * begins anew.
 *
 * Of the longer ones the CRC is taken along as far as reads go from the start to the end without a
 * gap (any compressed one does, inside). The read that reaches the end fails with DATA_LOSS if it is
 * wrong; `damaged` keeps that for all later ones.
 *
 * The lock guards all members below it, and is held while the archive is read. A member holds its
 * archive. A fork while another thread reads leaves the child's copy of the handle locked. */
#include "file.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../common/located/located.h"
#include "../common/region/read_region.h"
#include "attributes.h"
#include "content.h"
#include "error.h"
#include "filesystem.h"

enum { WHOLE = 1024 * 1024, SKIP = 64 * 1024 };

typedef struct member {
  archive *archive;
  const index_entry *entry;
  pthread_mutex_t lock;
  char *whole; /* the content, once it is decoded at once */
  decoder *decoder;
  bool placed; /* offset is known */
  uint64_t offset;
  uint64_t position; /* of the decoder, and of the CRC */
  uint32_t crc;
  bool damaged;
  char path[]; /* for messages */
} member;

static member *member_of(const TF_RandomAccessFile *file) {
  return file->plugin_file;
}

static bool is_whole(const member *self) {
  return self->entry->length <= WHOLE;
}

/* Notes the CRC of bytes at the position, and checks it at the end. */
static bool take_crc(member *self, const char *bytes, size_t n, TF_Status *status) {
  self->position += n;
  if (!self->entry->has_crc) return true;
  self->crc = decode_crc(self->crc, bytes, n);
  if (self->position < self->entry->length) return true;
  self->damaged = self->crc != self->entry->crc;
  return !self->damaged || content_fail_crc(self->entry, status);
}

static bool read_stored(member *self, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
  const index_entry *entry = self->entry;
  if (!self->placed) {
    self->offset = entry->offset;
    if (self->archive->format == ARCHIVE_ZIP &&
        !zip_find_content(self->archive, entry, &self->offset, status))
      return false;
    self->placed = true;
  }
  if (!base_read(archive_file_of(self->archive, entry), self->offset + offset, n, buffer, status))
    return false;
  if (offset == 0 && self->position > 0 && self->position < entry->length) {
    self->position = 0; /* another read from the start */
    self->crc = 0;
  }
  return offset != self->position || take_crc(self, buffer, n, status);
}

/* Decodes exactly n bytes at the decoder's position. */
static bool decode_next(member *self, size_t n, char *buffer, TF_Status *status) {
  int64_t got = decode_some(self->decoder, n, buffer, status);
  if (got < 0) return false;
  if (got < (int64_t)n)
    return fail_with(status, TF_DATA_LOSS, "damaged: fewer bytes than the directory says");
  return take_crc(self, buffer, n, status);
}

/* Nothing may follow the last byte. */
static bool check_end(member *self, TF_Status *status) {
  char more;
  if (self->position < self->entry->length) return true;
  int64_t got = decode_some(self->decoder, 1, &more, status);
  return got == 0 || (got > 0 && fail_with(status, TF_DATA_LOSS,
                                           "damaged: more bytes than the directory says"));
}

static bool read_decoded(member *self, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
  char skipped[SKIP];
  if (self->decoder && offset < self->position) {
    decode_close(self->decoder);
    self->decoder = NULL;
  }
  if (!self->decoder) {
    self->position = 0;
    self->crc = 0;
    self->decoder = content_open(self->archive, self->entry, &self->offset, status);
    if (!self->decoder) return false;
  }
  while (self->position < offset) {
    uint64_t gap = offset - self->position;
    if (!decode_next(self, gap < SKIP ? (size_t)gap : SKIP, skipped, status)) return false;
  }
  return decode_next(self, n, buffer, status) && check_end(self, status);
}

/* Reads n bytes that the member has. The lock is held. */
static bool read_there(member *self, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
  const index_entry *entry = self->entry;
  if (self->damaged) return content_fail_crc(entry, status);
  /* What nothing can check need not be kept where all of it is asked for. */
  bool at_once = offset == 0 && n == entry->length && !entry->has_crc && !self->whole;
  if (entry->method == METHOD_STORED && (at_once || !is_whole(self)))
    return read_stored(self, offset, n, buffer, status);
  if (!is_whole(self)) {
    bool fine = read_decoded(self, offset, n, buffer, status);
    if (!fine) { /* its state cannot be relied on: the next read begins anew */
      decode_close(self->decoder);
      self->decoder = NULL;
    }
    return fine;
  }
  if (!self->whole && !(self->whole = content_whole(self->archive, entry, status))) return false;
  memcpy(buffer, self->whole + offset, n);
  return true;
}

static int64_t member_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status) {
  member *self = member_of(file);
  uint64_t length = self->entry->length, left = offset < length ? length - offset : 0;
  size_t there = n < left ? n : (size_t)left;
  TF_SetStatus(status, TF_OK, "");
  bool fine = there == 0;
  if (!fine) {
    pthread_mutex_lock(&self->lock);
    fine = read_there(self, offset, there, buffer, status);
    pthread_mutex_unlock(&self->lock);
  }
  if (fine && there < n) fail_with(status, TF_OUT_OF_RANGE, "the end of the file");
  located_status(status, self->path);
  return fine ? (int64_t)there : -1;
}

static void member_cleanup(TF_RandomAccessFile *file) {
  member *self = member_of(file);
  if (!self) return;
  decode_close(self->decoder);
  pthread_mutex_destroy(&self->lock);
  archive_release(self->archive);
  free(self->whole);
  free(self);
  file->plugin_file = NULL;
}

static bool check_file(const index_entry *entry, TF_Status *status) {
  if (entry->kind == MODFS_KIND_FILE) return true;
  return fail_with(status, TF_FAILED_PRECONDITION,
                   entry->kind == MODFS_KIND_DIRECTORY ? "is a directory"
                                                       : "is not a regular file");
}

void archive_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                    TF_RandomAccessFile *file, TF_Status *status) {
  archive_place place = {.entry = NULL};
  const option_values *options = options_here(&archive_fs_of(filesystem)->options);
  size_t size = strlen(path) + 1;
  if (archive_place_init(&place, filesystem, path, false, status) &&
      check_file(place.entry, status) &&
      content_check(place.archive, place.entry, options, status)) {
    member *made = calloc(1, sizeof *made + size);
    if (made) {
      made->archive = place.archive;
      made->entry = place.entry;
      pthread_mutex_init(&made->lock, NULL);
      memcpy(made->path, path, size);
      file->plugin_file = made;
      place.archive = NULL;
    } else {
      fail_no_memory(status);
    }
  }
  archive_place_fini(&place);
}

void archive_reader_attributes(const TF_Filesystem *filesystem, const TF_RandomAccessFile *file,
                               modfs_attributes *attributes, TF_Status *status) {
  const member *self = member_of(file);
  (void)filesystem, (void)status;
  archive_attributes_of(self->archive, self->entry, attributes);
}

const TF_RandomAccessFileOps archive_file_ops = {member_cleanup, member_read};

static uint64_t member_length(const TF_RandomAccessFile *file) {
  return member_of(file)->entry->length;
}

void archive_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem,
                                                   const char *path,
                                                   TF_ReadOnlyMemoryRegion *region,
                                                   TF_Status *status) {
  static const read_region_files files = {archive_new_random_access_file, member_length,
                                          &archive_file_ops};
  read_region_open(filesystem, path, &files, region, status);
}
