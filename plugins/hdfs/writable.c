/* A file opened for writing.
 *
 * New content goes into a file of its own beside the target, .modfs-RANDOM, which close renames onto it in one
 * step. An append of at most buffer_bytes is one APPEND to the file itself; a longer one goes into a file of
 * its own as well, and close joins it to the target by CONCAT, in one step.
 *
 * `appends`: the content goes behind what `name` has, `base` bytes. sync publishes what there is, and from then
 * on the file appends. `has_own`: the file of its own is there, and is deleted if it is
 * not published.
 *
 * close publishes. cleanup without close publishes as well, because TensorFlow does not close files that are
 * dropped; a failure of that is logged. But of an atomic file cleanup without close leaves nothing.
 *
 * One thread at a time uses a file; there is no lock. It belongs to the process that opened it: a forked child
 * neither publishes nor deletes. */
#include "writable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../common/located/located.h"
#include "../common/remote/loss.h"
#include "attributes.h"
#include "delete.h"
#include "rename.h"
#include "stat.h"
#include "text.h"
#include "upload.h"

enum {
  CONTROLLED = 022, /* the bits that the umask of data nodes may take away */
  MOST_NAME = 255
};

typedef struct hdfs_writable {
  const TF_Filesystem *filesystem;
  char *path; /* as given at open */
  hdfs_name name;
  hdfs_goal own;
  hdfs_upload *upload;
  bool has_own;
  bool appends;
  bool is_closed;
  bool is_atomic;
  bool is_new;   /* the name must not exist */
  bool replaces; /* old is the file that is replaced, or appended to */
  hdfs_status old;
  uint64_t base;           /* length of the file before the bytes of the upload */
  uint64_t joined;         /* bytes of the upload that are in the base by now */
  modfs_attributes wanted; /* set at close, as far as they are in: */
  uint64_t which;
} hdfs_writable;

static hdfs_writable *writable_of(const TF_WritableFile *file) {
  return file->plugin_file;
}

static void writable_free(hdfs_writable *self) {
  if (!self) return;
  hdfs_upload_free(self->upload);
  free(self->path);
  free(self);
}

static void choose_own(hdfs_writable *self) {
  uint64_t bits = 0;
  char last[32];
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != sizeof bits)
    bits = (uint64_t)net_now() * 0x9e3779b97f4a7c15u ^ (uint64_t)(uintptr_t)self;
  snprintf(last, sizeof last, ".modfs-%016" PRIx64, bits);
  self->own.name = self->name;
  self->own.appends = false;
  hdfs_name_to_parent(&self->own.name);
  TF_Status *status =
      TF_NewStatus(); /* a parent has room for a name of that length, or CREATE fails */
  if (status) hdfs_name_child(&self->own.name, last, &self->own.name, status);
  TF_DeleteStatus(status);
}

/* A file to be joined by CONCAT must have the target's replication, and no larger blocks. */
static void choose_query(hdfs_writable *self) {
  int64_t replication = remote_number(self->filesystem, HDFS_REPLICATION);
  int64_t block = remote_number(self->filesystem, HDFS_BLOCK_BYTES);
  char *query = self->own.query;
  size_t room = sizeof self->own.query, n = 0;
  if (self->replaces && self->appends) {
    replication = self->old.replication;
    block = self->old.block_bytes;
  }
  query[0] = '\0';
  if (replication > 0)
    n += (size_t)snprintf(query + n, room - n, "&replication=%" PRId64, replication);
  if (block > 0) n += (size_t)snprintf(query + n, room - n, "&blocksize=%" PRId64, block);
  if (self->replaces) snprintf(query + n, room - n, "&permission=%o", self->old.mode & 01777);
}

/* What the name node would refuse when all is written. */
static bool check_last(const hdfs_name *name, TF_Status *status) {
  const char *last = hdfs_name_last(name);
  if (strchr(last, ':'))
    return fail_with(status, TF_INVALID_ARGUMENT, "HDFS allows no \":\" in a name");
  return strlen(last) <= MOST_NAME ||
         fail_with(status, TF_INVALID_ARGUMENT, "the name is longer than HDFS's 255 bytes");
}

static hdfs_writable *writable_new(const TF_Filesystem *filesystem, const char *path,
                                   TF_Status *status) {
  hdfs_place place;
  if (!hdfs_place_find(filesystem, path, &place, status)) return NULL;
  if (place.is_virtual || hdfs_name_is_root(&place.name)) {
    fail_with(status, TF_FAILED_PRECONDITION, "is a directory");
    return NULL;
  }
  if (!check_last(&place.name, status)) return NULL;
  hdfs_writable *self = calloc(1, sizeof *self);
  if (self) self->path = strdup(path);
  if (!self || !self->path) {
    fail_no_memory(status);
    writable_free(self);
    return NULL;
  }
  self->filesystem = filesystem;
  self->name = place.name;
  self->upload = hdfs_upload_new(filesystem, &self->own, status);
  if (self->upload) return self;
  writable_free(self);
  return NULL;
}

/* Looks what is there. */
static bool look(hdfs_writable *self, TF_Status *status) {
  if (!hdfs_stat_maybe(self->filesystem, &self->name, &self->old, &self->replaces, status))
    return false;
  return !self->replaces || !self->old.is_directory ||
         fail_with(status, TF_FAILED_PRECONDITION, "is a directory");
}

static void give(hdfs_writable *self, bool good, TF_WritableFile *file) {
  if (good) {
    choose_own(self);
    choose_query(self);
    file->plugin_file = self;
  } else {
    writable_free(self);
  }
}

void hdfs_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                            TF_WritableFile *file, TF_Status *status) {
  hdfs_writable *self = writable_new(filesystem, path, status);
  if (self) give(self, look(self, status), file);
}

void hdfs_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status) {
  if (directory) {
    fail_with(status, TF_UNIMPLEMENTED, "files can only be opened by their full path");
    return;
  }
  hdfs_writable *self = writable_new(filesystem, path, status);
  if (!self) return;
  self->is_atomic = (flags & MODFS_OPEN_ATOMIC) != 0;
  self->is_new = (flags & MODFS_OPEN_NEW) != 0;
  give(self, self->is_new || look(self, status), file);
}

void hdfs_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                              TF_WritableFile *file, TF_Status *status) {
  hdfs_writable *self = writable_new(filesystem, path, status);
  if (!self) return;
  bool good = look(self, status);
  self->appends = good && self->replaces;
  if (self->appends) self->base = (uint64_t)self->old.length;
  give(self, good, file);
}

static bool is_open(const hdfs_writable *self, TF_Status *status) {
  if (hdfs_upload_is_inherited(self->upload))
    return fail_with(status, TF_FAILED_PRECONDITION, "the file belongs to the parent process");
  return !self->is_closed || fail_with(status, TF_FAILED_PRECONDITION, "the file is closed");
}

void hdfs_set_writer_attributes(const TF_Filesystem *filesystem, const TF_WritableFile *file,
                                const modfs_attributes *attributes, uint64_t which,
                                TF_Status *status) {
  hdfs_writable *self = writable_of(file);
  (void)filesystem;
  if (!is_open(self, status) || !hdfs_attributes_check(attributes, which, status)) return;
  if (which & MODFS_ATTRIBUTE_MODE) self->wanted.mode = attributes->mode;
  if (which & MODFS_ATTRIBUTE_OWNER) self->wanted.owner = attributes->owner;
  if (which & MODFS_ATTRIBUTE_GROUP) self->wanted.group = attributes->group;
  if (which & MODFS_ATTRIBUTE_MTIME) self->wanted.mtime_nsec = attributes->mtime_nsec;
  if (which & MODFS_ATTRIBUTE_ATIME) self->wanted.atime_nsec = attributes->atime_nsec;
  self->which |= which & ~(uint64_t)MODFS_ATTRIBUTE_OF_LINK;
}

/* Publishing ------------------------------------------------------------------------------- */

/* Gives the file the owner and group of the one that it replaces; who may not, keeps his own. */
static bool keep_owner(hdfs_writable *self, TF_Status *status) {
  hdfs_status made;
  hdfs_text query = {.bytes = NULL};
  if (!hdfs_call_status(self->filesystem, &self->own.name, &made, status)) return false;
  if (strcmp(made.owner, self->old.owner) == 0 && strcmp(made.group, self->old.group) == 0)
    return true;
  hdfs_text_add(&query, "&owner=");
  hdfs_text_add_encoded(&query, self->old.owner, false);
  hdfs_text_add(&query, "&group=");
  hdfs_text_add_encoded(&query, self->old.group, false);
  const hdfs_call call = {.method = "PUT", .op = "SETOWNER", .query = query.bytes};
  bool good = query.failed ? fail_no_memory(status)
                           : hdfs_call_plain(self->filesystem, &self->own.name, &call, status);
  hdfs_text_fini(&query);
  if (!good && TF_GetCode(status) == TF_PERMISSION_DENIED) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  }
  return good;
}

/* What CREATE could not set. */
static bool dress(hdfs_writable *self, const hdfs_name *name, TF_Status *status) {
  modfs_attributes *wanted = &self->wanted;
  uint64_t which = self->which;
  if (self->has_own && self->replaces) {
    if (!keep_owner(self, status)) return false;
    if (!(which & MODFS_ATTRIBUTE_MODE) && (self->old.mode & (CONTROLLED | 01000))) {
      wanted->mode = self->old.mode & 01777;
      which |= MODFS_ATTRIBUTE_MODE;
    }
  }
  return which == 0 || hdfs_attributes_set(self->filesystem, name, wanted, which, status);
}

/* Brings all bytes to a data node. In place, where that is possible. */
static bool deliver(hdfs_writable *self, TF_Status *status) {
  if (hdfs_upload_streams(self->upload)) {
    self->has_own = true; /* perhaps: the stream may have failed before */
    return hdfs_upload_end(self->upload, status);
  }
  if (self->appends && !self->has_own) {
    const hdfs_goal here = {.name = self->name, .appends = true};
    uint64_t before = self->base;
    self->base += hdfs_upload_kept(self->upload);
    return hdfs_upload_kept(self->upload) == 0
               ? hdfs_upload_end(self->upload, status)
               : hdfs_upload_send(self->upload, &here, before, status);
  }
  self->has_own = true;
  return hdfs_upload_send(self->upload, &self->own, 0, status);
}

static bool take_name(hdfs_writable *self, TF_Status *status) {
  const hdfs_renaming renaming = {
      .from = &self->own.name, .to = &self->name, .id = HDFS_OWN_FILE, .must_be_new = self->is_new};
  return hdfs_rename_name(self->filesystem, &renaming, status);
}

/* Whether an attempt has joined the file whose answer was lost: it is not there any more. */
static bool is_gone(const hdfs_writable *self) {
  hdfs_status found;
  TF_Status *status = TF_NewStatus();
  bool gone = status && !hdfs_call_status(self->filesystem, &self->own.name, &found, status) &&
              TF_GetCode(status) == TF_NOT_FOUND;
  TF_DeleteStatus(status);
  return gone;
}

/* CONCAT moves the blocks of the file to the end of the target. */
static bool join(hdfs_writable *self, TF_Status *status) {
  hdfs_status now;
  hdfs_text query = {.bytes = NULL};
  if (!hdfs_stat_name(self->filesystem, &self->name, &now, status)) return false;
  if (now.id != self->old.id)
    return fail_with(status, TF_ABORTED, "the file was replaced since it was opened");
  if (now.length == 0) /* an empty file has no block to go behind */
    return dress(self, &self->own.name, status) && take_name(self, status);
  hdfs_text_add(&query, "&sources=");
  hdfs_text_add_encoded(&query, self->own.name.path, true);
  const hdfs_call call = {.method = "POST", .op = "CONCAT", .query = query.bytes};
  hdfs_answer answer = {.http_status = 0};
  bool good = query.failed ? fail_no_memory(status)
                           : hdfs_call_run(self->filesystem, &self->name, &call, &answer, status);
  if (!good && answer.is_untold && is_gone(self)) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  }
  hdfs_answer_fini(&answer);
  hdfs_text_fini(&query);
  return good;
}

/* Makes what was delivered visible under the name; later content is appended. */
static bool publish(hdfs_writable *self, TF_Status *status) {
  bool good = true;
  if (!self->has_own)
    good = dress(self, &self->name, status);
  else if (self->appends)
    good = join(self, status) && (!self->which || dress(self, &self->name, status));
  else
    good = dress(self, &self->own.name, status) && take_name(self, status);
  if (good) self->has_own = false;
  return good;
}

/* After a sync. */
static bool go_on_appending(hdfs_writable *self, TF_Status *status) {
  if (!hdfs_call_status(self->filesystem, &self->name, &self->old, status)) return false;
  self->joined = hdfs_upload_length(self->upload);
  self->base = (uint64_t)self->old.length;
  self->replaces = self->appends = true;
  self->is_new = false;
  choose_own(self);
  choose_query(self);
  return true;
}

static bool end(hdfs_writable *self, TF_Status *status) {
  self->is_closed = true;
  bool good = deliver(self, status) && publish(self, status);
  if (!good && self->has_own) {
    hdfs_delete_own(self->filesystem, &self->own.name);
    self->has_own = false;
  }
  return good;
}

/* Slots ------------------------------------------------------------------------------------ */

static void writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                            TF_Status *status) {
  hdfs_writable *self = writable_of(file);
  if (!is_open(self, status) || !hdfs_upload_append(self->upload, buffer, n, status))
    located_fail(status, self->path);
}

static int64_t writable_tell(const TF_WritableFile *file, TF_Status *status) {
  const hdfs_writable *self = writable_of(file);
  uint64_t before = self->appends ? (uint64_t)self->old.length : 0;
  if (is_open(self, status))
    return (int64_t)(before + hdfs_upload_length(self->upload) - self->joined);
  located_fail(status, self->path);
  return -1;
}

/* Nothing is visible before close, so bytes may wait until a block is full. */
static void writable_flush(const TF_WritableFile *file, TF_Status *status) {
  hdfs_writable *self = writable_of(file);
  if (!is_open(self, status) || !hdfs_upload_append(self->upload, NULL, 0, status))
    located_fail(status, self->path);
}

static void writable_sync(const TF_WritableFile *file, TF_Status *status) {
  hdfs_writable *self = writable_of(file);
  bool good = is_open(self, status) && deliver(self, status) && publish(self, status) &&
              go_on_appending(self, status);
  if (!good) located_fail(status, self->path);
}

static void writable_close(const TF_WritableFile *file, TF_Status *status) {
  hdfs_writable *self = writable_of(file);
  if (!is_open(self, status) || !end(self, status)) located_fail(status, self->path);
}

/* Ends a file that was dropped without close: a failure can only be logged. */
static void end_dropped(hdfs_writable *self) {
  TF_Status *status = TF_NewStatus();
  if (status && !end(self, status)) remote_log_loss(self->path, status);
  TF_DeleteStatus(status);
}

static void give_up(hdfs_writable *self) {
  bool streamed = hdfs_upload_streams(self->upload);
  hdfs_upload_free(self->upload);
  self->upload = NULL;
  if (streamed || self->has_own) hdfs_delete_own(self->filesystem, &self->own.name);
}

static void writable_cleanup(TF_WritableFile *file) {
  hdfs_writable *self = writable_of(file);
  if (self && !self->is_closed && !hdfs_upload_is_inherited(self->upload)) {
    if (self->is_atomic)
      give_up(self);
    else
      end_dropped(self);
  }
  writable_free(self);
  file->plugin_file = NULL;
}

const TF_WritableFileOps hdfs_writable_ops = {writable_cleanup, writable_append, writable_tell,
                                              writable_flush,   writable_sync,   writable_close};
