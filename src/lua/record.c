#include "bytes.h"
#include "collect.h"
#include "file.h"
#include "writable.h"

#include <string.h>

/* Readers and writers of records, over open files, which lua/modfs/tfrecord.lua opens. */

typedef struct reader_object {
  modfs_object object; /* a modfs_records */
  uint64_t position;
} reader_object;

static void reader_release(void *handle) {
  modfs_records_close(handle);
}

const modfs_class modfs_record_reader_class = {
    "modfs.RecordReader", "record reader", "record reader", sizeof(reader_object), reader_release};

const modfs_class modfs_record_writer_class = {"modfs.RecordWriter", "record writer",
                                               "record writer", sizeof(writable_object), NULL};

/* Making -------------------------------------------------------------------- */

/* The reader owns the File's handle from now on. */
static int record_reader(lua_State *L) {
  enum { CHARGE = 320 * 1024 };
  check_object(L, 1, &modfs_file_class);
  reader_object *self = object_new(L, &modfs_record_reader_class);
  file_object *file = check_object(L, 1, &modfs_file_class);
  TF_Status *status = state_status(L);
  modfs_records *records = modfs_records_open(file->object.handle, status);
  if (records == NULL) return push_failure(L, status);
  self->object.handle = records;
  file->object.handle = NULL;
  file_end(file);
  if (lua_toboolean(L, 2) && !modfs_records_prefetch(records, status))
    return push_failure(L, status);
  collect_charge(L, CHARGE);
  return 1;
}

static int record_writer(lua_State *L) {
  check_object(L, 1, &modfs_writable_class);
  writable_object *self = object_new(L, &modfs_record_writer_class);
  writable_object *file = check_object(L, 1, &modfs_writable_class);
  writable_attach(self, writable_release(file));
  return 1;
}

/* Reading ------------------------------------------------------------------- */

static reader_object *check_reader(lua_State *L) {
  return check_open(L, &modfs_record_reader_class);
}

static modfs_records *reader_handle(lua_State *L, const reader_object *self) {
  return handle_of(L, self);
}

/* Pushes the data of a record. Where Lua may run finalizers before it copies, one could read on and
 * move the window: there the data is copied to the scratch buffer first. */
static void push_data(lua_State *L, const reader_object *self, uint64_t offset,
                      modfs_record *record) {
  if (COMPAT_COPIES_FIRST) {
    lua_pushlstring(L, record->data, record->length);
    return;
  }
  size_t n = record->length;
  char *scratch = scratch_take(L, n);
  modfs_records *records = reader_handle(L, self);
  if (!modfs_records_read(records, offset, record, state_status(L)) || record->length != n)
    luaL_error(L, "the record changed while it was read");
  memcpy(scratch, record->data, n);
  lua_pushlstring(L, scratch, n);
  lua_replace(L, -2);
}

/* Pushes the next record and its offset, nil at the end, or the failure. */
static int read_next(lua_State *L, reader_object *self) {
  TF_Status *status = state_status(L);
  modfs_record record;
  uint64_t offset = self->position;
  if (!modfs_records_read(reader_handle(L, self), offset, &record, status)) {
    if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
    lua_pushnil(L);
    return 1;
  }
  uint64_t next = record.next;
  push_data(L, self, offset, &record);
  self->position = next;
  push_count(L, offset);
  return 2;
}

static int reader_read(lua_State *L) {
  return read_next(L, check_reader(L));
}

/* for record, offset in reader do: raises a failure, as a loop cannot return one. */
static int reader_call(lua_State *L) {
  int results = read_next(L, check_reader(L));
  return results == 3 ? luaL_error(L, "%s", lua_tostring(L, -2)) : results;
}

static int push_beyond(lua_State *L, const reader_object *self, const char *what) {
  return push_failure_code(L, TF_OUT_OF_RANGE, "%s %s: %s", function_name(L),
                           modfs_records_name(reader_handle(L, self)), what);
}

/* Pushes the record at an offset, and the second result. */
static int push_at(lua_State *L, const reader_object *self, uint64_t offset, bool shows_next) {
  TF_Status *status = state_status(L);
  modfs_record record;
  if (!modfs_records_read(reader_handle(L, self), offset, &record, status)) {
    if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
    return push_beyond(L, self, "position at or beyond the end of the file");
  }
  uint64_t next = record.next;
  push_data(L, self, offset, &record);
  push_count(L, shows_next ? next : offset);
  return 2;
}

static int reader_at(lua_State *L) {
  const reader_object *self = check_reader(L);
  uint64_t offset;
  if (!check_offset(L, 2, "offset", &offset)) return 3;
  return push_at(L, self, offset, true);
}

static int reader_get(lua_State *L) {
  const reader_object *self = check_reader(L);
  TF_Status *status = state_status(L);
  int64_t index = check_integer(L, 2);
  uint64_t offset;
  if (index < 1)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "get %s: the index must be at least 1",
                             modfs_records_name(reader_handle(L, self)));
  if (modfs_records_find(reader_handle(L, self), (uint64_t)index - 1, &offset, status))
    return push_at(L, self, offset, false);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_beyond(L, self, "index beyond the last record");
}

/* Position ------------------------------------------------------------------ */

static int reader_skip(lua_State *L) {
  reader_object *self = check_reader(L);
  TF_Status *status = state_status(L);
  uint64_t n;
  if (!check_offset(L, 2, "count", &n)) return 3;
  uint64_t skipped = modfs_records_skip(reader_handle(L, self), &self->position, n, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_count(L, skipped);
  return 1;
}

static int reader_seek(lua_State *L) {
  reader_object *self = check_reader(L);
  uint64_t offset;
  if (!check_offset(L, 2, "offset", &offset)) return 3;
  push_count(L, offset);
  self->position = offset;
  return 1;
}

static int reader_tell(lua_State *L) {
  push_count(L, check_reader(L)->position);
  return 1;
}

static int reader_count(lua_State *L) {
  const reader_object *self = check_reader(L);
  TF_Status *status = state_status(L);
  uint64_t count = modfs_records_count(reader_handle(L, self), status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_count(L, count);
  return 1;
}

/* Damage -------------------------------------------------------------------- */

/* Pushes true and the number of records; or the failure, the offset of the first damaged record,
 * and its number. */
static int reader_verify(lua_State *L) {
  const reader_object *self = check_reader(L);
  TF_Status *status = state_status(L);
  modfs_records *records = reader_handle(L, self);
  modfs_record record;
  uint64_t offset = 0, count = 0;
  for (; modfs_records_read(records, offset, &record, status); offset = record.next)
    count++;
  bool sound = TF_GetCode(status) == TF_OK;
  int results = push_done(L, status);
  if (!sound) push_count(L, offset);
  push_count(L, sound ? count : count + 1);
  return sound ? 2 : results + 2;
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

static int reader_salvage(lua_State *L) {
  const reader_object *self = check_reader(L);
  const writable_object *to = check_object(L, 2, &modfs_record_writer_class);
  TF_Status *status = state_status(L);
  modfs_salvage result;
  modfs_records_salvage(reader_handle(L, self), to->object.handle, &result, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_createtable(L, 0, 5);
  set_count(L, result.records, "records");
  set_count(L, result.lost_bytes, "lost_bytes");
  set_count(L, result.gaps, "gaps");
  push_places(L, &result);
  lua_setfield(L, -2, "places");
  lua_pushboolean(L, result.cut);
  lua_setfield(L, -2, "cut");
  return 1;
}

/* The reader itself --------------------------------------------------------- */

static const char *keep_reader_name(lua_State *L, const reader_object *self) {
  size_t size = strlen(modfs_records_name(reader_handle(L, self))) + 1;
  char *copy = scratch_take(L, size);
  return memcpy(copy, modfs_records_name(reader_handle(L, self)), size);
}

static int reader_name(lua_State *L) {
  lua_pushstring(L, keep_reader_name(L, check_reader(L)));
  return 1;
}

static int reader_tostring(lua_State *L) {
  const reader_object *self = check_self(L, &modfs_record_reader_class);
  if (self->object.handle == NULL)
    lua_pushliteral(L, "modfs.RecordReader (closed)");
  else
    lua_pushfstring(L, "modfs.RecordReader (%s)", keep_reader_name(L, self));
  return 1;
}

/* Writing ------------------------------------------------------------------- */

static int writer_write(lua_State *L) {
  const writable_object *self = check_open(L, &modfs_record_writer_class);
  TF_Status *status = state_status(L);
  size_t n;
  const char *data = check_bytes(L, 2, &n);
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
