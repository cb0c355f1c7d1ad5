#include "file.h"

#include "bytes.h"
#include "calls.h"
#include "collect.h"
#include "writable.h"

#include <string.h>

/* modfs.codec: a decoded stream is a File, an encoded one a WritableFile. */

static const char kept_key = 0; /* key of a table: encoded WritableFile -> the one below */

static const char *const open_options[] = {"atomic", "durable", "level", NULL};
static const char *const wrap_options[] = {"level", NULL};

/* Arguments ----------------------------------------------------------------- */

/* The codec of a name, NULL for "auto"; raises for an unknown name. */
static const modfs_codec *check_codec(lua_State *L, int arg) {
  const char *name = check_string(L, arg, NULL);
  const modfs_codec *codec = modfs_codec_find(name);
  if (codec == NULL && strcmp(name, "auto") != 0) arg_error(L, arg, "unknown codec '%s'", name);
  return codec;
}

/* Whether the codec is built in; false after pushing the failure. */
static bool check_available(lua_State *L, const modfs_codec *codec, const char *shown) {
  TF_Status *status = state_status(L);
  if (codec == NULL || modfs_codec_available(codec, status)) return true;
  push_failure_code(L, TF_GetCode(status), "%s %s: %s", function_name(L), shown,
                    TF_Message(status));
  return false;
}

typedef struct codec_level {
  const int *wanted; /* NULL: the default level */
  int value;         /* the requested level, if some codec has it */
  int64_t asked;
} codec_level;

static void read_level(lua_State *L, int arg, const char *const *allowed, codec_level *level) {
  *level = (codec_level){0};
  if (!check_options(L, arg, allowed)) return;
  lua_getfield(L, arg, "level");
  if (!lua_isnil(L, -1)) {
    if (lua_type(L, -1) != LUA_TNUMBER)
      arg_error(L, arg, "option 'level': number expected, got %s", luaL_typename(L, -1));
    if (!compat_tointeger(L, -1, &level->asked))
      arg_error(L, arg, "option 'level': number has no integer representation");
    level->value = (int)level->asked;
    level->wanted = &level->value;
  }
  lua_pop(L, 1);
}

/* Checks the options before a file is opened, let alone truncated; false after pushing the failure.
 */
static bool check_writing(lua_State *L, const modfs_codec *codec, const codec_level *level,
                          bool append, const char *shown) {
  TF_Status *status = state_status(L);
  if (codec == NULL)
    push_failure_code(L, TF_INVALID_ARGUMENT,
                      "%s %s: codec \"auto\" is only for reading; name the codec", function_name(L),
                      shown);
  else if (append && !modfs_codec_joins(codec))
    push_failure_code(L, TF_UNIMPLEMENTED, "%s %s: a %s stream cannot be appended to",
                      function_name(L), shown, modfs_codec_name(codec));
  else if (level->wanted != NULL && !modfs_codec_has_level(codec, level->asked, status))
    push_failure_code(L, TF_GetCode(status), "%s %s: %s", function_name(L), shown,
                      TF_Message(status));
  else
    return true;
  return false;
}

/* Opening ------------------------------------------------------------------- */

/* Turns the File at the top of the stack into one of its decoded content. */
static int decode_opened(lua_State *L, const modfs_codec *codec) {
  file_object *self = lua_touserdata(L, -1);
  TF_Status *status = state_status(L);
  modfs_file *below = self->object.handle;
  modfs_file *file = modfs_codec_file(codec, below, 0, status);
  if (file == NULL) {
    file_end(self);
    return push_failure(L, status);
  }
  self->object.handle = file;
  modfs_file_close(below);
  return 1;
}

static int encode_opened(lua_State *L, const modfs_codec *codec, const codec_level *level) {
  modfs_object *self = lua_touserdata(L, -1);
  TF_Status *status = state_status(L);
  modfs_writable *below = self->handle;
  modfs_writable *file = modfs_codec_writable(codec, level->wanted, below, true, status);
  if (file != NULL) {
    self->handle = file;
    return 1;
  }
  self->handle = NULL;
  TF_Status *ending = state_gc_status(L);
  modfs_writable_abort(below, ending);
  return push_failure(L, status);
}

/* The codec of content that is read can be detected; for writing it must be named. */
static void default_to_auto(lua_State *L) {
  const char *mode = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "r";
  if (!lua_isnil(L, 3) || *mode != 'r') return;
  lua_pushliteral(L, "auto");
  lua_replace(L, 3);
}

/* For a job: settings: the codec, or NULL; n: the level, if answer says that there is one. */
static void reader_run(operation *self, TF_Status *status) {
  modfs_file *below = modfs_file_open(self->fs, self->path, status);
  if (!below) return;
  self->made = modfs_codec_file(self->settings, below, 0, status);
  modfs_file_close(below);
}

static void writer_run(operation *self, TF_Status *status) {
  int level = (int)self->n;
  modfs_writable *below =
      modfs_writable_open(self->fs, self->path, (modfs_write_mode)self->mode, status);
  if (!below) return;
  self->made =
      modfs_codec_writable(self->settings, self->answer ? &level : NULL, below, true, status);
  if (!self->made) writable_finish(below, status);
}

static int start_opening(lua_State *L, const modfs_codec *codec, const codec_level *level,
                         bool writing) {
  static const operation_kind read = {reader_run, file_push, operation_end_made, true};
  static const operation_kind write = {writer_run, writable_push, operation_end_made, true};
  operation self = {.kind = writing ? &write : &read,
                    .class = writing ? &modfs_writable_class : &modfs_file_class,
                    .settings = codec,
                    .answer = level->wanted != NULL,
                    .n = (uint64_t)level->value};
  if (!check_open_path(L, 4, open_options, &self)) return 3;
  return operation_perform(L, &self);
}

static int codec_open(lua_State *L) {
  lua_settop(L, 4);
  default_to_auto(L);
  const modfs_codec *codec = check_codec(L, 3);
  codec_level level;
  read_level(L, 4, open_options, &level);
  const char *path = check_path(L, 1, NULL);
  if (path == NULL) return 3;
  const char *mode = lua_isnoneornil(L, 2) ? "r" : check_string(L, 2, NULL);
  if (!check_available(L, codec, path)) return 3;
  bool writing = *mode == 'w' || *mode == 'a';
  if (writing && !check_writing(L, codec, &level, *mode == 'a', path)) return 3;
  if (!writing && level.wanted != NULL)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "open %s: option 'level' is only for writing",
                             path);
  if (operation_is_deferred(L)) return start_opening(L, codec, &level, writing);
  int results = open_path(L, 4, open_options);
  if (results != 1) return results;
  return writing ? encode_opened(L, codec, &level) : decode_opened(L, codec);
}

/* Wrapping ------------------------------------------------------------------ */

static int push_file(lua_State *L, file_object *self, modfs_file *file) {
  if (file == NULL) return push_failure(L, state_status(L));
  self->object.handle = file;
  return 1;
}

static void wrap_run(operation *self, TF_Status *status) {
  self->made = modfs_codec_file(self->settings, self->handle, self->offset, status);
}

static int wrap_file(lua_State *L, const modfs_codec *codec) {
  static const operation_kind kind = {wrap_run, file_push, operation_end_made, true};
  file_object *below = check_object(L, 1, &modfs_file_class);
  return operation_perform(
      L, &(operation){.kind = &kind,
                      .object = &below->object,
                      .handle = below->object.handle,
                      .settings = codec,
                      .offset = below->input != NULL ? modfs_input_tell(below->input) : 0,
                      .class = &modfs_file_class});
}

static int wrap_bytes(lua_State *L, const modfs_codec *codec, const modfs_class *class) {
  check_object(L, 1, class);
  file_object *self = object_new(L, &modfs_file_class);
  const bytes_view *view = check_object(L, 1, class);
  modfs_file *file = modfs_codec_bytes(codec, view->object.handle, view->data, view->length,
                                       class->noun, state_status(L));
  return push_file(L, self, file);
}

static int wrap_writable(lua_State *L, const modfs_codec *codec, const codec_level *level) {
  const modfs_object *below = check_object(L, 1, &modfs_writable_class);
  if (!check_writing(L, codec, level, false, modfs_writable_name(below->handle))) return 3;
  void *self = object_new(L, &modfs_writable_class);
  keep_by_object(L, &kept_key, 1); /* it must not be collected before */
  below = check_object(L, 1, &modfs_writable_class);
  TF_Status *status = state_status(L);
  modfs_writable *file = modfs_codec_writable(codec, level->wanted, below->handle, false, status);
  if (file == NULL) return push_failure(L, status);
  writable_attach(self, file);
  ((writable_object *)self)->shared = true;
  ((writable_object *)lua_touserdata(L, 1))->shared = true;
  return 1;
}

static int codec_wrap(lua_State *L) {
  lua_settop(L, 3);
  const modfs_codec *codec = check_codec(L, 2);
  codec_level level;
  read_level(L, 3, wrap_options, &level);
  if (!check_available(L, codec, "a stream")) return 3;
  if (object_test(L, 1, &modfs_writable_class) != NULL) return wrap_writable(L, codec, &level);
  if (level.wanted != NULL)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "wrap: option 'level' is only for writing");
  if (object_test(L, 1, &modfs_file_class) != NULL) return wrap_file(L, codec);
  if (object_test(L, 1, &modfs_region_class) != NULL)
    return wrap_bytes(L, codec, &modfs_region_class);
  if (object_test(L, 1, &modfs_buffer_class) != NULL)
    return wrap_bytes(L, codec, &modfs_buffer_class);
  return type_error(L, 1, "File, WritableFile, Region or Buffer");
}

/* Which there are ----------------------------------------------------------- */

static int codec_available(lua_State *L) {
  const modfs_codec *codec = check_codec(L, 1);
  TF_Status *status = state_status(L);
  if (codec == NULL || modfs_codec_available(codec, status)) {
    lua_pushboolean(L, 1);
    return 1;
  }
  return push_failure_code(L, TF_GetCode(status), "available: %s", TF_Message(status));
}

void modfs_lua_open_codec(lua_State *L) {
  lua_newtable(L);
  set_functions(
      L, FUNCTIONS({"open", codec_open}, {"wrap", codec_wrap}, {"available", codec_available}));
  lua_setfield(L, -2, "codec");
}
