#include "binding.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/interruption.h"

typedef struct triple_text {
  size_t used;
  char text[4160];
} triple_text;

/* Adds what there is room for, and writes control characters as "?". */
static void append(triple_text *to, const char *from) {
  size_t most = sizeof to->text - to->used;
  char *at = to->text + to->used;
  size_t n = 0;
  for (; n < most && from[n]; n++)
    at[n] = (unsigned char)from[n] < ' ' || from[n] == '\x7f' ? '?' : from[n];
  to->used += n;
}

/* The message is copied to the C stack first, as pushing may run finalizers that use the status. */
static int push_triple(lua_State *L, TF_Code code, const char *name, const char *text) {
  triple_text made;
  made.used = 0;
  append(&made, modfs_code_name(code));
  append(&made, ": ");
  append(&made, name);
  append(&made, text);
  lua_pushnil(L);
  lua_pushlstring(L, made.text, made.used);
  lua_pushstring(L, modfs_code_name(code));
  return 3;
}

typedef const char *slot_name(size_t index);

static bool is_slot(slot_name *name_of, const char *word, size_t length) {
  const char *slot;
  for (size_t i = 0; (slot = name_of(i)); i++)
    if (*slot == *word && strncmp(slot, word, length) == 0 && slot[length] == '\0') return true;
  return false;
}

/* The end of the operation's name that a message begins with, if it is a slot of a contract, or a
 * listing, which consists of several. */
static size_t slot_length(const char *message) {
  size_t length = strcspn(message, " ");
  bool is_list = length == 4 && strncmp(message, "list", length) == 0;
  bool is_known = is_list || is_slot(modfs_fs_operation_name, message, length) ||
                  is_slot(modfs_fs_extension_name, message, length);
  return is_known ? length : 0;
}

/* What was read so far is freed; a failure that the user wanted is no result. */
static void raise_if_interrupted(lua_State *L, const TF_Status *status) {
  if (TF_GetCode(status) != TF_CANCELLED || !interruption_is_wanted()) return;
  scratch_trim(L);
  raise_interruption(L);
}

/* Replaces the slot that the core names by the function that the script called. */
int push_failure_as(lua_State *L, const char *name, const TF_Status *status) {
  raise_if_interrupted(L, status);
  const char *text = TF_Message(status);
  size_t length = slot_length(text);
  return push_triple(L, TF_GetCode(status), length > 0 ? name : "", text + length);
}

int push_failure(lua_State *L, const TF_Status *status) {
  return push_failure_as(L, function_name(L), status);
}

int push_failure_code(lua_State *L, TF_Code code, const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return push_triple(L, code, "", text);
}

int push_done(lua_State *L, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushboolean(L, 1);
  return 1;
}

void push_integer(lua_State *L, int64_t value) {
  if (!compat_integer_fits(value))
    luaL_error(L, "integer beyond 2^53 cannot be represented exactly by this Lua");
  compat_pushinteger(L, value);
}

void push_count(lua_State *L, uint64_t value) {
  if (value > INT64_MAX) luaL_error(L, "count beyond 2^63 cannot be represented exactly");
  push_integer(L, (int64_t)value);
}

void push_sum(lua_State *L, uint64_t value) {
  if (value <= INT64_MAX && compat_integer_fits((int64_t)value))
    push_integer(L, (int64_t)value);
  else
    lua_pushnumber(L, (lua_Number)HUGE_VAL);
}

/* Sorted names are not in the order of memory: a few of them are fetched ahead. lua_pushstring would
 * compare each with strings that were at its address before. */
void push_names(lua_State *L, const modfs_string_list *names) {
  enum { AHEAD = 8 };
  lua_createtable(L, names->count < INT_MAX ? (int)names->count : INT_MAX, 0);
  for (size_t i = 0; i < names->count; i++) {
    if (i + AHEAD < names->count) __builtin_prefetch(names->items[i + AHEAD]);
    lua_pushlstring(L, names->items[i], strlen(names->items[i]));
    lua_rawseti(L, -2, (int)(i + 1));
  }
}

int push_length(lua_State *L, const char *path, int64_t length) {
  if (!compat_integer_fits(length))
    return push_failure_code(L, TF_OUT_OF_RANGE,
                             "%s %s: %lld bytes cannot be represented exactly by this Lua",
                             function_name(L), path, (long long)length);
  push_integer(L, length);
  return 1;
}

int push_stat(lua_State *L, const char *path, const TF_FileStatistics *stats) {
  if (!compat_integer_fits(stats->length)) return push_length(L, path, stats->length);
  lua_createtable(L, 0, 4);
  compat_pushinteger(L, stats->length);
  lua_setfield(L, -2, "length");
  compat_pushinteger(L, stats->mtime_nsec);
  lua_setfield(L, -2, "mtime_nsec");
  lua_pushnumber(L, (lua_Number)stats->mtime_nsec / 1e9);
  lua_setfield(L, -2, "mtime");
  lua_pushboolean(L, stats->is_directory);
  lua_setfield(L, -2, "is_directory");
  return 1;
}
