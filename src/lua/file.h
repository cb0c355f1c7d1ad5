/* A File, its read formats (read.c) and its iterators (lines.c). */
#ifndef MODFS_LUA_FILE_H
#define MODFS_LUA_FILE_H

#include "operation.h"

typedef struct file_object {
  modfs_object object; /* a modfs_file */
  modfs_input *input;  /* NULL until a position is needed */
} file_object;

/* For an operation that opens a File: pushes it, or the failure. */
int file_push(lua_State *L, operation *self, const TF_Status *status);
/* The open file at 1. */
file_object *check_file(lua_State *L);
/* Closes it; does nothing to a closed one. */
void file_end(file_object *self);
/* The modfs_file; raises when it is closed, as a finalizer may have done. */
modfs_file *file_handle(lua_State *L, const file_object *self);
/* The input with the file's position, made at the first use. */
modfs_input *file_input(lua_State *L, file_object *self);

/* Raises unless the count arguments from first on are formats of io; false after pushing
 * INVALID_ARGUMENT for a negative number. */
bool check_formats(lua_State *L, int first, int count);

/* Reads by the formats, "l" when there are none. Returns the number of results pushed, the last one
 * nil if the file ended before it. On failure the position does not change and the triple is
 * pushed. */
int read_formats(lua_State *L, file_object *self, int first, int count);

/* The same as a job (read_job.c). ahead: reads by the formats again and again, up to 64 KiB or the end,
 * into one table with a field n; the formats may be those of a plain call, too. */
int start_reading(lua_State *L, file_object *self, int first, int count, bool ahead);

/* f:lines(...), and modfs.lines(path, ...), which closes the file at the end (lines.c). */
int file_lines(lua_State *L);
int open_lines(lua_State *L);

#endif
