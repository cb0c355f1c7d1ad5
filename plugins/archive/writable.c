/* A member that is open for writing: its bytes are compressed into a spool, which goes into the
 * archive when the member is closed. A large one of a tar whose length is told before its first byte
 * goes straight into the archive; if as many bytes do not come, the archive is broken. A file outside of a transaction is an archive of its own. One
 * thread at a time uses a handle. */
#include "writable.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/located/located.h"
#include "error.h"
#include "writing.h"

typedef struct output {
  writing *archive;
  char *inner;
  index_entry entry; /* as it will be */
  bool dated;        /* its time was set */
  spool content;
  encoder *encoder;
  bool straight;      /* its header is in the archive, with the length that its content will have */
  uint64_t announced; /* that length */
  bool keeps_old;     /* cleanup without close leaves nothing */
  bool closed;
  char path[]; /* for messages */
} output;

/* In whole seconds: parts of one would need a header more for each member of a tar. */
static int64_t now_nsec(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000000000;
}

/* Opening ----------------------------------------------------------------------------------- */

/* Nothing but members of archives can be written. */
static bool name_written(archive_name *name, const char *path, TF_Status *status) {
  if (archive_name_init(name, path, status)) return true;
  if (TF_GetCode(status) == TF_FAILED_PRECONDITION)
    fail_with(status, TF_UNIMPLEMENTED,
              "only entries of a new archive can be written: zip://ARCHIVE!/NAME");
  return false;
}

/* The archive that is being written there, or a new one of a single file. */
static writing *join(archive_fs *fs, const char *base, TF_Status *status) {
  writing *found = writing_find(fs, base);
  if (found && found->is_lone) {
    writing_release(found);
    fail_with(status, TF_FAILED_PRECONDITION, "the archive is being written already");
    return NULL;
  }
  if (found || !(found = writing_new(fs, status))) return found;
  found->is_lone = true;
  if (writing_begin(found, base, status)) return found;
  writing_release(found);
  return NULL;
}

static bool sink(void *state, const char *bytes, size_t n, TF_Status *status) {
  return spool_put(&((output *)state)->content, bytes, n, status);
}

static void output_free(output *self) {
  spool_fini(&self->content);
  if (self->archive && self->entry.method == METHOD_DEFLATED)
    writing_leave_encoder(self->archive, self->encoder);
  else
    encode_close(self->encoder);
  writing_release(self->archive);
  free(self->inner);
  free(self);
}

static decode_form form_of(const archive_fs *fs) {
#ifdef MODFS_WITH_ZLIB
  if (fs->format == ARCHIVE_ZIP) return DECODE_DEFLATE;
#endif
  (void)fs;
  return DECODE_STORED;
}

/* A new state of deflate costs more than a small member: one that is left is taken. */
static bool find_encoder(output *self, decode_form form, TF_Status *status) {
  if (form == DECODE_DEFLATE) self->encoder = writing_take_encoder(self->archive);
  if (self->encoder)
    encode_again(self->encoder, self);
  else
    self->encoder = encode_open(form, sink, self, status);
  return self->encoder != NULL;
}

static output *open_output(archive_fs *fs, archive_name *name, const char *path,
                           TF_Status *status) {
  size_t size = strlen(path) + 1;
  output *made = fail_or_allocate(sizeof *made + size, status);
  if (!made) return NULL;
  decode_form form = form_of(fs);
  memcpy(made->path, path, size);
  made->inner = name->inner;
  name->inner = NULL;
  made->entry = (index_entry){.kind = MODFS_KIND_FILE,
                              .method = form == DECODE_DEFLATE ? METHOD_DEFLATED : METHOD_STORED,
                              .mode = 0644};
  made->archive = join(fs, name->base, status);
  bool fits = made->archive && writing_check_place(made->archive, made->inner, status);
  if (fits && find_encoder(made, form, status)) return made;
  if (made->archive && made->archive->is_lone) {
    TF_Status *ignored = TF_NewStatus();
    writing_end(made->archive, false, ignored);
    TF_DeleteStatus(ignored);
  }
  output_free(made);
  return NULL;
}

void archive_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                         const char *path, uint32_t flags, TF_WritableFile *file,
                         TF_Status *status) {
  archive_name name = {NULL, NULL};
  output *made = NULL;
  if (directory)
    fail_with(status, TF_UNIMPLEMENTED, "archives have no directory handles");
  else if (name_written(&name, path, status) && !*name.inner)
    fail_with(status, TF_FAILED_PRECONDITION, "is the root of an archive");
  else if (archive_ok(status))
    made = open_output(archive_fs_of(filesystem), &name, path, status);
  if (made) made->keeps_old = flags & MODFS_OPEN_ATOMIC;
  file->plugin_file = made;
  archive_name_fini(&name);
}

void archive_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                               TF_WritableFile *file, TF_Status *status) {
  archive_open_writer(filesystem, NULL, path, 0, file, status);
}

/* Writing ----------------------------------------------------------------------------------- */

static output *output_of(const TF_WritableFile *file) {
  return file->plugin_file;
}

/* A straight one has no more bytes than were announced. */
static bool put(output *self, const char *buffer, size_t n, TF_Status *status) {
  if (!self->straight) return encode_put(self->encoder, buffer, n, status);
  if (n > self->announced - self->entry.length)
    return fail_with(status, TF_DATA_LOSS, "more bytes than the length that was announced");
  return writing_put_straight(self->archive, buffer, n, status);
}

static void output_append(const TF_WritableFile *file, const char *buffer, size_t n,
                          TF_Status *status) {
  output *self = output_of(file);
  TF_SetStatus(status, TF_OK, "");
  if (put(self, buffer, n, status)) {
    bool has_crc = n > 0 && self->archive->fs->format == ARCHIVE_ZIP;
    if (has_crc) self->entry.crc = decode_crc(self->entry.crc, buffer, n);
    self->entry.length += n;
  } else {
    writing_break(self->archive);
  }
  located_status(status, self->path);
}

static int64_t output_tell(const TF_WritableFile *file, TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
  return (int64_t)output_of(file)->entry.length;
}

static void close_straight(output *self, TF_Status *status) {
  if (self->entry.length == self->announced) {
    writing_end_straight(self->archive, self->announced, status);
  } else {
    writing_break(self->archive);
    fail_with(status, TF_DATA_LOSS, "fewer bytes than the length that was announced");
  }
}

static void output_close(const TF_WritableFile *file, TF_Status *status) {
  output *self = output_of(file);
  TF_SetStatus(status, TF_OK, "");
  self->closed = true;
  if (!self->dated) self->entry.mtime_nsec = now_nsec();
  if (self->straight) {
    close_straight(self, status);
  } else if (encode_end(self->encoder, status)) {
    self->entry.stored = self->content.length;
    writing_add(self->archive, self->inner, &self->entry, &self->content, status);
  } else {
    writing_break(self->archive);
  }
  if (self->archive->is_lone) writing_end(self->archive, archive_ok(status), status);
  located_status(status, self->path);
}

static void output_cleanup(TF_WritableFile *file) {
  output *self = output_of(file);
  if (!self) return;
  TF_Status *status = self->closed ? NULL : TF_NewStatus();
  if (self->straight && !self->closed) writing_break(self->archive);
  if (status && !self->keeps_old)
    output_close(file, status);
  else if (status && self->archive->is_lone)
    writing_end(self->archive, false, status);
  TF_DeleteStatus(status);
  output_free(self);
  file->plugin_file = NULL;
}

const TF_WritableFileOps archive_writable_ops = {
    .cleanup = output_cleanup,
    .append = output_append,
    .tell = output_tell,
    .close = output_close,
};

/* Other entries ----------------------------------------------------------------------------- */

/* The archive of the path that is being written; NULL on failure, with PERMISSION_DENIED for one
 * that is there. */
static writing *find_written(archive_fs *fs, const archive_name *name, TF_Status *status) {
  base_version version;
  writing *found = writing_find(fs, name->base);
  if (found) return found;
  if (base_look(fs->host, name->base, &version, status))
    fail_with(status, TF_PERMISSION_DENIED, "the archive is read-only");
  else if (TF_GetCode(status) == TF_NOT_FOUND)
    fail_with(status, TF_UNIMPLEMENTED,
              "a new archive is written in a transaction, by copytree, or as a single file");
  return NULL;
}

static bool add_entry(const TF_Filesystem *filesystem, const char *path, const index_entry *like,
                      bool anew, TF_Status *status) {
  archive_name name = {NULL, NULL};
  modfs_attributes there = {.struct_size = sizeof there};
  writing *target = NULL;
  if (name_written(&name, path, status))
    target = find_written(archive_fs_of(filesystem), &name, status);
  bool exists = target && archive_look_written(filesystem, path, &there, status);
  if (target && !exists) TF_SetStatus(status, TF_OK, "");
  if (exists && (anew || there.kind != MODFS_KIND_DIRECTORY))
    fail_with(status, anew ? TF_ALREADY_EXISTS : TF_FAILED_PRECONDITION,
              "an entry of that name exists");
  else if (target && !exists)
    writing_add(target, name.inner, like, NULL, status);
  writing_release(target);
  archive_name_fini(&name);
  return archive_ok(status);
}

static const index_entry new_directory = {.kind = MODFS_KIND_DIRECTORY, .mode = 0755};

void archive_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  index_entry made = new_directory;
  made.mtime_nsec = now_nsec();
  add_entry(filesystem, path, &made, true, status);
}

/* From the root down. The URI's end moves over its own slashes: none is left out, as it is clean. */
void archive_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                    TF_Status *status) {
  archive_name name = {NULL, NULL};
  index_entry made = new_directory;
  char *uri = archive_name_clean(path);
  made.mtime_nsec = now_nsec();
  if (!uri) {
    fail_no_memory(status);
    return;
  }
  if (name_written(&name, path, status)) {
    char *inner = uri + strlen(uri) - strlen(name.inner);
    bool more = true;
    while (more && archive_ok(status)) {
      char *slash = strchr(inner, '/');
      more = slash != NULL;
      if (more) *slash = '\0';
      add_entry(filesystem, uri, &made, false, status);
      if (more) *slash = '/';
      inner = more ? slash + 1 : inner;
    }
  }
  archive_name_fini(&name);
  free(uri);
}

void archive_create_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                         const char *path, const char *target, TF_Status *status) {
  const index_entry made = {
      .kind = MODFS_KIND_LINK, .mode = 0777, .mtime_nsec = now_nsec(), .link = target};
  if (directory)
    fail_with(status, TF_UNIMPLEMENTED, "archives have no directory handles");
  else
    add_entry(filesystem, path, &made, true, status);
}

/* Attributes -------------------------------------------------------------------------------- */

bool archive_look_written(const TF_Filesystem *filesystem, const char *path,
                          modfs_attributes *attributes, TF_Status *status) {
  archive_name name = {NULL, NULL};
  size_t size = attributes->struct_size;
  bool found = false;
  if (!archive_name_init(&name, path, status)) return false;
  writing *target = writing_find(archive_fs_of(filesystem), name.base);
  if (target) {
    pthread_mutex_lock(&target->lock);
    const index_entry *entry = index_find(&target->index, name.inner, strlen(name.inner));
    found = entry != NULL;
    if (found)
      *attributes = (modfs_attributes){.struct_size = size,
                                       .kind = entry->kind,
                                       .mode = entry->mode,
                                       .length = (int64_t)entry->length,
                                       .mtime_nsec = entry->mtime_nsec,
                                       .known = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_MTIME};
    pthread_mutex_unlock(&target->lock);
    if (!found) fail_with(status, TF_NOT_FOUND, "not in the archive that is being written");
    writing_release(target);
  }
  archive_name_fini(&name);
  return found;
}

enum {
  SETTABLE =
      MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP
};

static bool check_settable(uint64_t which, TF_Status *status) {
  if (!(which & ~(uint64_t)(SETTABLE | MODFS_ATTRIBUTE_OF_LINK))) return true;
  return fail_with(status, TF_UNIMPLEMENTED, "archives do not keep access times");
}

static void set_some(index_entry *entry, const modfs_attributes *from, uint64_t which) {
  if (which & MODFS_ATTRIBUTE_MODE) entry->mode = from->mode & 07777;
  if (which & MODFS_ATTRIBUTE_MTIME) entry->mtime_nsec = from->mtime_nsec;
  if (which & MODFS_ATTRIBUTE_OWNER) entry->owner = (uint32_t)from->owner;
  if (which & MODFS_ATTRIBUTE_GROUP) entry->group = (uint32_t)from->group;
  entry->known |= which & SETTABLE;
}

/* What fits into the memory of a spool goes that way, as its writer may still give up then. */
static void announce(output *self, int64_t length, uint64_t which, TF_Status *status) {
  bool fits = which == MODFS_ATTRIBUTE_LENGTH && self->entry.length == 0;
  index_entry like = self->entry;
  if (!self->dated) like.mtime_nsec = now_nsec();
  like.length = like.stored = (uint64_t)length;
  self->straight = fits && length > SPOOL_IN_MEMORY &&
                   writing_begin_straight(self->archive, self->inner, &like, status);
  self->announced = (uint64_t)length;
  if (!self->straight && archive_ok(status))
    fail_with(status, TF_UNIMPLEMENTED, "it is not written straight into the archive");
}

void archive_set_writer_attributes(const TF_Filesystem *filesystem, const TF_WritableFile *file,
                                   const modfs_attributes *attributes, uint64_t which,
                                   TF_Status *status) {
  output *self = output_of(file);
  (void)filesystem;
  if (self->straight)
    fail_with(status, TF_UNIMPLEMENTED, "its header is written already");
  else if (which & MODFS_ATTRIBUTE_LENGTH)
    announce(self, attributes->length, which, status);
  if (self->straight || (which & MODFS_ATTRIBUTE_LENGTH)) return;
  if (!check_settable(which, status)) return;
  set_some(&self->entry, attributes, which);
  self->dated = self->dated || (which & MODFS_ATTRIBUTE_MTIME);
}

/* Of directories alone: files and links are written already. */
void archive_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                            const char *path, const modfs_attributes *attributes, uint64_t which,
                            TF_Status *status) {
  archive_name name = {NULL, NULL};
  writing *target = NULL;
  if (directory)
    fail_with(status, TF_UNIMPLEMENTED, "archives have no directory handles");
  else if (check_settable(which, status) && name_written(&name, path, status))
    target = find_written(archive_fs_of(filesystem), &name, status);
  if (target) {
    pthread_mutex_lock(&target->lock);
    index_entry *entry =
        (index_entry *)(size_t)index_find(&target->index, name.inner, strlen(name.inner));
    if (!entry)
      fail_with(status, TF_NOT_FOUND, "not in the archive that is being written");
    else if (entry->kind != MODFS_KIND_DIRECTORY)
      fail_with(status, TF_UNIMPLEMENTED, "it is written already");
    else
      set_some(entry, attributes, which);
    pthread_mutex_unlock(&target->lock);
    writing_release(target);
  }
  archive_name_fini(&name);
}
