/* A call of the core, cut where it may wait: arguments that the binding has checked, a function that
 * runs without Lua, and one that pushes the results.
 *
 * A plain call runs it at once. A call through modfs.async (deferral.c) runs it on another thread:
 * then everything that it refers to is copied, or kept, in C. So one function of the binding serves
 * both, and must not use the arguments' memory after operation_perform. The function that pushes is
 * called later, by another function than the one that was called: the arguments are not on its
 * stack, and the objects among them may be closed. */
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

typedef void pair_call(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                       TF_Status *status);
typedef char *text_call(const modfs_fs *fs, const char *path, TF_Status *status);
typedef void attributes_call(const modfs_fs *fs, const char *path, modfs_attributes *attributes,
                             TF_Status *status);

struct operation {
  const operation_kind *kind;

  /* Arguments. Strings and data are borrowed in a plain call, and copied for a job. */
  const modfs_fs *fs, *to;
  const char *path, *dst;
  const char *data;
  size_t length;  /* of data */
  int data_index; /* of the argument that data belongs to, for one that need not be copied; or 0 */
  bool fills;     /* data is written to: a Buffer's bytes */
  uint64_t offset, n;
  int mode;
  const void *settings; /* valid as long as the process */
  modfs_choice *choice; /* retained for a job */
  union {
    path_call *path;
    names_call *names;
    pair_call *pair;
    text_call *text;
    attributes_call *attributes;
    void (*other)(void);
  } call;
  int function, onerror; /* indices of the script's functions, which a job keeps; 0: none. It asks
                          * the first (question.h) */
  void *handle;          /* of an object that stays open meanwhile */
  modfs_object *object;  /* that object, for the turn */
  operation_turn turn;
  size_t room; /* bytes of space that a job gets for small results: a thread's own are dearer */
  size_t least_room;        /* the same for a job beside very many others */
  const modfs_class *class; /* of the object that it makes */
  bool once; /* is not begun anew, as a second run would not do what the first one did not */

  /* Results. */
  char *space;
  bool answer;
  int64_t number;
  double rate;
  char *text;
  size_t used;
  void *made; /* for one that takes a handle: that handle, until it runs */
  modfs_string_list names;
  modfs_attributes attributes; /* an argument of some */
  modfs_space room_left;
};

/* Performs it, or starts it as the job of modfs.async; returns what the function is to return: 0
 * when it was started. */
int operation_perform(lua_State *L, operation *self);

/* Whether one that has failed may succeed when the garbage is collected: it lacked memory, or descriptors,
 * and runs on paths, not on an object, whose state may have changed. One that changes something begins
 * anew for descriptors alone: where the storage is full, a second run would only take as long. */
bool operation_begins_anew(const operation *self, const TF_Status *status);
/* Frees what a run has left, before another one. */
void operation_clear(operation *self);

/* operation_perform on the path that is the first argument. */
int operation_perform_path(lua_State *L, const operation_kind *kind);
/* The same from one path to another. */
int operation_perform_pair(lua_State *L, const path_pair *pair, operation *self);
/* The same on an open object, after what was started on it before. */
int operation_perform_on(lua_State *L, modfs_object *object, operation *self);

/* For push, in a job: pushes the function that it asks, or the other one, or nil. */
void push_job_function(lua_State *L);
void push_job_onerror(lua_State *L);

/* For operation_is_deferred, where a deferral is under way. */
bool deferral_is_here(lua_State *L);

/* operation_is_deferred, for who has the block of the running function. */
static inline bool state_is_deferred(lua_State *L, const modfs_state *state) {
  return state->deferral && deferral_is_here(L);
}

/* Whether the running function is called for a job: it must come to operation_perform, or return its
 * results at once. */
static inline bool operation_is_deferred(lua_State *L) {
  return state_is_deferred(L, state_here(L));
}

/* Starts one that takes the handle of its object, which is closed then, unless the job is cancelled
 * before it runs: operation_give_back, called by push, undoes it. Only for jobs. */
int operation_start_taking(lua_State *L, operation *self);
bool operation_give_back(operation *self);

/* Pushes a new object of its class that owns what was made. */
void *operation_push_made(lua_State *L, operation *self);
/* For fini: releases, by its class, what was made and nobody took. */
void operation_end_made(operation *self);
/* For fini. */
void operation_end_text(operation *self);

/* true, or the failure. */
int operation_push_done(lua_State *L, operation *self, const TF_Status *status);
/* The text, or the failure. */
int operation_push_text(lua_State *L, operation *self, const TF_Status *status);

/* Starts a copy of the operation as the job of the deferral (deferral.c). */
int job_defer(lua_State *L, const operation *call);

#endif
