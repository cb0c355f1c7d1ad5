/* What ends a process, holds it up, or changes what belongs to all of it. */
#include "device_mutant.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int nowhere;

static void crash(void) {
  *(volatile int *)8 = 1;
}
static void loop(void) {
  for (;;)
    nowhere++;
}
static void *sleep_for_ever(void *unused) {
  for (;;)
    pause();
  return unused;
}
static void threads(void) {
  pthread_t thread;
  for (int i = 0; i < 8; i++)
    pthread_create(&thread, NULL, sleep_for_ever, NULL);
}
static void descriptors(void) {
  for (int i = 0; i < 10; i++)
    open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* The worker that runs the callback ends before it is back. */
static void crash_in_callback(void *const argument, TF_Status *const status) {
  crash();
}
static void end_thread(void *const argument, TF_Status *const status) {
  pthread_exit(NULL);
}
static TF_Bool callback_crashes(DEVICE, SP_Stream stream, SE_StatusCallbackFn function,
                                void *argument) {
  return good.host_callback(device, stream, crash_in_callback, argument);
}
static TF_Bool callback_ends_thread(DEVICE, SP_Stream stream, SE_StatusCallbackFn function,
                                    void *argument) {
  return good.host_callback(device, stream, end_thread, argument);
}

#define KILLS_STREAM(called, ...)                                                                  \
  static void called(DEVICE, SP_Stream *stream, TF_Status *status) {                               \
    __VA_ARGS__;                                                                                   \
    good.create_stream(device, stream, status);                                                    \
  }
static void allocate_crashes(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  crash();
}
KILLS_STREAM(stream_exits, exit(0))
KILLS_STREAM(stream_threads, threads())
KILLS_STREAM(stream_descriptors, descriptors())
KILLS_STREAM(stream_umask, umask(0777))

static void synchronize_loops(DEVICE, TF_Status *status) {
  loop();
}
static void destroy_device_crashes(const SP_Platform *platform, SP_Device *device) {
  crash();
}

bool crash_apply(mutant_tables *tables, const char *name) {
  if (strcmp(name, "constructor.crash") == 0 || strcmp(name, "crash.in.init") == 0) crash();
  if (!tables) return false;
  SLOT("crash.in.allocate", allocate, allocate_crashes)
  SLOT("threads.in.create.stream", create_stream, stream_threads)
  SLOT("descriptors.in.create.stream", create_stream, stream_descriptors)
  SLOT("umask.in.create.stream", create_stream, stream_umask)
  SLOT("exit.in.create.stream", create_stream, stream_exits)
  SLOT("loop.in.synchronize", synchronize_all_activity, synchronize_loops)
  SLOT("crash.in.callback", host_callback, callback_crashes)
  SLOT("end.of.thread.in.callback", host_callback, callback_ends_thread)
  ON("crash.in.destroy.device", tables->fns->destroy_device = destroy_device_crashes)
  return false;
}
