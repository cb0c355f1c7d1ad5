/* What ends a process, holds it up, or changes what belongs to all of it. */
#include "device_mutant.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
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
static int overflow(int depth) {
  if (depth < 0) return 0;
  volatile char frame[4096];
  frame[0] = (char)depth;
  return overflow(depth + 1) + frame[0];
}
static void hoard(void) {
  volatile char *memory = malloc((size_t)8 << 30);
  for (size_t i = 0; i < (size_t)8 << 30; i += 4096)
    memory[i] = 1;
}
static void jump(void) {
  static jmp_buf nowhere_to;
  memset(&nowhere_to, 0x5a, sizeof nowhere_to);
  longjmp(nowhere_to, 1);
}
static void lock_twice(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
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
static void handle(int number) {
  nowhere = number;
}
static void breed(void) {
  for (int i = 0; i < 8; i++)
    if (fork() == 0)
      for (;;)
        pause();
  _exit(0);
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

#define KILLS_ALLOCATE(called, ...)                                                                \
  static void called(DEVICE, uint64_t size, int64_t space, BASE *memory) {                         \
    __VA_ARGS__;                                                                                   \
    good.allocate(device, size, space, memory);                                                    \
  }
#define KILLS_STREAM(called, ...)                                                                  \
  static void called(DEVICE, SP_Stream *stream, TF_Status *status) {                               \
    __VA_ARGS__;                                                                                   \
    good.create_stream(device, stream, status);                                                    \
  }
KILLS_ALLOCATE(allocate_crashes, crash())
KILLS_ALLOCATE(allocate_hoards, hoard())
KILLS_ALLOCATE(allocate_traps, __builtin_trap())
KILLS_STREAM(stream_exits, exit(0))
KILLS_STREAM(stream_exits_3, _exit(3))
KILLS_STREAM(stream_threads, threads())
KILLS_STREAM(stream_descriptors, descriptors())
KILLS_STREAM(stream_umask, umask(0777))
KILLS_STREAM(stream_handler, signal(SIGUSR1, handle))
KILLS_STREAM(stream_locale, setlocale(LC_ALL, "C.UTF-8"))
KILLS_STREAM(stream_folder, nowhere = chdir("/"))
KILLS_STREAM(stream_breeds, breed())
KILLS_STREAM(stream_kills, kill(getpid(), SIGKILL))

static void synchronize_loops(DEVICE, TF_Status *status) {
  loop();
}
static void copy_aborts(DEVICE, SP_Stream stream, void *to, const BASE *from, uint64_t size,
                        TF_Status *status) {
  abort();
}
static void destroy_deadlocks(DEVICE, SP_Stream stream) {
  lock_twice();
}
static void record_jumps(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  jump();
}
static void sync_overflows(DEVICE, BASE *to, const void *from, uint64_t size, TF_Status *status) {
  nowhere = overflow(0);
}
static void destroy_device_crashes(const SP_Platform *platform, SP_Device *device) {
  crash();
}
static void block_sleeps(DEVICE, SP_Event event, TF_Status *status) {
  sleep_for_ever(NULL);
}

static bool begins_badly(const char *name) {
  if (strcmp(name, "constructor.crash") == 0 || strcmp(name, "crash.in.init") == 0) crash();
  if (strcmp(name, "constructor.loop") == 0 || strcmp(name, "loop.in.init") == 0) loop();
  if (strcmp(name, "constructor.exit") == 0 || strcmp(name, "exit.in.init") == 0) exit(0);
  return false;
}

static bool state_killer_apply(mutant_tables *tables, const char *name) {
  SLOT("threads.in.create.stream", create_stream, stream_threads)
  SLOT("descriptors.in.create.stream", create_stream, stream_descriptors)
  SLOT("umask.in.create.stream", create_stream, stream_umask)
  SLOT("handler.in.create.stream", create_stream, stream_handler)
  SLOT("locale.in.create.stream", create_stream, stream_locale)
  SLOT("folder.in.create.stream", create_stream, stream_folder)
  return false;
}

bool killer_apply(mutant_tables *tables, const char *name) {
  if (begins_badly(name) || !tables) return false;
  SLOT("crash.in.allocate", allocate, allocate_crashes)
  SLOT("hoard.in.allocate", allocate, allocate_hoards)
  SLOT("trap.in.allocate", allocate, allocate_traps)
  SLOT("exit.in.create.stream", create_stream, stream_exits)
  SLOT("exit.3.in.create.stream", create_stream, stream_exits_3)
  SLOT("kill.in.create.stream", create_stream, stream_kills)
  SLOT("breed.in.create.stream", create_stream, stream_breeds)
  SLOT("loop.in.synchronize", synchronize_all_activity, synchronize_loops)
  SLOT("abort.in.dtoh", memcpy_dtoh, copy_aborts)
  SLOT("deadlock.in.destroy.stream", destroy_stream, destroy_deadlocks)
  SLOT("jump.in.record.event", record_event, record_jumps)
  SLOT("overflow.in.sync.htod", sync_memcpy_htod, sync_overflows)
  SLOT("sleep.in.block", block_host_for_event, block_sleeps)
  SLOT("crash.in.callback", host_callback, callback_crashes)
  SLOT("end.of.thread.in.callback", host_callback, callback_ends_thread)
  ON("crash.in.destroy.device", tables->fns->destroy_device = destroy_device_crashes)
  return state_killer_apply(tables, name);
}
