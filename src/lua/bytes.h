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
/* Another reference to the bytes of the Buffer or Region at arg; NULL for any other value. */
modfs_bytes *bytes_retained(lua_State *L, int arg);
/* Whether it may be written to; false, after pushing the failure, while a job uses it. */
bool bytes_check_free(lua_State *L, const bytes_view *view);
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

/* The methods that both classes have. */
lua_function bytes_sub, bytes_byte, bytes_find, bytes_lines, bytes_slice, bytes_pointer,
    bytes_close;
lua_function bytes_length, bytes_collect, bytes_tostring;
lua_function bytes_unpack; /* pack.c */

/* The method pack of Buffer: overwrites bytes from the position at 2 on with values in the format
 * at 3; nothing changes unless all of them fit. */
lua_function bytes_pack; /* pack.c */

#endif
