/* Copying by reading and appending, within a filesystem or between two. */
#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "file.h"
#include "fs_defaults.h"
#include "core/base/status.h"
#include "writable.h"

enum { PIECE = 128 * 1024 };
#define TO_THE_END UINT64_MAX

/* The progress callback of a copy, and what was reported to it. */
typedef struct listener {
  const modfs_copy_progress *progress; /* NULL: no callback; bytes are counted all the same */
  uint64_t done, total;
  bool told;
} listener;

/* Clears the status after the callback, which may have used it for calls of its own. */
static void tell(listener *to, uint64_t done, bool last, TF_Status *status) {
  if (!status_ok(status) || (to->told && done == to->done && done == to->total)) return;
  to->told = true;
  to->done = done;
  if (last || done > to->total) to->total = done;
  if (!to->progress) return;
  bool goes_on = to->progress->tell(to->progress->context, done, to->total);
  status_clear(status);
  if (!goes_on) TF_SetStatus(status, TF_CANCELLED, "cancelled by the progress callback");
}

/* Queries the length for the callback; it may be unknown (0), or change during the copy. */
static void expect(listener *to, const modfs_fs *from, const char *src, TF_Status *status) {
  if (!to->progress || !status_ok(status)) return;
  int64_t size = fs_file_size(from, src, status);
  to->total = size > 0 ? (uint64_t)size : 0;
  status_clear(status);
}

/* Copies at most that many bytes. Returns whether the source was replaced meanwhile. */
static bool pump(const modfs_file *from, modfs_writable *to, uint64_t most, listener *hears,
                 TF_Status *status) {
  char *buffer = malloc(PIECE);
  uint64_t offset = 0;
  int64_t got = buffer ? PIECE : 0;
  bool replaced = false;
  if (!buffer) status_no_memory(status);
  while (got == PIECE && status_ok(status)) {
    size_t n = most - offset < PIECE ? (size_t)(most - offset) : PIECE;
    got = n > 0 ? file_read(from, offset, n, buffer, status) : 0;
    replaced = TF_GetCode(status) == TF_ABORTED;
    if (got > 0 && status_ok(status)) {
      offset += (uint64_t)got;
      writable_quiet_append(to, buffer, (size_t)got, status);
    }
    tell(hears, offset, got < PIECE, status);
  }
  if (status_ok(status) && most != TO_THE_END && offset < most)
    TF_SetStatus(status, TF_ABORTED, "the source became shorter while it was copied");
  free(buffer);
  return replaced;
}

/* Whether something exists at the target. PLACE_FRESH: nothing, as this operation created the
 * directory. */
typedef enum place { PLACE_TAKEN, PLACE_EMPTY, PLACE_FRESH } place;

/* Where a copy goes: to a translated name, or to an entry of an open directory. */
typedef struct target {
  const modfs_fs *fs;
  const fs_directory *directory; /* NULL: name is a translated path */
  const char *name;
  place before;
  copy_terms *terms; /* NULL: none */
} target;

static void check_target(target *to, TF_Status *status) {
  if (fs_is_directory(to->fs, to->name, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the target is a directory");
  to->before = status_ok(status) ? PLACE_TAKEN : PLACE_EMPTY;
  if (TF_GetCode(status) == TF_NOT_FOUND || TF_GetCode(status) == TF_UNIMPLEMENTED)
    status_clear(status);
}

/* Where nothing exists, the file is created in place, which is cheaper, and deleted if the copy
 * fails; otherwise it replaces the existing entry when it is closed. */
static modfs_writable *open_entry(target *to, TF_Status *status) {
  const modfs_directory *directory = &to->directory->handle;
  to->before = PLACE_EMPTY;
  status_clear(status);
  modfs_writable *writable =
      writable_open_entry(to->fs, directory, to->name, MODFS_OPEN_NEW, status);
  if (TF_GetCode(status) != TF_ALREADY_EXISTS) return writable;
  to->before = PLACE_TAKEN;
  status_clear(status);
  return writable_open_entry(to->fs, directory, to->name, MODFS_OPEN_ATOMIC, status);
}

/* Where the filesystem supports it, the copy replaces an existing file atomically: then the
 * filesystem refuses a target that is no file, and leaves no partial one. */
static modfs_writable *open_target(target *to, TF_Status *status) {
  if (to->directory) return open_entry(to, status);
  if (to->before == PLACE_FRESH) return writable_open_fresh(to->fs, to->name, to->name, status);
  modfs_writable *writable =
      writable_open_name(to->fs, to->name, to->name, MODFS_WRITE_ATOMIC_FAST, status);
  if (TF_GetCode(status) != TF_UNIMPLEMENTED) return writable;
  status_clear(status);
  check_target(to, status);
  if (!status_ok(status)) return NULL;
  return writable_open_name(to->fs, to->name, to->name, MODFS_WRITE_REPLACE, status);
}

static void delete_target(const target *to) {
  TF_Status *ignored = TF_NewStatus();
  if (ignored && to->directory)
    directory_delete(to->directory, to->name, false, ignored);
  else if (ignored)
    fs_delete_file(to->fs, to->name, ignored);
  TF_DeleteStatus(ignored);
}

/* Lets the file have attributes before its first byte, so that storage which writes both at once
 * can: all at once or, if it cannot keep some, one by one. They are no longer wanted then. */
static void offer(const modfs_writable *writable, fs_wanted *wanted, TF_Status *status) {
  fs_wanted some = *wanted;
  if (some.which != 0) writable_set_attributes(writable, &some, status);
  if (status_ok(status)) {
    wanted->which = 0;
    return;
  }
  for (uint64_t bit = 1; bit <= wanted->which; bit <<= 1) {
    status_clear(status);
    if (!(wanted->which & bit)) continue;
    some.which = bit;
    writable_set_attributes(writable, &some, status);
    if (status_ok(status)) wanted->which &= ~bit;
  }
  status_clear(status);
}

/* Tells the target the length of what follows. Returns how many bytes are to be copied: that many, if
 * the target relies on it. */
static uint64_t announce(const modfs_writable *writable, const copy_terms *terms,
                         TF_Status *status) {
  if (terms->length < 0) return TO_THE_END;
  const fs_wanted length = {.which = MODFS_ATTRIBUTE_LENGTH, .attributes.length = terms->length};
  writable_set_attributes(writable, &length, status);
  bool relied_on = status_ok(status);
  status_clear(status);
  return relied_on ? (uint64_t)terms->length : TO_THE_END;
}

/* Copies to the target and ends it. A partial one is deleted if nothing existed there before, or if
 * the copy was cancelled. Returns whether it failed because the source was replaced meanwhile. */
static bool copy_file(const modfs_file *file, target to, listener *hears, TF_Status *status) {
  modfs_writable *writable = open_target(&to, status);
  if (!writable) return false;
  uint64_t most = TO_THE_END;
  if (to.terms) {
    to.terms->created = to.before != PLACE_TAKEN;
    offer(writable, &to.terms->wanted, status);
    most = announce(writable, to.terms, status);
  }
  bool replaced = pump(file, writable, most, hears, status);
  bool ours = !writable_keeps_old(writable) && !writable_is_inherited(writable);
  bool torn = ours && (to.before != PLACE_TAKEN || TF_GetCode(status) == TF_CANCELLED);
  bool complete = status_ok(status);
  TF_Status *ending = complete ? status : TF_NewStatus();
  writable_quiet_end(writable, complete, ending ? ending : status);
  if (!ending) status_no_memory(status);
  if (!complete) TF_DeleteStatus(ending);
  if (!status_ok(status) && torn) delete_target(&to);
  return replaced;
}

static void copy_content(const modfs_fs *from, const char *src, target to, listener *hears,
                         TF_Status *status) {
  bool replaced = true;
  for (int left = MODFS_READS_ANEW; replaced; left--) {
    modfs_file *file = file_open_name(from, src, src, status);
    if (file) expect(hears, from, src, status);
    replaced = file && copy_file(file, to, hears, status) && left > 0;
    if (replaced) status_clear(status);
    modfs_file_close(file);
  }
}

int64_t copy_opened(const modfs_file *from, const modfs_fs *to, const char *dst, copy_terms *terms,
                    TF_Status *status) {
  listener counts = {.progress = terms->progress};
  const char *name = fs_enter(to, dst, status);
  place before = terms->fresh ? PLACE_FRESH : PLACE_TAKEN;
  if (name) copy_file(from, (target){to, NULL, name, before, terms}, &counts, status);
  fs_free_name(to, dst, name);
  return (int64_t)counts.done;
}

int64_t copy_to_entry(const modfs_file *from, const fs_directory *to, const char *name,
                      copy_terms *terms, TF_Status *status) {
  listener counts = {.progress = terms->progress};
  copy_file(from, (target){to->fs, to, name, PLACE_EMPTY, terms}, &counts, status);
  return (int64_t)counts.done;
}

/* Copies between translated names. A copy of a file to itself does nothing. */
static void copy_names(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                       listener *hears, TF_Status *status) {
  if (fs_is_directory(from, src, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the source is a directory");
  if (TF_GetCode(status) == TF_UNIMPLEMENTED) status_clear(status);
  if (status_ok(status) && !fs_same_file(from, src, to, dst))
    copy_content(from, src, (target){to, NULL, dst, PLACE_TAKEN, NULL}, hears, status);
}

void default_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  copy_names(fs, src, fs, dst, &(listener){.progress = NULL}, status);
}

/* Copies between two filesystems; moving deletes the source afterwards. */
static void transfer(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                     bool moving, listener *hears, TF_Status *status) {
  const char *source = fs_enter(from, src, status);
  const char *name = source ? fs_enter(to, dst, status) : NULL;
  if (name) {
    bool same = fs_same_file(from, source, to, name);
    copy_names(from, source, to, name, hears, status);
    if (moving && !same && status_ok(status)) fs_delete_file(from, source, status);
    fs_free_name(to, dst, name);
  }
  fs_leave_two(from, source, moving ? "rename" : "copy", src, dst, status);
}

/* Whether a filesystem that stands for several storages refuses what crosses from one host to another: then it is
 * read and written here. */
static bool is_left_to_us(const char *src, const char *dst, TF_Status *status) {
  if (TF_GetCode(status) != TF_UNIMPLEMENTED) return false;
  modfs_path from = modfs_path_parse(src, strlen(src)), to = modfs_path_parse(dst, strlen(dst));
  bool crosses =
      from.host_length != to.host_length || memcmp(from.host, to.host, from.host_length) != 0;
  if (crosses) status_clear(status);
  return crosses;
}

/* Whether one call of the plugin makes copies. */
static bool copies_itself(const modfs_fs *from, const modfs_fs *to) {
  return from == to && from->tables.fs.copy_file != default_copy_file;
}

int64_t copy_listed(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                    copy_terms *terms, TF_Status *status) {
  listener counts = {.progress = terms->progress};
  bool fresh = terms->fresh;
  if (copies_itself(from, to)) {
    void (*copy)(const modfs_fs *, const char *, const char *, TF_Status *) =
        fresh ? fs_copy_new : modfs_fs_copy_file;
    copy(from, src, dst, status);
    if (!is_left_to_us(src, dst, status)) return -1;
  }
  const char *source = fs_enter(from, src, status);
  const char *name = source ? fs_enter(to, dst, status) : NULL;
  target there = {to, NULL, name, fresh ? PLACE_FRESH : PLACE_TAKEN, terms};
  if (name && (fresh || !fs_same_file(from, source, to, name)))
    copy_content(from, source, there, &counts, status);
  fs_free_name(to, dst, name);
  fs_leave_two(from, source, "copy", src, dst, status);
  return counts.told ? (int64_t)counts.done : -1;
}

void modfs_copy(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                TF_Status *status) {
  if (from == to) modfs_fs_copy_file(from, src, dst, status);
  if (from != to || is_left_to_us(src, dst, status))
    transfer(from, src, to, dst, false, &(listener){.progress = NULL}, status);
}

/* Reports a copy at its end only, when it cannot be cancelled any more: one that the filesystem
 * made itself, or that was not needed as both were the same file. */
static void tell_whole(const modfs_fs *fs, const char *path, listener *to, TF_Status *status) {
  int64_t size = modfs_fs_get_file_size(fs, path, status);
  status_clear(status);
  tell(to, size > 0 ? (uint64_t)size : 0, true, status);
  status_clear(status);
}

void modfs_copy_with(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                     const modfs_copy_progress *progress, TF_Status *status) {
  listener hears = {.progress = progress};
  bool within = copies_itself(from, to);
  if (within) modfs_fs_copy_file(from, src, dst, status);
  if (!within || is_left_to_us(src, dst, status))
    transfer(from, src, to, dst, false, &hears, status);
  if (status_ok(status) && !hears.told) tell_whole(to, dst, &hears, status);
}

void modfs_rename(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                  TF_Status *status) {
  if (from == to) modfs_fs_rename_file(from, src, dst, status);
  if (from != to || is_left_to_us(src, dst, status))
    transfer(from, src, to, dst, true, &(listener){.progress = NULL}, status);
}
