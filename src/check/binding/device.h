/* Declarations shared by the files about devices. */
#ifndef MODFS_LUA_JUDGE_DEVICE_H
#define MODFS_LUA_JUDGE_DEVICE_H

#include "runner.h"
#include "check/runner/device.h"

typedef struct handle {
  void *pointer;
  int number;
} handle;

extern const char judge_device_class[], judge_stream_class[], judge_event_class[],
    judge_timer_class[];

judge_device *judge_check_device(lua_State *L);
void *judge_check_handle(lua_State *L, int arg, const char *class);

#define STREAM(arg) ((SP_Stream)judge_check_handle(L, arg, judge_stream_class))
#define EVENT(arg) ((SP_Event)judge_check_handle(L, arg, judge_event_class))
#define TIMER(arg) ((SP_Timer)judge_check_handle(L, arg, judge_timer_class))

/* UNIMPLEMENTED: the slot is empty. */
int judge_refuse_slot(lua_State *L);
/* The object at the top of the stack, or the failure. */
int judge_answer_object(lua_State *L, const TF_Status *status);
/* Sets a field of the table at the top of the stack. */
void judge_set_integer(lua_State *L, const char *key, int64_t value);
void judge_set_words(lua_State *L, const char *key, const char *text);

/* What each function about a device needs: the device, the executor, and a status. */
#define BEGIN(slot)                                                                                \
  judge_device *const device = judge_check_device(L);                                              \
  const SP_StreamExecutor *const executor = judge_executor(device);                                \
  const SP_Device *const self = judge_device_of(device);                                           \
  if (!executor->slot) return judge_refuse_slot(L);                                                \
  TF_Status *const status = judge_status(L)

#define SLOT(name)                                                                                 \
  { #name, slot_##name }

extern const char judge_crowd_class[];
extern const luaL_Reg judge_memory_slots[], judge_work_slots[], judge_crowd_slots[];

/* Registers the classes of memory, streams, events and timers. */
void judge_open_memory(lua_State *L);
void judge_open_work(lua_State *L);

#endif
