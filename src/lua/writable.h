/* A WritableFile, and the methods that record writers share with it (record.c). */
#ifndef MODFS_LUA_WRITABLE_H
#define MODFS_LUA_WRITABLE_H

#include <sys/types.h>

#include "operation.h"

typedef struct writable_object {
  modfs_object object; /* a modfs_writable */
  pid_t opener;
  bool shared; /* codec.wrap connects it with another one: no other thread may use either */
} writable_object;

/* Gives a new one its handle. */
void writable_attach(void *block, modfs_writable *file);
/* Closes a file that was written if the status is OK; else aborts it, and the status stays. */
void writable_finish(modfs_writable *file, TF_Status *status);
/* For an operation that opens one: pushes it, or the failure. */
int writable_push(lua_State *L, operation *self, const TF_Status *status);
/* Performs an operation on it, as a job in its turn if it may be one. */
int writable_perform(lua_State *L, writable_object *self, operation *call);
/* Takes the handle out of the object, which is closed then; nothing else happens. */
modfs_writable *writable_release(writable_object *self);

lua_function writable_tell, writable_flush, writable_sync, writable_name;
lua_function writable_close, writable_abort, writable_collect, writable_leave, writable_tostring;

#endif
