/* Declarations shared by the files about devices. */
#ifndef MODFS_LUA_RUNNER_DEVICE_H
#define MODFS_LUA_RUNNER_DEVICE_H

#include "runner.h"
#include "check/runner/device.h"

typedef struct handle {
  void *pointer;
  int number;
} handle;

extern const char runner_device_class[], runner_stream_class[], runner_event_class[],
    runner_timer_class[], runner_memory_class[]; /* a memory begins with its base */

runner_device *runner_check_device(lua_State *L);
void *runner_check_handle(lua_State *L, int arg, const char *class);

#define STREAM(arg) ((SP_Stream)runner_check_handle(L, arg, runner_stream_class))
#define EVENT(arg) ((SP_Event)runner_check_handle(L, arg, runner_event_class))
#define TIMER(arg) ((SP_Timer)runner_check_handle(L, arg, runner_timer_class))

/* Pushes a memory without an address; returns its base. */
SP_DeviceMemoryBase *runner_new_memory(lua_State *L);
/* UNIMPLEMENTED: the slot is empty. */
int runner_refuse_slot(lua_State *L);
/* The object at the top of the stack, or the failure. */
int runner_answer_object(lua_State *L, const TF_Status *status);

/* What each function about a device needs: the device, the executor, and a status. */
#define BEGIN(slot)                                                                                \
  runner_device *const device = runner_check_device(L);                                            \
  const SP_StreamExecutor *const executor = runner_executor(device);                               \
  const SP_Device *const self = runner_device_of(device);                                          \
  if (!executor->slot) return runner_refuse_slot(L);                                               \
  TF_Status *const status = runner_status(L)

#define SLOT(name)                                                                                 \
  { #name, slot_##name }

extern const char runner_crowd_class[];
extern const luaL_Reg runner_memory_slots[], runner_work_slots[], runner_crowd_slots[],
    runner_waiter_slots[], runner_device_overlap_slots[];

/* Registers the classes of memory, of streams, events and timers, and of waiters. */
void runner_open_memory(lua_State *L);
void runner_open_work(lua_State *L);
void runner_open_waiter(lua_State *L);

#endif
