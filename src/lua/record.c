#include "bytes.h"
#include "collect.h"
#include "file.h"
#include "job.h"
#include "writable.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/record.h"

/* Readers and writers of records, over open files, which lua/modfs/tfrecord.lua opens. */

/* The handle of a RecordReader, whose position jobs move. */
typedef struct reader {
  modfs_records *records;
  uint64_t position;
} reader;

static void reader_release(void *handle) {
  reader *self = handle;
  modfs_records_close(self->records);
  free(self);
}

const modfs_class modfs_record_reader_class = {
    "modfs.RecordReader", "record reader", "record reader", sizeof(modfs_object), reader_release};

const modfs_class modfs_record_writer_class = {"modfs.RecordWriter", "record writer",
                                               "record writer", sizeof(writable_object), NULL};

/* Making -------------------------------------------------------------------- */

/* The reader owns the File's handle from now on. */
static int record_reader(lua_State *L) {
  enum { CHARGE = 320 * 1024 };
  check_object(L, 1, &modfs_file_class);
  modfs_object *self = object_new(L, &modfs_record_reader_class);
  file_object *file = check_object(L, 1, &modfs_file_class);
  TF_Status *status = state_status(L);
  reader *made = calloc(1, sizeof *made);
  if (made == NULL) raise_no_memory(L);
  made->records = modfs_records_open(file->object.handle, status);
  if (made->records == NULL) {
    free(made);
    return push_failure(L, status);
  }
  self->handle = made;
  file->object.handle = NULL;
  file_end(file);
  if (lua_toboolean(L, 2) && !modfs_records_prefetch(made->records, status))
    return push_failure(L, status);
  collect_charge(L, CHARGE);
  return 1;
}

static int record_writer(lua_State *L) {
  check_object(L, 1, &modfs_writable_class);
  writable_object *self = object_new(L, &modfs_record_writer_class);
  writable_object *file = check_object(L, 1, &modfs_writable_class);
  writable_attach(self, writable_release(file));
  self->shared = file->shared;
  return 1;
}

/* Reading ------------------------------------------------------------------- */

static modfs_object *check_reader(lua_State *L) {
  return check_open(L, &modfs_record_reader_class);
}

const char *record_reader_name(const void *handle) {
  const reader *self = handle;
  return modfs_records_name(self->records);
}

/* Pushes the data of a record. Where Lua may run finalizers before it copies, one could read on and
 * move the window: there the data is copied to the scratch buffer first. */
static void push_data(lua_State *L, const modfs_object *self, uint64_t offset,
                      modfs_record *record) {
  if (COMPAT_COPIES_FIRST) {
    lua_pushlstring(L, record->data, record->length);
    return;
  }
  size_t n = record->length;
  char *scratch = scratch_take(L, n);
  const reader *now = handle_of(L, self);
  if (!modfs_records_read(now->records, offset, record, state_status(L)) || record->length != n)
    luaL_error(L, "the record changed while it was read");
  memcpy(scratch, record->data, n);
  lua_pushlstring(L, scratch, n);
  lua_replace(L, -2);
}

/* Pushes the data of the record at an offset, and returns 1; 0 at the end, or 3 after pushing the
 * failure. A call of it would be a tenth of what a small record costs. */
__attribute__((always_inline)) static inline int push_at(lua_State *L, const modfs_object *object,
                                                         uint64_t offset, uint64_t *next) {
  modfs_record record;
  const reader *self = handle_of(L, object);
  if (!record_in_window(self->records, offset, &record)) {
    TF_Status *status = state_status(L);
    if (!modfs_records_read(self->records, offset, &record, status)) {
      if (TF_GetCode(status) == TF_OK) return 0;
      push_failure(L, status);
      return 3;
    }
  }
  *next = record.next;
  push_data(L, object, offset, &record);
  return 1;
}

/* Pushes the next record and its offset, nil at the end, or the failure. */
static int read_next(lua_State *L, const modfs_object *object) {
  uint64_t next, offset = ((const reader *)handle_of(L, object))->position;
  int results = push_at(L, object, offset, &next);
  if (results == 0) {
    lua_pushnil(L);
    return 1;
  }
  if (results != 1) return results;
  ((reader *)handle_of(L, object))->position = next;
  push_count(L, offset);
  return 2;
}

/* Reading for a job, and what is not read often -------------------------------------- */

/* answer: there is a record; text, used: its data; offset: where it is; n: where the next one is. */
static void keep_record(operation *self, uint64_t offset, TF_Status *status) {
  modfs_record record;
  const reader *from = self->handle;
  if (!modfs_records_read(from->records, offset, &record, status)) return;
  self->text = malloc(record.length + 1);
  self->answer = self->text != NULL;
  if (!self->answer) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return;
  }
  memcpy(self->text, record.data, record.length);
  self->used = record.length;
  self->offset = offset;
  self->n = record.next;
}

static int push_record(lua_State *L, operation *self, uint64_t second) {
  lua_pushlstring(L, self->text, self->used);
  push_count(L, second);
  return 2;
}

static int push_beyond(lua_State *L, const char *path) {
  return push_failure_code(L, TF_OUT_OF_RANGE, "%s %s: position at or beyond the end of the file",
                           function_name(L), path);
}

static int push_missing(lua_State *L, const char *path) {
  return push_failure_code(L, TF_OUT_OF_RANGE, "%s %s: index beyond the last record",
                           function_name(L), path);
}

static int reader_perform(lua_State *L, modfs_object *object, operation *call) {
  call->object = object;
  call->handle = object->handle;
  call->turn = OPERATION_ORDERED;
  call->path = record_reader_name(call->handle);
  return operation_perform(L, call);
}

static void next_run(operation *self, TF_Status *status) {
  reader *from = self->handle;
  keep_record(self, from->position, status);
  if (self->answer) from->position = self->n;
}

static int next_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (self->answer) return push_record(L, self, self->offset);
  lua_pushnil(L);
  return 1;
}

static int reader_read(lua_State *L) {
  static const operation_kind kind = {next_run, next_push, operation_end_text, false};
  modfs_object *self = check_reader(L);
  if (!operation_is_deferred(L)) return read_next(L, self);
  return reader_perform(L, self, &(operation){.kind = &kind});
}

/* for record, offset in reader do: raises a failure, as a loop cannot return one. */
static int reader_call(lua_State *L) {
  int results = read_next(L, check_reader(L));
  return results == 3 ? luaL_error(L, "%s", lua_tostring(L, -2)) : results;
}

static void at_run(operation *self, TF_Status *status) {
  keep_record(self, self->offset, status);
}

static int at_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (self->answer) return push_record(L, self, self->n);
  return push_beyond(L, self->path);
}

static int at_now(lua_State *L, const modfs_object *self, uint64_t offset) {
  uint64_t next;
  int results = push_at(L, self, offset, &next);
  if (results == 0) return push_beyond(L, record_reader_name(self->handle));
  if (results != 1) return results;
  push_count(L, next);
  return 2;
}

static int reader_at(lua_State *L) {
  static const operation_kind kind = {at_run, at_push, operation_end_text, true};
  modfs_object *self = check_reader(L);
  uint64_t offset;
  if (!check_offset(L, 2, "offset", &offset)) return 3;
  if (!operation_is_deferred(L)) return at_now(L, self, offset);
  handle_of(L, self);
  return reader_perform(L, self, &(operation){.kind = &kind, .offset = offset});
}

/* n: the index, from 0. */
static void get_run(operation *self, TF_Status *status) {
  uint64_t offset;
  const reader *from = self->handle;
  if (modfs_records_find(from->records, self->n, &offset, status))
    keep_record(self, offset, status);
}

static int get_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (self->answer) return push_record(L, self, self->offset);
  return push_missing(L, self->path);
}

static int get_now(lua_State *L, const modfs_object *self, uint64_t index) {
  uint64_t offset, next;
  TF_Status *status = state_status(L);
  const reader *from = handle_of(L, self);
  if (!modfs_records_find(from->records, index, &offset, status)) {
    if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
    return push_missing(L, record_reader_name(from));
  }
  int results = push_at(L, self, offset, &next);
  if (results == 0) return push_missing(L, record_reader_name(from));
  if (results != 1) return results;
  push_count(L, offset);
  return 2;
}

static int reader_get(lua_State *L) {
  static const operation_kind kind = {get_run, get_push, operation_end_text, true};
  modfs_object *self = check_reader(L);
  int64_t index = check_integer(L, 2);
  if (index < 1)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "get %s: the index must be at least 1",
                             record_reader_name(handle_of(L, self)));
  if (!operation_is_deferred(L)) return get_now(L, self, (uint64_t)index - 1);
  return reader_perform(L, self, &(operation){.kind = &kind, .n = (uint64_t)index - 1});
}

/* Position ------------------------------------------------------------------ */

static int count_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_count(L, self->n);
  return 1;
}

static void skip_run(operation *self, TF_Status *status) {
  reader *from = self->handle;
  self->n = modfs_records_skip(from->records, &from->position, self->n, status);
}

static int reader_skip(lua_State *L) {
  static const operation_kind kind = {skip_run, count_push, NULL, false};
  modfs_object *self = check_reader(L);
  uint64_t n;
  if (!check_offset(L, 2, "count", &n)) return 3;
  return reader_perform(L, self, &(operation){.kind = &kind, .n = n});
}

static void seek_run(operation *self, TF_Status *status) {
  reader *from = self->handle;
  TF_SetStatus(status, TF_OK, "");
  from->position = self->n;
}

static int reader_seek(lua_State *L) {
  static const operation_kind kind = {seek_run, count_push, NULL, false};
  modfs_object *self = check_reader(L);
  uint64_t offset;
  if (!check_offset(L, 2, "offset", &offset)) return 3;
  return reader_perform(L, self, &(operation){.kind = &kind, .n = offset});
}

static void tell_run(operation *self, TF_Status *status) {
  const reader *from = self->handle;
  TF_SetStatus(status, TF_OK, "");
  self->n = from->position;
}

static int reader_tell(lua_State *L) {
  static const operation_kind kind = {tell_run, count_push, NULL, true};
  return reader_perform(L, check_reader(L), &(operation){.kind = &kind});
}

static void count_run(operation *self, TF_Status *status) {
  const reader *from = self->handle;
  self->n = modfs_records_count(from->records, status);
}

static int reader_count(lua_State *L) {
  static const operation_kind kind = {count_run, count_push, NULL, true};
  return reader_perform(L, check_reader(L), &(operation){.kind = &kind});
}

/* Damage -------------------------------------------------------------------- */

static void verify_run(operation *self, TF_Status *status) {
  const reader *from = self->handle;
  modfs_record record;
  for (; modfs_records_read(from->records, self->offset, &record, status);
       self->offset = record.next) {
    self->n++;
    modfs_job_report(self->offset, 0, 0, 0);
  }
}

/* Pushes true and the number of records; or the failure, the offset of the first damaged record,
 * and its number. */
static int verify_push(lua_State *L, operation *self, const TF_Status *status) {
  bool sound = TF_GetCode(status) == TF_OK;
  int results = push_done(L, status);
  if (!sound) push_count(L, self->offset);
  push_count(L, sound ? self->n : self->n + 1);
  return sound ? 2 : results + 2;
}

static int reader_verify(lua_State *L) {
  static const operation_kind kind = {verify_run, verify_push, NULL, true};
  return reader_perform(L, check_reader(L), &(operation){.kind = &kind});
}

static void set_count(lua_State *L, uint64_t value, const char *key) {
  push_count(L, value);
  lua_setfield(L, -2, key);
}

static void push_places(lua_State *L, const modfs_salvage *result) {
  size_t count = result->gaps < MODFS_SALVAGE_GAPS ? (size_t)result->gaps : MODFS_SALVAGE_GAPS;
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_createtable(L, 0, 2);
    set_count(L, result->places[i].offset, "offset");
    set_count(L, result->places[i].length, "length");
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* A job takes the writer's handle meanwhile; settings is its object. */
typedef struct salvaging {
  modfs_writable *to;
  modfs_salvage result;
} salvaging;

static void salvage_run(operation *self, TF_Status *status) {
  const reader *from = self->handle;
  salvaging *made = self->made;
  modfs_records_salvage(from->records, made->to, &made->result, status);
}

static int push_salvaged(lua_State *L, const modfs_salvage *result) {
  lua_createtable(L, 0, 5);
  set_count(L, result->records, "records");
  set_count(L, result->lost_bytes, "lost_bytes");
  set_count(L, result->gaps, "gaps");
  push_places(L, result);
  lua_setfield(L, -2, "places");
  lua_pushboolean(L, result->cut);
  lua_setfield(L, -2, "cut");
  return 1;
}

static int salvage_push(lua_State *L, operation *self, const TF_Status *status) {
  salvaging *made = self->made;
  ((modfs_object *)(uintptr_t)self->settings)->handle = made->to;
  made->to = NULL;
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_salvaged(L, &made->result);
}

static void salvage_fini(operation *self) {
  salvaging *made = self->made;
  if (made && made->to) modfs_writable_class.release(made->to);
  free(made);
}

static int start_salvage(lua_State *L, modfs_object *self, modfs_object *to) {
  static const operation_kind kind = {salvage_run, salvage_push, salvage_fini, false};
  salvaging *made = calloc(1, sizeof *made);
  if (made == NULL) raise_no_memory(L);
  if (to->strand) modfs_strand_wait(to->strand, true);
  made->to = to->handle;
  int results = reader_perform(L, self, &(operation){.kind = &kind, .made = made, .settings = to});
  if (results == 0)
    to->handle = NULL;
  else
    free(made);
  return results;
}

static int reader_salvage(lua_State *L) {
  modfs_object *self = check_reader(L);
  writable_object *to = check_object(L, 2, &modfs_record_writer_class);
  if (operation_is_deferred(L) && !to->shared) return start_salvage(L, self, &to->object);
  TF_Status *status = state_status(L);
  const reader *from = self->handle;
  modfs_salvage result;
  modfs_records_salvage(from->records, to->object.handle, &result, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_salvaged(L, &result);
}

/* The reader itself --------------------------------------------------------- */

static const char *keep_reader_name(lua_State *L, const modfs_object *self) {
  size_t size = strlen(record_reader_name(handle_of(L, self))) + 1;
  char *copy = scratch_take(L, size);
  return memcpy(copy, record_reader_name(handle_of(L, self)), size);
}

static int reader_name(lua_State *L) {
  lua_pushstring(L, keep_reader_name(L, check_reader(L)));
  return 1;
}

static int reader_tostring(lua_State *L) {
  const modfs_object *self = check_self(L, &modfs_record_reader_class);
  if (self->handle == NULL)
    lua_pushliteral(L, "modfs.RecordReader (closed)");
  else
    lua_pushfstring(L, "modfs.RecordReader (%s)", keep_reader_name(L, self));
  return 1;
}

/* Writing ------------------------------------------------------------------- */

static void write_run(operation *self, TF_Status *status) {
  modfs_record_append(self->handle, self->data, self->length, status);
}

static int write_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_job_object(L, self->object);
  return 1;
}

static int writer_write(lua_State *L) {
  static const operation_kind kind = {write_run, write_push, NULL, false};
  writable_object *self = check_open(L, &modfs_record_writer_class);
  TF_Status *status = state_status(L);
  size_t n;
  const char *data = check_bytes(L, 2, &n);
  handle_of(L, self);
  if (operation_is_deferred(L) && !self->shared)
    return writable_perform(
        L, self, &(operation){.kind = &kind, .data = data, .length = n, .data_index = 2});
  modfs_record_append(handle_of(L, self), data, n, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_settop(L, 1);
  return 1;
}

void modfs_lua_open_record(lua_State *L) {
  class_new(L, &modfs_record_reader_class,
            FUNCTIONS({"read", reader_read}, {"at", reader_at}, {"get", reader_get},
                      {"skip", reader_skip}, {"seek", reader_seek}, {"tell", reader_tell},
                      {"count", reader_count}, {"verify", reader_verify},
                      {"salvage", reader_salvage}, {"name", reader_name}, {"close", object_close}),
            FUNCTIONS({"__call", reader_call}, {"__tostring", reader_tostring}));
  class_new(L, &modfs_record_writer_class,
            FUNCTIONS({"write", writer_write}, {"tell", writable_tell}, {"flush", writable_flush},
                      {"sync", writable_sync}, {"name", writable_name}, {"close", writable_close},
                      {"abort", writable_abort}),
            FUNCTIONS({"__gc", writable_collect}, {"__close", writable_leave},
                      {"__tostring", writable_tostring}));
  lua_newtable(L);
  set_functions(L, FUNCTIONS({"reader", record_reader}, {"writer", record_writer}));
  lua_setfield(L, -2, "record");
}
