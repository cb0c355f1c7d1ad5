/* The queue of callbacks and finished jobs of a Lua state, and what waits for them. */
#ifndef MODFS_LUA_POLL_H
#define MODFS_LUA_POLL_H

#include "binding.h"

/* The state's queue, made at the first use; NULL after pushing the failure. */
modfs_callbacks *callbacks_queue(lua_State *L);

/* Pops a Job, or a C closure whose second upvalue is the object that it is about. When the number that
 * is returned arrives in the queue, job_arrived settles the Job, or the closure is called. */
int64_t callbacks_expect(lua_State *L);

/* Pops a Job that has arrived before it was done, and will arrive again. */
void callbacks_expect_again(lua_State *L, int64_t number);

/* Pushes the Job of a number that waits. */
void callbacks_push(lua_State *L, int64_t number);

/* Pops the function, or nil, that callbacks_tell calls. */
void callbacks_watch(lua_State *L);

/* For whoever has expected a number, once it is under way: when no other one is, calls the function
 * of the loop, so that it begins to watch the queue. */
void callbacks_tell(lua_State *L);

/* Pushes that Job or closure, which waits no more; false, with nothing pushed, when that number does
 * not wait. */
bool callbacks_take(lua_State *L, int64_t number);

/* For the end of the state: the Jobs that wait leave the jobs of the engine. */
void callbacks_end(lua_State *L);

/* Waits at most that many seconds (negative: without a limit) for the queue, which exists, and calls
 * what has arrived, even within a callback. Returns how many. */
size_t callbacks_poll(lua_State *L, double seconds);

/* Wakes a coroutine that was put off, as it may do what somebody waits for; false: there was none. */
bool waits_wake(lua_State *L);

/* sleep(fn): fn() does that. */
lua_function jobs_sleep;

/* Runs the callbacks that have arrived, and leaves the stack unchanged; within a callback, runs
 * none. Returns how many ran. */
size_t callbacks_run(lua_State *L);

/* Pops an error value, and shows it to the user. */
void callback_warn(lua_State *L);

#endif
