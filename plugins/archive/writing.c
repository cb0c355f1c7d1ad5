/* An archive that is being written.
 *
 * It is open from writing_begin to writing_end, and in its filesystem's list meanwhile. Files are
 * compressed apart, each by the thread that writes it, and are appended when they are closed, under
 * the lock of the archive. Directories are entries of the index alone until the end, as their times
 * come late. After a write that failed it is broken: every later call fails, and the end gives up.
 *
 * A large member of a tar, whose length is told before, goes straight into the archive ("straight"):
 * header, then content as it comes. Others that are closed meanwhile are put aside, as the bytes that
 * they are in the archive, and follow it; so no thread waits for another.
 *
 * References: one of the list, one of each file that is open, one of a transaction's token. The
 * lock of the lists (list_lock) is a leaf and never held together with an archive's. Who frees: the
 * last reference. A forked child must not touch an archive that its parent writes. */
#include "writing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

writing *writing_find(archive_fs *fs, const char *base) {
  pthread_mutex_lock(&list_lock);
  writing *found = fs->writings;
  while (found && strcmp(found->base, base) != 0)
    found = found->next;
  if (found) atomic_fetch_add(&found->references, 1);
  pthread_mutex_unlock(&list_lock);
  return found;
}

writing *writing_new(archive_fs *fs, TF_Status *status) {
  writing *made = fail_or_allocate(sizeof *made, status);
  if (!made) return NULL;
  atomic_init(&made->references, 1);
  pthread_mutex_init(&made->lock, NULL);
  made->token.token = made;
  made->fs = fs;
  return made;
}

void writing_release(writing *self) {
  if (!self || atomic_fetch_sub(&self->references, 1) > 1) return;
  pthread_mutex_destroy(&self->lock);
  encode_close(self->encoder);
  for (int i = 0; i < SPARES; i++)
    encode_close(self->spares[i]);
  index_fini(&self->index);
  spool_fini(&self->aside);
  free(self->base);
  free(self);
}

/* Begin and end ----------------------------------------------------------------------------- */

static bool sink(void *state, const char *bytes, size_t n, TF_Status *status) {
  writing *self = state;
  if (n > 0) self->fs->host->append(self->out, bytes, n, status);
  return archive_ok(status);
}

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* A tar is compressed as its name says; -1: by what is not written here. */
static int form_of(const archive_fs *fs, const char *base) {
  static const struct {
    const char *end;
    int form;
  } known[] = {
      {".gz", DECODE_GZIP}, {".tgz", DECODE_GZIP}, {".zst", DECODE_ZSTD}, {".tzst", DECODE_ZSTD},
      {".bz2", -1},         {".tbz", -1},          {".tbz2", -1},         {".xz", -1},
      {".txz", -1},         {".lz", -1},           {".lz4", -1},          {".lzma", -1},
      {".Z", -1},
  };
  for (size_t i = 0; fs->format == ARCHIVE_TAR && i < sizeof known / sizeof *known; i++)
    if (ends_in(base, known[i].end)) return known[i].form;
  return DECODE_STORED;
}

/* Only what is not there can be written. */
static bool check_new(const archive_fs *fs, const char *base, TF_Status *status) {
  base_version version;
  if (fs->format == ARCHIVE_PACKAGE)
    return fail_with(status, TF_UNIMPLEMENTED, "packages are read-only");
  if (fs->format == ARCHIVE_HAR)
    return fail_with(status, TF_UNIMPLEMENTED, "archives of Hadoop are read-only");
  if (!fs->host)
    return fail_with(status, TF_UNIMPLEMENTED, "this host lets no plugin write archives");
  if (form_of(fs, base) < 0)
    return fail_with(status, TF_UNIMPLEMENTED,
                     "a tar is written plain, or compressed by gzip or zstd: as .tar, .tar.gz or "
                     ".tar.zst");
  if (base_look(fs->host, base, &version, status))
    return fail_with(status, TF_PERMISSION_DENIED,
                     "the archive exists and is read-only; write a new one");
  if (TF_GetCode(status) != TF_NOT_FOUND) return false;
  TF_SetStatus(status, TF_OK, "");
  return true;
}

static bool enter_list(writing *self, TF_Status *status) {
  writing *other = writing_find(self->fs, self->base);
  if (other) {
    writing_release(other);
    return fail_with(status, TF_FAILED_PRECONDITION, "the archive is being written already");
  }
  pthread_mutex_lock(&list_lock);
  atomic_fetch_add(&self->references, 1);
  self->next = self->fs->writings;
  self->fs->writings = self;
  pthread_mutex_unlock(&list_lock);
  return true;
}

static void leave_list(writing *self) {
  pthread_mutex_lock(&list_lock);
  writing **link = &self->fs->writings;
  while (*link && *link != self)
    link = &(*link)->next;
  bool was = *link != NULL;
  if (was) *link = self->next;
  pthread_mutex_unlock(&list_lock);
  if (was) writing_release(self);
}

bool writing_begin(writing *self, const char *base, TF_Status *status) {
  const index_limits limits = {
      .entries = (uint64_t)options_here(&self->fs->options)->items[ARCHIVE_ENTRIES].number,
      .bytes = (uint64_t)options_here(&self->fs->options)->items[ARCHIVE_INDEX_BYTES].number,
  };
  if (!check_new(self->fs, base, status)) return false;
  self->owner = geteuid();
  self->group = getegid();
  if (!index_init(&self->index, &limits, status)) return false;
  if (!(self->base = strdup(base))) return fail_no_memory(status);
  self->out = self->fs->host->open_writer(base, status);
  if (!self->out) {
    index_fini(&self->index);
    free(self->base);
    self->base = NULL;
    return false;
  }
  self->encoder = encode_open((decode_form)form_of(self->fs, base), sink, self, status);
  if (self->encoder && enter_list(self, status)) return true;
  TF_Status *ignored = TF_NewStatus();
  self->fs->host->close_writer(self->out, false, ignored);
  TF_DeleteStatus(ignored);
  self->out = NULL;
  return false;
}

static bool write_member(writing *self, index_entry *entry, const spool *content,
                         TF_Status *status) {
  return self->fs->format == ARCHIVE_TAR ? tar_write_member(self, entry, content, status)
                                         : zip_write_member(self, entry, content, status);
}

static bool fail_broken(TF_Status *status) {
  return fail_with(status, TF_DATA_LOSS,
                   "a part of the archive could not be written, so nothing of it is kept");
}

static bool complete(writing *self, TF_Status *status) {
  if (self->broken || self->straight) return fail_broken(status);
  /* Subdirectories first: a program that unpacks one of them later would change the time of its
   * parent. */
  for (uint32_t i = self->index.count; i-- > 1;) {
    index_entry *entry = &self->index.entries[i];
    if (entry->kind == MODFS_KIND_DIRECTORY && !entry->is_implied &&
        !write_member(self, entry, NULL, status))
      return false;
  }
  bool fine =
      self->fs->format == ARCHIVE_TAR ? tar_write_end(self, status) : zip_write_end(self, status);
  return fine && encode_end(self->encoder, status);
}

bool writing_end(writing *self, bool publish, TF_Status *status) {
  pthread_mutex_lock(&self->lock);
  if (!self->ended && self->out) {
    bool fine = publish && complete(self, status);
    TF_Status *ignored = fine ? NULL : TF_NewStatus();
    self->fs->host->close_writer(self->out, fine, fine ? status : ignored);
    TF_DeleteStatus(ignored);
  } else if (self->ended && publish) {
    fail_broken(status);
  }
  self->ended = true;
  self->out = NULL;
  pthread_mutex_unlock(&self->lock);
  leave_list(self);
  return archive_ok(status);
}

/* Entries ----------------------------------------------------------------------------------- */

bool writing_put(writing *self, const void *bytes, size_t n, TF_Status *status) {
  if (self->straight) return spool_put(&self->aside, bytes, n, status);
  self->offset += n;
  return encode_put(self->encoder, bytes, n, status);
}

/* In pieces that the host need not put together. */
static bool put_file(writing *self, const spool *content, TF_Status *status) {
  enum { PIECE = 256 * 1024 };
  char *piece = malloc(PIECE);
  bool fine = piece || fail_no_memory(status);
  for (uint64_t at = 0; fine && at < content->length;) {
    uint64_t left = content->length - at;
    size_t n = left < PIECE ? (size_t)left : PIECE;
    fine = base_read(content->file, at, n, piece, status) && writing_put(self, piece, n, status);
    at += n;
  }
  free(piece);
  return fine;
}

bool writing_put_spool(writing *self, const spool *content, TF_Status *status) {
  if (!content || content->length == 0) return true;
  if (content->file) return put_file(self, content, status);
  return writing_put(self, content->memory, (size_t)content->length, status);
}

/* Whether an entry of that kind may be there. The lock is held. */
static bool is_place(const writing *self, const char *inner, int kind, TF_Status *status) {
  const char *slash = strrchr(inner, '/');
  const index_entry *parent = index_find(&self->index, inner, slash ? (size_t)(slash - inner) : 0);
  const index_entry *there = index_find(&self->index, inner, strlen(inner));
  bool fits = parent && parent->kind == MODFS_KIND_DIRECTORY;
  if (fits && (!there || there->kind != MODFS_KIND_DIRECTORY || kind == MODFS_KIND_DIRECTORY))
    return true;
  if (fits) return fail_with(status, TF_FAILED_PRECONDITION, "is a directory");
  return fail_with(status, parent ? TF_FAILED_PRECONDITION : TF_NOT_FOUND,
                   parent ? "the parent is a file" : "a parent directory does not exist");
}

/* Puts one into the place of the first that is there, or is not there. */
static encoder *exchange(writing *self, bool there, encoder *other) {
  pthread_mutex_lock(&self->lock);
  int i = 0;
  while (i < SPARES && (self->spares[i] != NULL) != there)
    i++;
  encoder *found = i < SPARES ? self->spares[i] : other;
  if (i < SPARES) self->spares[i] = other;
  pthread_mutex_unlock(&self->lock);
  return found;
}

encoder *writing_take_encoder(writing *self) {
  return exchange(self, true, NULL);
}

void writing_leave_encoder(writing *self, encoder *left) {
  encode_close(exchange(self, false, left));
}

void writing_break(writing *self) {
  pthread_mutex_lock(&self->lock);
  self->broken = true;
  pthread_mutex_unlock(&self->lock);
}

bool writing_check_place(writing *self, const char *inner, TF_Status *status) {
  pthread_mutex_lock(&self->lock);
  bool fine = is_place(self, inner, MODFS_KIND_FILE, status);
  pthread_mutex_unlock(&self->lock);
  return fine;
}

static bool add(writing *self, const char *inner, const index_entry *like, const spool *content,
                TF_Status *status) {
  if (self->ended || self->broken)
    return fail_with(status, TF_FAILED_PRECONDITION,
                     self->ended ? "the archive is complete; nothing can be added to it"
                                 : "the archive cannot be written any more");
  if (!is_place(self, inner, like->kind, status)) return false;
  index_entry *entry = index_add(&self->index, inner, strlen(inner), like->kind, status);
  if (!entry)
    return archive_ok(status) &&
           fail_with(status, TF_FAILED_PRECONDITION, "is the root of the archive");
  index_entry made = *like;
  made.name = entry->name;
  made.last = entry->last;
  made.first = entry->first;
  made.next = entry->next;
  made.link = NULL;
  if (like->link && !(made.link = index_keep(&self->index, like->link, strlen(like->link), status)))
    return false;
  *entry = made;
  if (entry->kind == MODFS_KIND_DIRECTORY) return true;
  self->broken = !write_member(self, entry, content, status);
  return !self->broken;
}

bool writing_begin_straight(writing *self, const char *inner, const index_entry *like,
                            TF_Status *status) {
  pthread_mutex_lock(&self->lock);
  bool can = self->fs->format == ARCHIVE_TAR && !self->straight;
  if (can) self->straight = add(self, inner, like, NULL, status);
  bool begun = can && self->straight;
  pthread_mutex_unlock(&self->lock);
  return begun;
}

bool writing_put_straight(writing *self, const char *bytes, size_t n, TF_Status *status) {
  pthread_mutex_lock(&self->lock);
  bool fine = self->ended || self->broken ? fail_broken(status)
                                          : encode_put(self->encoder, bytes, n, status);
  pthread_mutex_unlock(&self->lock);
  return fine;
}

bool writing_end_straight(writing *self, uint64_t length, TF_Status *status) {
  pthread_mutex_lock(&self->lock);
  bool fine = !self->ended && !self->broken;
  self->straight = false;
  if (!fine)
    fail_broken(status);
  else
    fine = tar_write_padding(self, length, status) && writing_put_spool(self, &self->aside, status);
  spool_fini(&self->aside);
  self->broken = self->broken || !fine;
  pthread_mutex_unlock(&self->lock);
  return fine;
}

bool writing_add(writing *self, const char *inner, const index_entry *like, const spool *content,
                 TF_Status *status) {
  pthread_mutex_lock(&self->lock);
  bool fine = add(self, inner, like, content, status);
  pthread_mutex_unlock(&self->lock);
  return fine;
}
