/* A call of the core, cut where it may wait: arguments that the binding has checked, a function that
 * runs without Lua, and one that pushes the results.
 *
 * A plain call runs it at once. A call through modfs.async (job.c) runs it on another thread: then
 * everything that it refers to is copied, or kept, in C. So one function of the binding serves both,
 * and must not use the arguments' memory after operation_perform. */
#ifndef MODFS_LUA_OPERATION_H
#define MODFS_LUA_OPERATION_H

#include "binding.h"

typedef struct operation operation;

typedef struct operation_kind {
  /* Threads: any; no Lua. Whatever it stores in the results must be freed by fini. */
  void (*run)(operation *self, TF_Status *status);
  /* Pushes the results, or the failure, and returns how many values that is. */
  int (*push)(lua_State *L, operation *self, const TF_Status *status);
  void (*fini)(operation *self); /* NULL: the results own nothing */
  bool reads;                    /* changes nothing: has no result once it is cancelled */
} operation_kind;

typedef enum operation_turn {
  OPERATION_FREE,      /* beside all others */
  OPERATION_ORDERED,   /* after the ones on the same object that were started before */
  OPERATION_EXCLUSIVE, /* after all on the same object, as it takes the handle from it */
} operation_turn;

struct operation {
  const operation_kind *kind;

  /* Arguments. Strings and data are borrowed in a plain call, and copied for a job. */
  const modfs_fs *fs, *to;
  const char *path, *dst;
  const char *data;
  size_t length;  /* of data */
  int data_index; /* of the argument that data belongs to, for one that need not be copied; or 0 */
  uint64_t offset, n;
  int mode;
  union {
    path_call *path;
    names_call *names;
    void (*other)(void);
  } call;
  void *handle;         /* of an object that stays open meanwhile */
  modfs_object *object; /* that object, for the turn */
  operation_turn turn;
  size_t room; /* bytes of space that a job gets for small results: a thread's own are dearer */

  /* Results. */
  char *space;
  bool answer;
  int64_t number;
  double rate;
  char *text;
  size_t used;
  void *made;
  modfs_string_list names;
};

/* Performs it, or starts it as the job of modfs.async; returns what the function is to return. */
int operation_perform(lua_State *L, operation *self);

/* Whether the running function is called for a job: it must come to operation_perform, or return its
 * results at once. */
bool operation_is_deferred(lua_State *L);

/* Starts a copy of the operation as the job of the deferral (deferral.c). */
int job_defer(lua_State *L, const operation *call);

#endif
