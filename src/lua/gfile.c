#include "calls.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <modfs/extension.h>

#include "collect.h"
#include "writable.h"
#include "core/fs/inlined.h"

/* Content ------------------------------------------------------------------- */

enum { READ_FIRST = 64 * 1024, ROOM = 8 * 1024, LEAST_ROOM = 4 * 1024 + 64 };

static bool mode_is_known(const char *mode, size_t length) {
  const char *at = mode;
  if (*at != 'r' && *at != 'w' && *at != 'a') return false;
  at++;
  at += *at == '+';
  at += *at == 'b';
  return at == mode + length;
}

static const char *const open_options[] = {"atomic", "durable", NULL};
static const char *const write_options[] = {"append", "atomic", "durable", NULL};

/* The write mode that results from mode and options; false after pushing the failure. */
static bool write_mode(lua_State *L, int arg, bool append, modfs_write_mode *mode) {
  bool atomic = option_boolean(L, arg, "atomic", false);
  bool durable = option_boolean(L, arg, "durable", atomic);
  *mode = append ? MODFS_WRITE_APPEND : MODFS_WRITE_REPLACE;
  if (atomic) *mode = durable ? MODFS_WRITE_ATOMIC : MODFS_WRITE_ATOMIC_FAST;
  const char *wrong = NULL;
  if (atomic && append) wrong = "atomic = true cannot be combined with append mode";
  if (durable && !atomic) wrong = "option 'durable' requires atomic = true";
  if (wrong) push_failure_code(L, TF_INVALID_ARGUMENT, "open %s: %s", lua_tostring(L, 1), wrong);
  return !wrong;
}

bool check_open_path(lua_State *L, int options, const char *const *allowed, operation *call) {
  size_t length = 1;
  const char *mode = lua_isnoneornil(L, 2) ? "r" : check_string(L, 2, &length);
  if (!mode_is_known(mode, length)) arg_error(L, 2, "invalid mode");
  bool has_options = check_options(L, options, allowed);
  const char *path = check_path(L, 1, NULL);
  if (!path) return false;
  modfs_write_mode writing = MODFS_WRITE_REPLACE;
  if (mode[1] == '+') {
    push_failure_code(L, TF_UNIMPLEMENTED,
                      "open %s: a file cannot be open for both reading and writing; use "
                      "\"r\", \"w\" or \"a\"",
                      path);
    return false;
  }
  bool plain = *mode == 'r' && !has_options;
  if (!plain && !write_mode(L, options, *mode == 'a', &writing)) return false;
  if (*mode == 'r' && writing >= MODFS_WRITE_ATOMIC) {
    push_failure_code(L, TF_INVALID_ARGUMENT, "open %s: option 'atomic' is only for writing", path);
    return false;
  }
  call->path = path;
  call->mode = *mode == 'r' ? OPEN_READ : (int)writing;
  call->fs = find_fs(L, path);
  return call->fs != NULL;
}

int open_path(lua_State *L, int options, const char *const *allowed) {
  operation call;
  if (!check_open_path(L, options, allowed, &call)) return 3;
  if (call.mode == OPEN_READ) return modfs_lua_file_new(L, call.fs, call.path);
  return modfs_lua_writable_new(L, call.fs, call.path, (modfs_write_mode)call.mode);
}

static int gfile_open(lua_State *L) {
  return open_path(L, 3, open_options);
}

static void file_end(void *block) {
  modfs_file_close(*(modfs_file **)block);
}

/* The bytes of a file in the scratch buffer, whose value is at the top of the stack. */
typedef struct content {
  char *data;
  size_t used, size;
} content;

/* Reads until a short read, as the reported size may be wrong. False: the reason is in the status, or
 * data is NULL as memory is short. */
FS_INLINE bool content_read(lua_State *L, const modfs_file *file, content *bytes,
                            TF_Status *status) {
  for (bytes->used = 0;; bytes->data = scratch_double(L, &bytes->size)) {
    if (!bytes->data) return false;
    int64_t n = modfs_file_read_here(file, bytes->used, bytes->size - bytes->used,
                                     bytes->data + bytes->used, status);
    if (n < 0) return false;
    bytes->used += (size_t)n;
    if (bytes->used < bytes->size) return true;
  }
}

/* Pushes the content. False: the reason is in the status. Begins anew if the file was replaced meanwhile.
 * Where the scratch buffer is memory of C, nothing can raise while the file is open: then it needs no
 * guard, which costs a finalizer. */
static bool try_path(lua_State *L, const modfs_fs *fs, const char *path, TF_Status *status) {
  modfs_file *unguarded = NULL, **file = &unguarded;
  if (!COMPAT_COPIES_FIRST) file = guard_new(L, sizeof *file, file_end);
  content bytes = {scratch_take(L, READ_FIRST), 0, READ_FIRST};
  bool done = false, anew = true;
  for (int left = MODFS_READS_ANEW; !done && anew; left--) {
    *file = modfs_file_open_here(fs, path, status);
    done = *file && content_read(L, *file, &bytes, status);
    modfs_file_close_here(*file);
    *file = NULL;
    anew = bytes.data && TF_GetCode(status) == TF_ABORTED && left > 0;
  }
  if (done) lua_pushlstring(L, bytes.data, bytes.used);
  scratch_trim(L);
  if (!bytes.data) raise_no_memory(L);
  return done;
}

int read_path(lua_State *L, const modfs_fs *fs, const char *path) {
  TF_Status *status = state_status(L);
  bool done = try_path(L, fs, path, status);
  if (!done && collect_for_retry(L, status)) done = try_path(L, fs, path, status);
  return done ? 1 : push_failure(L, status);
}

/* The same for a job: into the space that it has, or memory of C when that is full. */
static bool content_grow(operation *self, size_t size, TF_Status *status) {
  bool moves = self->text == self->space;
  char *text = realloc(moves ? NULL : self->text, size);
  if (!text) {
    modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "read %s: out of memory", self->path);
    return false;
  }
  if (moves) memcpy(text, self->text, self->used);
  self->text = text;
  return true;
}

/* Whether the last content did not fit into the least room: nor will the next ones. */
static atomic_bool is_larger;

static void content_fini(operation *self) {
  if (self->text != self->space) free(self->text);
}

static void read_content(operation *self, TF_Status *status) {
  modfs_file *file = modfs_file_open(self->fs, self->path, status);
  bool more = file != NULL;
  self->text = self->space;
  self->used = 0;
  for (size_t size = self->room; more; size = size < READ_FIRST ? READ_FIRST : 2 * size) {
    if (size > self->room && !content_grow(self, size, status)) break;
    size_t n = size - self->used;
    int64_t got = modfs_file_read(file, self->used, n, self->text + self->used, status);
    self->used += got > 0 ? (size_t)got : 0;
    modfs_job_report(self->used, 0, 0, 0);
    more = got == (int64_t)n;
  }
  bool larger = self->used >= LEAST_ROOM;
  if (file && larger != is_larger) is_larger = larger;
  modfs_file_close(file);
}

/* Begins anew if the file was replaced meanwhile. */
static void content_run(operation *self, TF_Status *status) {
  read_content(self, status);
  for (int left = MODFS_READS_ANEW; TF_GetCode(status) == TF_ABORTED && left > 0; left--) {
    content_fini(self);
    read_content(self, status);
  }
}

static int content_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushlstring(L, self->text, self->used);
  return 1;
}

static int gfile_read(lua_State *L) {
  no_options(L, 2);
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  static const operation_kind kind = {content_run, content_push, content_fini, true};
  if (!operation_is_deferred(L)) return read_path(L, fs, path);
  size_t least = is_larger ? ROOM : LEAST_ROOM;
  return job_defer(
      L, &(operation){.kind = &kind, .fs = fs, .path = path, .room = ROOM, .least_room = least});
}

static void write_run(operation *self, TF_Status *status) {
  modfs_writable *file =
      modfs_writable_open(self->fs, self->path, (modfs_write_mode)self->mode, status);
  if (!file) return;
  self->once = self->mode == MODFS_WRITE_APPEND;
  modfs_writable_append(file, self->data, self->length, status);
  writable_finish(file, status);
}

/* Writes the data at 2. */
static int write_data(lua_State *L, const char *path, modfs_write_mode mode) {
  static const operation_kind kind = {write_run, operation_push_done, NULL, false};
  const modfs_fs *fs = find_fs(L, path);
  if (!fs) return 3;
  size_t length;
  const char *data = check_bytes(L, 2, &length);
  return operation_perform(L, &(operation){.kind = &kind,
                                           .fs = fs,
                                           .path = path,
                                           .data = data,
                                           .length = length,
                                           .data_index = 2,
                                           .mode = (int)mode});
}

static int gfile_write(lua_State *L) {
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  size_t length;
  check_bytes(L, 2, &length);
  check_options(L, 3, write_options);
  modfs_write_mode mode;
  if (!write_mode(L, 3, option_boolean(L, 3, "append", false), &mode)) return 3;
  return write_data(L, path, mode);
}

static int gfile_append(lua_State *L) {
  no_options(L, 3);
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  size_t length;
  check_bytes(L, 2, &length);
  return write_data(L, path, MODFS_WRITE_APPEND);
}

PATH_FUNCTION(gfile_map, modfs_lua_region_new(L, fs, path, true))

/* Questions ----------------------------------------------------------------- */

static void exists_run(operation *self, TF_Status *status) {
  modfs_fs_path_exists(self->fs, self->path, status);
}

static int push_exists(lua_State *L, TF_Code code, const TF_Status *status) {
  if (code != TF_OK && code != TF_NOT_FOUND) return push_failure(L, status);
  lua_pushboolean(L, code == TF_OK);
  return 1;
}

static int exists_push(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  return push_exists(L, TF_GetCode(status), status);
}

static int gfile_exists(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {exists_run, exists_push, NULL, true};
  if (lua_istable(L, 1)) return call_exist(L, 1, NULL);
  const modfs_state *state = state_here(L);
  if (state_is_deferred(L, state)) return operation_perform_path(L, &kind);
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  return push_exists(L, modfs_fs_path_exists_here(fs, path, state->status), state->status);
}

/* The answer to a question about a kind: false, too, for a missing path and below a file. */
static int push_answer(lua_State *L, bool answer, TF_Code code, const TF_Status *status) {
  if (code != TF_OK && code != TF_NOT_FOUND && code != TF_FAILED_PRECONDITION)
    return push_failure(L, status);
  lua_pushboolean(L, code == TF_OK && answer);
  return 1;
}

static int answer_push(lua_State *L, operation *self, const TF_Status *status) {
  return push_answer(L, self->answer, TF_GetCode(status), status);
}

static void isdir_run(operation *self, TF_Status *status) {
  self->answer = modfs_fs_is_directory(self->fs, self->path, status);
}

static void isfile_run(operation *self, TF_Status *status) {
  modfs_attributes *found = &self->attributes;
  found->struct_size = sizeof *found;
  modfs_fs_get_attributes(self->fs, self->path, found, status);
  self->answer = found->kind == MODFS_KIND_FILE;
  if (TF_GetCode(status) != TF_UNIMPLEMENTED) return;
  modfs_fs_path_exists(self->fs, self->path, status); /* what is no directory is a file */
  self->answer =
      TF_GetCode(status) == TF_OK && !modfs_fs_is_directory(self->fs, self->path, status);
}

static int gfile_isdir(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {isdir_run, answer_push, NULL, true};
  const modfs_state *state = state_here(L);
  if (state_is_deferred(L, state)) return operation_perform_path(L, &kind);
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  bool answer;
  TF_Code code = modfs_fs_is_directory_here(fs, path, &answer, state->status);
  return push_answer(L, answer, code, state->status);
}

static int gfile_isfile(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {isfile_run, answer_push, NULL, true};
  return operation_perform_path(L, &kind);
}

PATH_FUNCTION(gfile_size, call_file_size(L, fs, path))

void modfs_lua_open_gfile(lua_State *L) {
  set_functions(L,
                FUNCTIONS({"open", gfile_open}, {"read", gfile_read}, {"write", gfile_write},
                          {"append", gfile_append}, {"map", gfile_map}, {"exists", gfile_exists},
                          {"isdir", gfile_isdir}, {"isfile", gfile_isfile}, {"size", gfile_size}));
}
