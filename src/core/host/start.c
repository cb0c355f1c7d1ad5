/* Starting modfs in a process: installs the hooks in the runtime, and loads the two filesystems
 * that are always there. It happens once (pthread_once), on the first thread that calls
 * modfs_start; the result is kept, never changes, and is what every later call returns. Nothing is
 * ever freed, and a forked child inherits it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/dylib.h"
#include "hooks.h"
#include "core/base/status.h"

static struct {
  pthread_once_t once;
  TF_Code code;
  char reason[1024];
  char directory[4096];
} start = {.once = PTHREAD_ONCE_INIT};

static void load_shipped(const char *name, TF_Status *status) {
  char file[sizeof start.directory + 32];
  snprintf(file, sizeof file, "%s/%s", start.directory, name);
  if (status_ok(status)) modfs_plugin_load(file, NULL, false, status);
}

static void start_once(void) {
  TF_Status *status = TF_NewStatus();
  if (!status) {
    start.code = TF_RESOURCE_EXHAUSTED;
    return;
  }
  const char *self = dylib_self(), *slash = self ? strrchr(self, '/') : NULL;
  if (slash)
    snprintf(start.directory, sizeof start.directory, "%.*s/plugins", (int)(slash - self), self);
  hooks_install(status);
  load_shipped("posix.so", status);
  load_shipped("mem.so", status);
  start.code = TF_GetCode(status);
  snprintf(start.reason, sizeof start.reason, "%s", TF_Message(status));
  TF_DeleteStatus(status);
}

void modfs_start(TF_Status *status) {
  pthread_once(&start.once, start_once);
  TF_SetStatus(status, start.code, start.reason);
}

const char *modfs_plugin_directory(void) {
  return start.directory;
}
