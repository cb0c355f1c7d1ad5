/* Devices and their parts: Memory, Stream, Event and Timer.
 *
 * An object owns one reference to its counterpart in the core, which destroys things in the ABI's
 * order, in whatever order the objects are collected. An object also keeps its Device alive, so
 * that modfs.device returns the same one while any part of it is in use.
 *
 * Creating an object runs finalizers, and those may close anything: a handle is taken afterwards,
 * by one more check. */
#ifndef MODFS_LUA_DEVICE_H
#define MODFS_LUA_DEVICE_H

#include "operation.h"

/* The block of a Device and of each part. */
typedef struct device_part {
  modfs_object object;
  const modfs_platform *platform;
  int ordinal;
} device_part;

/* part.c */
extern const modfs_class modfs_device_class, modfs_memory_class, modfs_stream_class,
    modfs_event_class, modfs_timer_class;

/* Pushes the Device, which is one object in each state while it is open, or the failure. */
int modfs_lua_device_push(lua_State *L, const modfs_platform *platform, int ordinal);

/* The open one at arg; raises for another type and for a closed one. */
device_part *check_device(lua_State *L, int arg);
device_part *check_memory(lua_State *L, int arg);
device_part *check_stream(lua_State *L, int arg);
device_part *check_event(lua_State *L, int arg);
device_part *check_timer(lua_State *L, int arg);

/* Opens the counterpart of a part; size is for memory and bytes only. */
typedef void *part_open(modfs_device *device, uint64_t size, TF_Status *status);

/* For the Device at 1: each pushes a new part of it, or the failure (part.c). */
int part_push(lua_State *L, const modfs_class *class, part_open *open);
int part_push_buffer(lua_State *L, part_open *open, uint64_t size);
/* Pushes a closed object that keeps the Device at an index. */
device_part *part_new(lua_State *L, const modfs_class *class, int index);
/* For what pushes an operation's results: pushes the object whose method was called; the Job keeps it.
 */
void push_subject(lua_State *L);

/* Whether other belongs to the device of self; false after pushing INVALID_ARGUMENT, which calls
 * other by name. */
bool check_same_device(lua_State *L, const device_part *self, const device_part *other,
                       const char *name);

/* An optional byte, 0 by default; false after pushing INVALID_ARGUMENT (part.c). */
bool check_byte(lua_State *L, int arg, unsigned char *byte);

/* "modfs.Stream (REFERENCE:0, state)"; state may be NULL, and is copied before Lua runs. */
int part_tostring(lua_State *L, const modfs_class *class, const char *state);

/* Methods of Device that are defined elsewhere than in device.c. */
lua_function device_allocate, device_host_allocate, device_unified_allocate,
    device_load;                                        /* memory.c */
lua_function device_stream, device_event, device_timer; /* part.c */

/* The platform of that name; loads its plugin if necessary. NULL after pushing the failure. */
const modfs_platform *find_platform(lua_State *L, const char *name); /* platform.c */

/* Callbacks: Lua functions by number, and the state's queue of numbers that streams have reached
 * (poll.c). */

/* Enqueues the function at 2 on the Stream at 1; returns what stream:callback does. */
int callback_enqueue(lua_State *L);
/* push_done for a call that has waited: then runs the callbacks that have arrived (part.c). */
int push_waited(lua_State *L, const TF_Status *status);
/* The same for an operation that waits. */
int push_waiting(lua_State *L, operation *self, const TF_Status *status);

/* Registration, as in binding.h. */
void modfs_lua_open_platform(lua_State *L); /* platforms, devices, device */
void modfs_lua_open_device(lua_State *L);
void modfs_lua_open_memory(lua_State *L);
void modfs_lua_open_stream(lua_State *L);
void modfs_lua_open_event(lua_State *L);
void modfs_lua_open_timer(lua_State *L);
void modfs_lua_open_poll(lua_State *L); /* poll, pollfd */

#endif
