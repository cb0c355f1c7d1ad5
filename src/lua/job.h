/* A Job: what its class (job.c) and its start (deferral.c) share. */
#ifndef MODFS_LUA_JOB_H
#define MODFS_LUA_JOB_H

#include "operation.h"

typedef struct job_object {
  modfs_object object;  /* the engine's modfs_job, or else the object itself; never closed */
  operation *operation; /* of the engine's job; NULL: there is none, or no longer */
  int64_t number;       /* that it waits under; 0: it does not */
  int results;
  bool finished, cancelled, closed;
  const char *name;        /* of the function that was called; kept by the state */
  bool has_values;         /* its user value is a table of values; else: */
  bool is_single;          /* its user value is the one result */
  bool has_waiters;        /* in its table of values */
  bool arrives;            /* its results are being pushed, from memory of the engine's job */
  bool raises;             /* the only result is an error to be raised */
  bool taken;              /* the script has had the results */
  bool counts;             /* its progress is being counted */
  bool goes_on;            /* does one thing, by one job of the engine after another */
  bool asked_in_vain;      /* the function that it asks raised an error, which its table has */
  int answering;           /* calls of that function on the C stack */
  char runs[96];           /* more than the name, for tostring: the end of a long path is missing */
  modfs_job_progress last; /* what a job of the engine has come to: its own, or, of Lua code, those
                            * that it has followed */
} job_object;

/* The Job at 1. */
job_object *job_check(lua_State *L);

/* It needs the engine's job no longer. */
void job_leave(job_object *self);

/* Whether it waits for a job of the engine. */
bool job_has_engine(const job_object *self);

/* The monotonic clock, in seconds (job_module.c). */
double job_seconds(void);

/* Pushes a Job that waits. */
job_object *job_new(lua_State *L);

/* Keeps what it runs: a function, and a path, which may be NULL. */
void job_describe(job_object *self, const char *name, const char *path);

/* Makes the Job at the top of the stack wait for its number; the function at an index is called. */
void job_expect(lua_State *L, job_object *self, int function);

/* The values of the Job at an index: sets one to the value at the top of the stack, which is popped;
 * pushes one, or nil. */
void job_set_value(lua_State *L, int index, const char *name);
void job_push_value(lua_State *L, int index, const char *name);

/* Keeps the function at an index in the values of the Job that waits for a number. */
void job_keep(lua_State *L, const job_object *self, int function, const char *name);

/* For who has taken the number of the Job at the top of the stack: settles it, or serves its question.
 * An error, which the function at an index describes, ends it. False, with an error at the top of the
 * stack, when there is no memory to keep that one. Raises nothing. */
bool job_arrived(lua_State *L, int handler);

/* Keeps the results, which are at the top of the stack, in the Job at an index, and pops them. */
void job_finish(lua_State *L, int index, int results);

/* Leaves the Job that the one at an index waits for at the moment, or itself, at the top of the stack
 * (job_progress.c, as the next four). */
const job_object *job_innermost(lua_State *L, int index);
/* The name of the state of the Job at 1. */
const char *job_state(lua_State *L);
/* progress(); follow(job, inner, goes_on): a Job of Lua code waits for another one from now on, which
 * goes on with what the former one did. parts(job, list): it waits for all of a list, and tells the
 * sums of their progress. */
lua_function job_progress, jobs_follow, jobs_parts;

/* Adds the module modfs.jobs (job_module.c). */
void modfs_lua_open_job_module(lua_State *L);

/* Starts the operation of a Job, whose job of the engine is done, anew; false: it cannot (deferral.c). */
bool deferred_restart(lua_State *L, job_object *self);

/* Frees the Buffer that a job's operation uses: it is done (deferral.c). */
void deferred_unlock(operation *call);

/* Pushes an object among the arguments, for the Job at 1 whose results are being pushed. */
void push_job_object(lua_State *L, const modfs_object *object);

/* Ends the Job at an index with the error at the top of the stack, which is popped: one of Lua code, or
 * any. */
void job_raise(lua_State *L, int index);
void job_fail(lua_State *L, int index);

/* start(function, timeout, ...): calls a function of the binding for a Job (deferral.c). */
lua_function job_start;
/* starter(function, timed): a function that does so without a timeout; timed is called instead where
 * the last argument is a table with one. */
lua_function job_starter;

#endif
