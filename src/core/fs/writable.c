/* Files for writing.
 *
 * A writable is usable, failed or ended. The first write that the plugin refuses makes it failed:
 * as nobody knows how much of that write arrived, later ones repeat the failure and write nothing.
 * Ending it, by close, abort or forget, is the only call that is left then, and always succeeds in
 * freeing it. The struct, with its name, lives until its last reference.
 *
 * Small pieces are gathered in the buffer, at most 64 KiB. They reach the plugin, in order, before
 * a piece that does not fit, a flush, a sync and the close; the buffer counts as empty even if that
 * fails. cleanup is called once for each opened handle, with close before it, except where the old
 * content has to stay (keeps_old: after an abort or a failure). Aborting any other file closes it.
 * Forgetting aborts an atomic file and closes any other.
 *
 * There is no lock: a writable is for one thread at a time. The count of references is atomic.
 *
 * A forked child has a copy of the buffer, whose bytes are the parent's to write: there, writing
 * fails, and ending calls nothing of the plugin and drops the buffer. The plugin's handle leaks. */
#include "writable.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "core/base/interruption.h"
#include "core/base/status.h"

enum { GATHER = 64 * 1024, PIECE = 4 * 1024 * 1024 };

struct modfs_writable {
  TF_WritableFile handle;
  atomic_size_t references;
  const modfs_fs *fs;
  unsigned epoch;
  TF_Code failure; /* code of the first failed write; TF_OK: none */
  char *reason;    /* its message; NULL when memory was short */
  char *buffer;
  size_t gathered; /* bytes in the buffer */
  bool direct;     /* nothing is gathered */
  bool keeps_old;  /* abort does not close, so that the old content stays */
  bool atomic;     /* forget aborts instead of closing */
  bool ended;
  char name[];
};

/* Opening and freeing -------------------------------------------------------- */

modfs_writable *writable_hold(modfs_writable *writable) {
  atomic_fetch_add_explicit(&writable->references, 1, memory_order_relaxed);
  return writable;
}

void writable_drop(modfs_writable *writable) {
  size_t before = atomic_fetch_sub_explicit(&writable->references, 1, memory_order_acq_rel);
  if (before > 1) return;
  free(writable->reason);
  free(writable->buffer);
  free(writable);
}

static modfs_writable *new_writable(const modfs_fs *fs, const char *shown, TF_Status *status) {
  size_t size = strlen(shown) + 1;
  modfs_writable *writable = calloc(1, sizeof *writable + size);
  if (!writable) {
    status_no_memory(status);
    return NULL;
  }
  atomic_init(&writable->references, 1);
  writable->fs = fs;
  writable->epoch = registry_epoch();
  memcpy(writable->name, shown, size);
  return writable;
}

modfs_writable *writable_open_handle(const modfs_fs *fs, void *plugin_file, const char *shown,
                                     const modfs_writable *as, TF_Status *status) {
  modfs_writable *writable = new_writable(fs, shown, status);
  if (!writable) return NULL;
  writable->handle.plugin_file = plugin_file;
  writable->keeps_old = as && writable_keeps_old(as);
  writable->atomic = as && as->atomic;
  return writable;
}

void writable_set_direct(modfs_writable *writable) {
  writable->direct = true;
}

const modfs_fs *writable_fs(const modfs_writable *writable) {
  return writable->fs;
}

void *writable_plugin_file(const modfs_writable *writable) {
  return writable->handle.plugin_file;
}

bool writable_keeps_old(const modfs_writable *writable) {
  return writable->keeps_old;
}

typedef struct opening {
  const modfs_directory *directory; /* NULL: name is a translated path */
  const char *name;
  const char *shown;
  modfs_write_mode mode;
  uint32_t flags; /* none: opened by TensorFlow's slot, not by the extension's */
} opening;

/* The one place that opens files for writing. */
static modfs_writable *open_by(const modfs_fs *fs, const opening *by, TF_Status *status) {
  modfs_writable *writable = new_writable(fs, by->shown, status);
  if (!writable) return NULL;
  TF_WritableFile *file = &writable->handle;
  writable->atomic = by->mode == MODFS_WRITE_ATOMIC || by->mode == MODFS_WRITE_ATOMIC_FAST;
  writable->keeps_old = (by->flags & MODFS_OPEN_ATOMIC) != 0;
  writable->direct = by->directory != NULL;
  if (by->mode == MODFS_WRITE_APPEND)
    fs->tables.fs.new_appendable_file(&fs->handle, by->name, file, status);
  else if (by->flags == 0)
    fs->tables.fs.new_writable_file(&fs->handle, by->name, file, status);
  else
    fs->extension.open_writer(&fs->handle, by->directory, by->name, by->flags, file, status);
  if (status_ok(status)) return writable;
  writable_drop(writable);
  return NULL;
}

modfs_writable *writable_open_name(const modfs_fs *fs, const char *name, const char *shown,
                                   modfs_write_mode mode, TF_Status *status) {
  const uint32_t flags[] = {
      [MODFS_WRITE_REPLACE] = fs->anew,
      [MODFS_WRITE_APPEND] = 0,
      [MODFS_WRITE_ATOMIC] = MODFS_OPEN_ATOMIC | MODFS_OPEN_DURABLE,
      [MODFS_WRITE_ATOMIC_FAST] = MODFS_OPEN_ATOMIC,
  };
  const opening by = {.name = name, .shown = shown, .mode = mode, .flags = flags[mode]};
  return open_by(fs, &by, status);
}

modfs_writable *writable_open_fresh(const modfs_fs *fs, const char *name, const char *shown,
                                    TF_Status *status) {
  const opening by = {.name = name, .shown = shown, .flags = fs->anew | MODFS_OPEN_NEW};
  return open_by(fs, &by, status);
}

modfs_writable *writable_open_entry(const modfs_fs *fs, const modfs_directory *directory,
                                    const char *name, uint32_t flags, TF_Status *status) {
  const opening by = {.directory = directory, .name = name, .shown = name, .flags = flags};
  return open_by(fs, &by, status);
}

modfs_writable *modfs_writable_open(const modfs_fs *fs, const char *path, modfs_write_mode mode,
                                    TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  modfs_writable *writable = name ? writable_open_name(fs, name, path, mode, status) : NULL;
  fs_leave(fs, name, "open", path, status);
  return writable;
}

const char *modfs_writable_name(const modfs_writable *writable) {
  return writable->name;
}

size_t modfs_writable_pending(const modfs_writable *writable) {
  return writable->gathered;
}

/* Writing -------------------------------------------------------------------- */

bool writable_is_inherited(const modfs_writable *writable) {
  return writable->epoch != registry_epoch();
}

static bool is_inherited(const modfs_writable *writable, TF_Status *status) {
  if (!writable_is_inherited(writable)) return false;
  TF_SetStatus(status, TF_FAILED_PRECONDITION,
               "opened before a fork by the parent process; open it again in this process");
  return true;
}

/* Begins a call. False, with the reason, when nothing more can be written. */
static bool is_usable(const modfs_writable *writable, TF_Status *status) {
  if (writable->ended)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the file was closed before the stream or record writer that uses it");
  else if (writable->failure != TF_OK)
    TF_SetStatus(status, writable->failure,
                 writable->reason ? writable->reason : "an earlier write failed");
  else
    status_clear(status);
  return status_ok(status) && !is_inherited(writable, status);
}

/* A large write may end between two pieces. A small one is never interrupted here, as that would
 * make the file unusable. */
static void pass_on(modfs_writable *writable, const char *data, size_t n, TF_Status *status) {
  size_t done = 0, piece;
  do {
    bool cuts = n - done > PIECE && interruption_is_possible();
    piece = cuts ? PIECE : n - done;
    if (done > 0 && interruption_ends(status)) break;
    writable->fs->tables.writable.append(&writable->handle, data + done, piece, status);
    done += piece;
  } while (status_ok(status) && done < n);
  if (status_ok(status)) return;
  writable->failure = TF_GetCode(status);
  writable->reason = strdup(TF_Message(status));
}

/* Passes the buffer to the plugin. It is empty afterwards in any case: after a failure nobody knows
 * how much of it arrived. */
static void drain(modfs_writable *writable, TF_Status *status) {
  size_t n = writable->gathered;
  writable->gathered = 0;
  if (n > 0) pass_on(writable, writable->buffer, n, status);
}

static bool can_gather(modfs_writable *writable, size_t n) {
  if (n >= GATHER || writable->direct) return false;
  if (!writable->buffer) writable->buffer = malloc(GATHER);
  return writable->buffer != NULL;
}

static void gather(modfs_writable *writable, const char *data, size_t n) {
  memcpy(writable->buffer + writable->gathered, data, n);
  writable->gathered += n;
}

void writable_quiet_append(modfs_writable *writable, const char *data, size_t n,
                           TF_Status *status) {
  if (!is_usable(writable, status)) return;
  if (n > GATHER - writable->gathered || n >= GATHER) drain(writable, status);
  if (!status_ok(status) || n == 0) return;
  if (can_gather(writable, n))
    gather(writable, data, n);
  else
    pass_on(writable, data, n, status);
}

/* Whether n bytes can be copied into the buffer without further checks, as most pieces can. */
static bool is_simple(const modfs_writable *writable, size_t n) {
  return writable->buffer && n <= GATHER - writable->gathered && writable->failure == TF_OK &&
         writable->epoch == registry_epoch();
}

char *writable_room(modfs_writable *writable, size_t n) {
  if (!is_simple(writable, n)) return NULL;
  char *room = writable->buffer + writable->gathered;
  writable->gathered += n;
  return room;
}

void modfs_writable_append(modfs_writable *writable, const char *data, size_t n,
                           TF_Status *status) {
  if (is_simple(writable, n)) {
    status_clear(status);
    if (n > 0) gather(writable, data, n);
    return;
  }
  writable_quiet_append(writable, data, n, status);
  status_locate(status, "write", writable->name);
}

int64_t modfs_writable_tell(modfs_writable *writable, TF_Status *status) {
  int64_t position = -1;
  if (is_usable(writable, status))
    position = writable->fs->tables.writable.tell(&writable->handle, status);
  if (status_ok(status) && position < 0)
    fs_breach(writable->fs, status, "tell returned %lld with OK", (long long)position);
  status_locate(status, "tell", writable->name);
  return status_ok(status) ? position + (int64_t)writable->gathered : -1;
}

void writable_set_attributes(const modfs_writable *writable, const fs_wanted *wanted,
                             TF_Status *status) {
  const modfs_fs *fs = writable->fs;
  modfs_attributes attributes = wanted->attributes;
  attributes.struct_size = sizeof attributes;
  if (is_usable(writable, status))
    fs->extension.set_writer_attributes(&fs->handle, &writable->handle, &attributes, wanted->which,
                                        status);
}

typedef void (*writable_call)(const TF_WritableFile *file, TF_Status *status);

static void drain_and_call(modfs_writable *writable, writable_call call, TF_Status *status) {
  if (is_usable(writable, status)) drain(writable, status);
  if (status_ok(status)) call(&writable->handle, status);
}

void writable_quiet_flush(modfs_writable *writable, TF_Status *status) {
  drain_and_call(writable, writable->fs->tables.writable.flush, status);
}

void modfs_writable_flush(modfs_writable *writable, TF_Status *status) {
  writable_quiet_flush(writable, status);
  status_locate(status, "flush", writable->name);
}

void writable_quiet_sync(modfs_writable *writable, TF_Status *status) {
  drain_and_call(writable, writable->fs->tables.writable.sync, status);
}

void modfs_writable_sync(modfs_writable *writable, TF_Status *status) {
  writable_quiet_sync(writable, status);
  status_locate(status, "sync", writable->name);
}

/* Ending --------------------------------------------------------------------- */

/* Closes the plugin's file and keeps the failure that came first. A file that would replace another
 * is not closed after a failure. */
static void close_handle(modfs_writable *writable, bool wanted, TF_Status *status) {
  if (writable->keeps_old && (!wanted || !status_ok(status))) return;
  TF_Status *closing = status_ok(status) ? status : TF_NewStatus();
  if (closing) writable->fs->tables.writable.close(&writable->handle, closing);
  if (closing != status) TF_DeleteStatus(closing);
}

static void end(modfs_writable *writable, bool wanted, TF_Status *status) {
  status_clear(status);
  if (!is_inherited(writable, status)) {
    if (wanted && is_usable(writable, status)) drain(writable, status);
    close_handle(writable, wanted, status);
    writable->fs->tables.writable.cleanup(&writable->handle);
  }
  free(writable->buffer);
  writable->buffer = NULL;
  writable->ended = true;
}

void writable_quiet_end(modfs_writable *writable, bool wanted, TF_Status *status) {
  end(writable, wanted || !writable_keeps_old(writable), status);
  writable_drop(writable);
}

static void end_located(modfs_writable *writable, bool wanted, const char *operation,
                        TF_Status *status) {
  end(writable, wanted, status);
  status_locate(status, operation, writable->name);
  writable_drop(writable);
}

void modfs_writable_close(modfs_writable *writable, TF_Status *status) {
  end_located(writable, true, "close", status);
}

void modfs_writable_abort(modfs_writable *writable, TF_Status *status) {
  bool keeps_old = writable_keeps_old(writable);
  end_located(writable, !keeps_old, keeps_old ? "abort" : "close", status);
}

void modfs_writable_discard(modfs_writable *writable, TF_Status *status) {
  if (writable->atomic)
    modfs_writable_abort(writable, status);
  else
    modfs_writable_close(writable, status);
}
