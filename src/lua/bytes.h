/* Region and Buffer: one kind of block, one set of methods, two classes.
 *
 * Positions count from 1 and may be negative, as in string. A finalizer may close an object while
 * another call works on it: then length is 0, and code that ran Lua in between must check again. */
#ifndef MODFS_LUA_BYTES_H
#define MODFS_LUA_BYTES_H

#include "binding.h"

typedef struct bytes_view {
  modfs_object object; /* a modfs_bytes */
  char *data;
  size_t length;
} bytes_view;

/* Takes over one reference. */
void bytes_attach(bytes_view *view, modfs_bytes *bytes);
/* Closes it; does nothing to a closed one. */
void bytes_end(bytes_view *view);

/* Pushes n bytes from offset (from 0) as a string; the caller has checked both. */
void bytes_push(lua_State *L, const bytes_view *view, size_t offset, size_t n);

/* The optional position at arg (the first, by default) as an offset: not before the first byte, but
 * possibly beyond the last. */
size_t bytes_start(lua_State *L, const bytes_view *view, int arg);

/* The position at arg as an offset; false when it is before the first byte or more than one beyond
 * the last. */
bool bytes_position(lua_State *L, const bytes_view *view, int arg, size_t *offset);

/* The methods that both classes have; the object is at 1. */
int bytes_length(lua_State *L, const bytes_view *view);
int bytes_sub(lua_State *L, const bytes_view *view);
int bytes_byte(lua_State *L, const bytes_view *view);
int bytes_find(lua_State *L, const bytes_view *view);
int bytes_unpack(lua_State *L, const bytes_view *view); /* pack.c */
int bytes_lines(lua_State *L);
int bytes_slice(lua_State *L, const bytes_view *view, const modfs_class *class);
int bytes_pointer(lua_State *L, const bytes_view *view);
int bytes_close(lua_State *L, bytes_view *view);
int bytes_collect(lua_State *L, const modfs_class *class);
int bytes_tostring(lua_State *L, const modfs_class *class);

/* Overwrites bytes from the position at 2 on with values in the format at 3; nothing changes unless
 * all of them fit. */
int bytes_pack(lua_State *L, bytes_view *view); /* pack.c */

#endif
