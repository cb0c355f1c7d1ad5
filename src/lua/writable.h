/* A WritableFile, and the methods that record writers share with it (record.c). */
#ifndef MODFS_LUA_WRITABLE_H
#define MODFS_LUA_WRITABLE_H

#include <sys/types.h>

#include "binding.h"

typedef struct writable_object {
  modfs_object object; /* a modfs_writable */
  pid_t opener;
} writable_object;

/* Gives a new one its handle. */
void writable_attach(void *block, modfs_writable *file);
/* Takes the handle out of the object, which is closed then; nothing else happens. */
modfs_writable *writable_release(writable_object *self);

lua_function writable_tell, writable_flush, writable_sync, writable_name;
lua_function writable_close, writable_abort, writable_collect, writable_leave, writable_tostring;

#endif
