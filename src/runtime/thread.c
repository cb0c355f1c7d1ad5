/* Threads for plugins.
 *
 * A TF_Thread is started, then joined exactly once: TF_JoinThread waits for its function to return
 * and frees the struct. The new thread only reads name, work and param, which are written before it
 * starts; only the starter writes id, and only the thread that joins reads it. There is no lock. A
 * plugin's thread does not exist in a forked child and must not be joined there: the plugin has to
 * know, by a pid or an epoch of its own, whether a thread belongs to this process. */
#include <modfs/env.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numa.h"

struct TF_Thread {
  pthread_t id;
  void (*work)(void *);
  void *param;
  char name[16]; /* the kernel keeps no more */
};

void TF_DefaultThreadOptions(TF_ThreadOptions *options) {
  *options = (TF_ThreadOptions){.stack_size = 0, .guard_size = 0, .numa_node = -1};
}

static void *thread_run(void *argument) {
  TF_Thread *thread = argument;
  if (thread->name[0]) pthread_setname_np(pthread_self(), thread->name);
  thread->work(thread->param);
  return NULL;
}

static int attributes_fill(pthread_attr_t *attributes, const TF_ThreadOptions *options) {
  int error = 0;
  cpu_set_t processors;
  if (options->stack_size >= (size_t)PTHREAD_STACK_MIN)
    error = pthread_attr_setstacksize(attributes, options->stack_size);
  if (!error && options->guard_size)
    error = pthread_attr_setguardsize(attributes, options->guard_size);
  if (!error && modfs_numa_processors(options->numa_node, &processors))
    error = pthread_attr_setaffinity_np(attributes, sizeof processors, &processors);
  return error;
}

static int thread_start(TF_Thread *thread, const TF_ThreadOptions *options) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error) return error;
  error = attributes_fill(&attributes, options);
  if (!error) error = pthread_create(&thread->id, &attributes, thread_run, thread);
  pthread_attr_destroy(&attributes);
  return error;
}

static TF_Thread *thread_new(const char *name, void (*work)(void *), void *param) {
  TF_Thread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  thread->work = work;
  thread->param = param;
  if (name) snprintf(thread->name, sizeof thread->name, "%.15s", name);
  return thread;
}

TF_Thread *TF_StartThread(const TF_ThreadOptions *options, const char *name, void (*work)(void *),
                          void *param) {
  TF_ThreadOptions defaults;
  char text[128];
  TF_DefaultThreadOptions(&defaults);
  TF_Thread *thread = thread_new(name, work, param);
  int error = thread ? thread_start(thread, options ? options : &defaults) : ENOMEM;
  if (!error) return thread;
  const char *reason = strerror_r(error, text, sizeof text);
  TF_Log(TF_ERROR, "cannot start thread %s: %s", name ? name : "", reason);
  free(thread);
  return NULL;
}

void TF_JoinThread(TF_Thread *thread) {
  if (!thread) return;
  pthread_join(thread->id, NULL);
  free(thread);
}
