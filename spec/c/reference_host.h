/* A host for one device plugin, as small as can be: it takes the tables and calls them. Shared by the
 * reference_*_test.c programs, each of which takes the path of a plugin, or finds its plugins in the
 * folder plugins beside itself. */
#ifndef MODFS_REFERENCE_HOST_H
#define MODFS_REFERENCE_HOST_H

#include <modfs/stream_executor.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { MOST_DEVICES = 4 };

static void (*plugin_init)(SE_PlatformRegistrationParams *, TF_Status *);
static SE_PlatformRegistrationParams params;
static SP_Platform platform;
static SP_PlatformFns fns;
static SP_StreamExecutor se;
static SP_DeviceFns facts;
static SP_TimerFns timers;
static SP_Device devices[MOST_DEVICES];
static int device_count;
static bool is_reference; /* not the null device */
static _Thread_local TF_Status *status;

/* The status for the next call. */
static inline TF_Status *fresh(void) {
  if (!status) status = TF_NewStatus();
  TF_SetStatus(status, TF_OK, "");
  return status;
}

/* What the call before said. */
static inline TF_Code code(void) {
  return TF_GetCode(status);
}

/* What a thread leaves behind. */
static inline void host_leave(void) {
  TF_DeleteStatus(status);
  status = NULL;
}

/* Start and end ---------------------------------------------------------------------- */

static inline bool host_load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    printf("# %s\n", dlerror());
    return false;
  }
  *(void **)&plugin_init = dlsym(library, "SE_InitPlugin");
  return plugin_init != NULL;
}

static inline void set_sizes(void) {
  params =
      (SE_PlatformRegistrationParams){.struct_size = SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE,
                                      .minor_version = SE_MINOR,
                                      .patch_version = SE_PATCH,
                                      .platform = &platform,
                                      .platform_fns = &fns};
  platform = (SP_Platform){.struct_size = SP_PLATFORM_STRUCT_SIZE};
  fns = (SP_PlatformFns){.struct_size = SP_PLATFORM_FNS_STRUCT_SIZE};
  se = (SP_StreamExecutor){.struct_size = SP_STREAMEXECUTOR_STRUCT_SIZE};
  facts = (SP_DeviceFns){.struct_size = SP_DEVICE_FNS_STRUCT_SIZE};
  timers = (SP_TimerFns){.struct_size = SP_TIMER_FNS_STRUCT_SIZE};
}

static inline TF_Code create_device(int ordinal, SP_Device *device) {
  *device = (SP_Device){.struct_size = SP_DEVICE_STRUCT_SIZE, .ordinal = ordinal};
  SE_CreateDeviceParams request = {
      .struct_size = SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE, .ordinal = ordinal, .device = device};
  fns.create_device(&platform, &request, fresh());
  return code();
}

static inline void create_parts(void) {
  SE_CreateDeviceFnsParams device_request = {.struct_size = SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE,
                                             .device_fns = &facts};
  SE_CreateStreamExecutorParams executor_request = {
      .struct_size = SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE, .stream_executor = &se};
  fns.create_device_fns(&platform, &device_request, fresh());
  fns.create_stream_executor(&platform, &executor_request, fresh());
  if (fns.create_timer_fns) fns.create_timer_fns(&platform, &timers, fresh());
}

/* Initialises the plugin and makes all parts and devices; the environment counts. */
static inline TF_Code host_begin(void) {
  set_sizes();
  device_count = 0;
  plugin_init(&params, fresh());
  if (code()) return code();
  is_reference = strcmp(platform.name, "REFERENCE") == 0;
  create_parts();
  fns.get_device_count(&platform, &device_count, fresh());
  if (device_count > MOST_DEVICES) device_count = MOST_DEVICES;
  for (int i = 0; i < device_count; i++)
    create_device(i, &devices[i]);
  return code();
}

static inline void host_end(void) {
  for (int i = 0; i < device_count; i++)
    fns.destroy_device(&platform, &devices[i]);
  fns.destroy_device_fns(&platform, &facts);
  fns.destroy_stream_executor(&platform, &se);
  fns.destroy_timer_fns(&platform, &timers);
  params.destroy_platform(&platform);
  params.destroy_platform_fns(&fns);
}

/* host_begin with one more variable in the environment, "NAME=value" without its prefix. */
static inline TF_Code host_begin_with(const char *option, const char *value) {
  char name[64];
  snprintf(name, sizeof name, "MODFS_REFERENCE_%s", option);
  setenv(name, value, 1);
  TF_Code answer = host_begin();
  unsetenv(name);
  return answer;
}

/* The folder of the plugins, for programs that were given none. */
static inline const char *host_path(const char *program, const char *name) {
  static char path[4096];
  const char *slash = strrchr(program, '/');
  snprintf(path, sizeof path, "%.*s/plugins/%s", slash ? (int)(slash - program) : 1,
           slash ? program : ".", name);
  return path;
}

/* Calls -------------------------------------------------------------------------------- */

static inline SP_Stream new_stream(int device) {
  SP_Stream stream = NULL;
  se.create_stream(&devices[device], &stream, fresh());
  return stream;
}

static inline SP_Event new_event(int device) {
  SP_Event event = NULL;
  se.create_event(&devices[device], &event, fresh());
  return event;
}

static inline SP_Timer new_timer(int device) {
  SP_Timer timer = NULL;
  se.create_timer(&devices[device], &timer, fresh());
  return timer;
}

static inline SP_DeviceMemoryBase allocate(int device, uint64_t size) {
  SP_DeviceMemoryBase memory = {.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE};
  se.allocate(&devices[device], size, 0, &memory);
  return memory;
}

/* A part of memory, made by arithmetic, as hosts do. */
static inline SP_DeviceMemoryBase slice(SP_DeviceMemoryBase memory, uint64_t offset,
                                        uint64_t size) {
  return (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                               .opaque = (char *)memory.opaque + offset,
                               .size = size,
                               .payload = memory.payload};
}

static inline TF_Code put(int device, SP_DeviceMemoryBase to, const void *from, uint64_t size) {
  se.sync_memcpy_htod(&devices[device], &to, from, size, fresh());
  return code();
}

static inline TF_Code get(int device, void *to, SP_DeviceMemoryBase from, uint64_t size) {
  se.sync_memcpy_dtoh(&devices[device], to, &from, size, fresh());
  return code();
}

static inline TF_Code put_later(int device, SP_Stream stream, SP_DeviceMemoryBase to,
                                const void *from, uint64_t size) {
  se.memcpy_htod(&devices[device], stream, &to, from, size, fresh());
  return code();
}

static inline TF_Code get_later(int device, SP_Stream stream, void *to, SP_DeviceMemoryBase from,
                                uint64_t size) {
  se.memcpy_dtoh(&devices[device], stream, to, &from, size, fresh());
  return code();
}

static inline TF_Code copy_later(int device, SP_Stream stream, SP_DeviceMemoryBase to,
                                 SP_DeviceMemoryBase from, uint64_t size) {
  se.memcpy_dtod(&devices[device], stream, &to, &from, size, fresh());
  return code();
}

static inline TF_Code fill_words(int device, SP_Stream stream, SP_DeviceMemoryBase to,
                                 uint32_t pattern, uint64_t size) {
  se.memset32(&devices[device], stream, &to, pattern, size, fresh());
  return code();
}

static inline TF_Code record(int device, SP_Stream stream, SP_Event event) {
  se.record_event(&devices[device], stream, event, fresh());
  return code();
}

static inline TF_Code wait_event(int device, SP_Stream stream, SP_Event event) {
  se.wait_for_event(&devices[device], stream, event, fresh());
  return code();
}

static inline TF_Code depend(int device, SP_Stream dependent, SP_Stream other) {
  se.create_stream_dependency(&devices[device], dependent, other, fresh());
  return code();
}

static inline SE_EventStatus event_status(int device, SP_Event event) {
  return se.get_event_status(&devices[device], event);
}

static inline TF_Code block_event(int device, SP_Event event) {
  se.block_host_for_event(&devices[device], event, fresh());
  return code();
}

static inline TF_Code stream_status(int device, SP_Stream stream) {
  se.get_stream_status(&devices[device], stream, fresh());
  return code();
}

static inline TF_Code synchronize(int device) {
  se.synchronize_all_activity(&devices[device], fresh());
  return code();
}

/* As hosts do where the slot is empty. */
static inline TF_Code finish(int device, SP_Stream stream) {
  if (!se.block_host_until_done) {
    SP_Event event = new_event(device);
    if (record(device, stream, event) == TF_OK) block_event(device, event);
    se.destroy_event(&devices[device], event);
    return code();
  }
  se.block_host_until_done(&devices[device], stream, fresh());
  return code();
}

static inline bool callback(int device, SP_Stream stream, SE_StatusCallbackFn function,
                            void *argument) {
  return se.host_callback(&devices[device], stream, function, argument);
}

static inline SP_AllocatorStats stats_of(int device) {
  SP_AllocatorStats stats = {.struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE};
  se.get_allocator_stats(&devices[device], &stats);
  return stats;
}

/* Whether memory of a device begins with a text. */
static inline bool holds(int device, SP_DeviceMemoryBase memory, const char *text) {
  char bytes[64] = "";
  return get(device, bytes, memory, strlen(text)) == TF_OK && !strcmp(bytes, text);
}

/* A gate: a stream that is sent into it stays there until it is opened. ------------------ */

typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t change;
  bool reached, open;
} gate;

#define GATE_CLOSED                                                                                \
  { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER }

static inline void pass_gate(void *const argument, TF_Status *const answer) {
  gate *it = argument;
  (void)answer;
  pthread_mutex_lock(&it->lock);
  it->reached = true;
  pthread_cond_broadcast(&it->change);
  while (!it->open)
    pthread_cond_wait(&it->change, &it->lock);
  pthread_mutex_unlock(&it->lock);
}

static inline void await_gate(gate *it) {
  pthread_mutex_lock(&it->lock);
  while (!it->reached)
    pthread_cond_wait(&it->change, &it->lock);
  pthread_mutex_unlock(&it->lock);
}

static inline void open_gate(gate *it) {
  pthread_mutex_lock(&it->lock);
  it->open = true;
  pthread_cond_broadcast(&it->change);
  pthread_mutex_unlock(&it->lock);
}

static inline uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
