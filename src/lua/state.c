/* The block of a Lua state, and what it owns.
 *
 * The block is missing, open, or closing. state_open makes it, a userdata in the registry; its
 * finalizer, when lua_close runs it, frees all that it owns and leaves it zeroed. Objects finalized
 * after it still reach it as their functions' first upvalue: then status is NULL, state_here
 * raises, and state_gc_status returns NULL, so finalizers free without a status.
 *
 * There is no lock, as a Lua state is for one thread at a time, and nothing of the binding is
 * static and mutable (modfs.interrupt excepted, which belongs to the command). But finalizers run
 * wherever Lua allocates and use the same block: they have a status of their own, and may take the
 * scratch buffer or push copies in the middle of another function.
 *
 * Where Lua may run finalizers before lua_pushlstring copies (5.1, 5.2, LuaJIT: COMPAT_COPIES_FIRST
 * is 0), each scratch buffer is a userdata of its own, and push_copied keeps its bytes in a stack
 * of copies; elsewhere one buffer serves all calls. Freed by whom: the scratch buffer and copies by
 * the block, a guard's memory by guard_end or the collector, whichever comes first, once.
 *
 * A forked child has a copy of the Lua state and of the block, and may use both; the callback queue
 * notices the fork by itself (callbacks.c). */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bytes.h"
#include "core/base/interruption.h"
#include "poll.h"

enum { SCRATCH_LEAST = 16 * 1024, SCRATCH_KEPT = 1024 * 1024 };

static const char state_key = 0;
static const char objects_key = 0;
static const char guard_key = 0;

typedef struct state_copy {
  struct state_copy *next;
  char bytes[];
} state_copy;

static int state_end(lua_State *L) {
  modfs_state *state = lua_touserdata(L, 1);
  if (!state) return 0;
  modfs_callbacks_close(state->callbacks);
  callbacks_end(L);
  TF_DeleteStatus(state->status);
  TF_DeleteStatus(state->gc_status);
  free(state->scratch_block);
  for (state_copy *copy = state->copies, *next; copy; copy = next) {
    next = copy->next;
    free(copy);
  }
  *state = (modfs_state){0};
  return 0;
}

static void push_ending_metatable(lua_State *L, lua_CFunction end) {
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, end);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
}

modfs_state *state_open(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  modfs_state *state = lua_touserdata(L, -1);
  if (state) return state;
  lua_pop(L, 1);
  state = compat_newuserdata(L, sizeof *state);
  *state = (modfs_state){0};
  push_ending_metatable(L, state_end);
  lua_setmetatable(L, -2);
  state->status = TF_NewStatus();
  state->gc_status = TF_NewStatus();
  if (!state->status || !state->gc_status) raise_no_memory(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  return state;
}

void raise_closing(lua_State *L) {
  luaL_error(L, "modfs: the Lua state is closing");
  abort(); /* not reached */
}

TF_Status *state_gc_status(lua_State *L) {
  modfs_state *state = lua_touserdata(L, lua_upvalueindex(1));
  return state->gc_status;
}

/* Scratch ------------------------------------------------------------------- */

#if COMPAT_COPIES_FIRST
static char *scratch_resize(modfs_state *state, size_t size) {
  if (state->scratch && size <= state->scratch_size) return state->scratch;
  if (size < SCRATCH_LEAST) size = SCRATCH_LEAST;
  ptrdiff_t at = state->scratch ? state->scratch - state->scratch_block : 0;
  char *block = size <= SIZE_MAX - BYTES_ALIGNMENT
                    ? realloc(state->scratch_block, size + BYTES_ALIGNMENT)
                    : NULL;
  if (!block) return NULL;
  char *scratch = bytes_aligned(block), *moved = block + at;
  if (scratch != moved) memmove(scratch, moved, state->scratch_size);
  state->scratch_block = block;
  state->scratch = scratch;
  state->scratch_size = size;
  return scratch;
}

static char *scratch_reserve(lua_State *L, modfs_state *state, size_t size) {
  char *scratch = scratch_resize(state, size);
  if (!scratch) raise_no_memory(L);
  return scratch;
}

char *scratch_take_from(lua_State *L, modfs_state *state, size_t size) {
  lua_pushnil(L);
  return scratch_reserve(L, state, size);
}

char *scratch_grow(lua_State *L, size_t used, size_t size) {
  (void)used;
  return scratch_reserve(L, state_here(L), size);
}

char *scratch_double(lua_State *L, size_t *size) {
  return scratch_resize(state_here(L), *size *= 2);
}

void scratch_trim(lua_State *L) {
  modfs_state *state = state_here(L);
  if (state->scratch_size <= SCRATCH_KEPT) return;
  free(state->scratch_block);
  state->scratch = state->scratch_block = NULL;
  state->scratch_size = 0;
}
#else
char *scratch_take_from(lua_State *L, modfs_state *state, size_t size) {
  (void)state;
  return compat_newuserdata(L, size ? size : 1);
}

/* A copy of gigabytes takes long enough for the user to interrupt it. */
char *scratch_grow(lua_State *L, size_t used, size_t size) {
  enum { PIECE = 4 * 1024 * 1024 };
  char *scratch = compat_newuserdata(L, size);
  const char *old = lua_touserdata(L, -2);
  for (size_t done = 0, piece; done < used; done += piece) {
    if (interruption_is_wanted()) raise_interruption(L);
    piece = used - done < PIECE ? used - done : PIECE;
    memcpy(scratch + done, old + done, piece);
  }
  lua_replace(L, -2);
  return scratch;
}

char *scratch_double(lua_State *L, size_t *size) {
  *size *= 2;
  return scratch_grow(L, *size / 2, *size);
}

void scratch_trim(lua_State *L) {
  (void)L;
}
#endif

char *scratch_take(lua_State *L, size_t size) {
  return scratch_take_from(L, state_here(L), size);
}

/* Copies -------------------------------------------------------------------- */

#if COMPAT_COPIES_FIRST
void push_copied(lua_State *L, const char *bytes, size_t length) {
  lua_pushlstring(L, bytes, length);
}
#else
/* Calls from finalizers nest within this one, so copies form a stack. An error that was caught may
 * have left some above this one: they are freed with it. */
void push_copied(lua_State *L, const char *bytes, size_t length) {
  modfs_state *state = state_here(L);
  state_copy *copy = malloc(sizeof *copy + length), *below = state->copies;
  if (!copy) raise_no_memory(L);
  memcpy(copy->bytes, bytes, length);
  copy->next = below;
  state->copies = copy;
  lua_pushlstring(L, copy->bytes, length);
  while (state->copies != below) {
    state_copy *top = state->copies;
    state->copies = top->next;
    free(top);
  }
}
#endif

void push_text(lua_State *L, const char *text) {
  push_copied(L, text, strlen(text));
}

/* Objects ------------------------------------------------------------------- */

void set_text(lua_State *L, const char *key, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

void push_registry_table(lua_State *L, const void *key, const char *mode) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, key);
  if (lua_istable(L, -1)) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, mode);
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

void keep_by_object(lua_State *L, const void *key, int index) {
  push_registry_table(L, key, "k");
  lua_pushvalue(L, -2);
  lua_pushvalue(L, index);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

void push_known_object(lua_State *L, const modfs_class *class, const void *handle) {
  push_registry_table(L, &objects_key, "v");
  lua_rawgetp(L, -1, handle);
  lua_remove(L, -2);
  const modfs_object *object = object_test(L, lua_gettop(L), class);
  if (object && object->handle == handle) return;
  lua_pop(L, 1);
  lua_pushnil(L);
}

void remember_object(lua_State *L, const void *handle) {
  push_registry_table(L, &objects_key, "v");
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, handle);
  lua_pop(L, 1);
}

void warn_failure(lua_State *L, const TF_Status *status) {
  char message[4200];
  snprintf(message, sizeof message, "modfs: %s: %s", modfs_code_name(TF_GetCode(status)),
           TF_Message(status));
  compat_warn(L, message);
}

/* Guards -------------------------------------------------------------------- */

typedef struct guard {
  void (*end)(void *block);
} guard;

static void guard_close(guard *held) {
  if (!held || !held->end) return;
  void (*end)(void *block) = held->end;
  held->end = NULL;
  end(held + 1);
}

static int guard_gc(lua_State *L) {
  guard_close(lua_touserdata(L, 1));
  return 0;
}

void *guard_new(lua_State *L, size_t size, void (*end)(void *block)) {
  guard *held = compat_newuserdata(L, sizeof *held + size);
  memset(held, 0, sizeof *held + size);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &guard_key);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    push_ending_metatable(L, guard_gc);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &guard_key);
  }
  lua_setmetatable(L, -2);
  held->end = end;
  return held + 1;
}

void guard_end(lua_State *L, int index) {
  guard_close(lua_touserdata(L, index));
}

static void names_end(void *block) {
  modfs_string_list_fini(block);
}

modfs_string_list *guard_names(lua_State *L) {
  return guard_new(L, sizeof(modfs_string_list), names_end);
}

static void string_end(void *block) {
  free(*(char **)block);
}

char **guard_string(lua_State *L) {
  return guard_new(L, sizeof(char *), string_end);
}
