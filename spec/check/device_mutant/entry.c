#include "device_mutant.h"

#include <dlfcn.h>
#include <stdio.h>

/* The reference device's sources are compiled with its entry point under another name. */
#undef SE_InitPlugin
TF_CAPI_EXPORT extern void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status);
extern void reference_init_plugin(SE_PlatformRegistrationParams *params, TF_Status *status);

SP_StreamExecutor good;
SP_PlatformFns good_fns;
SP_DeviceFns good_device_fns;
SP_TimerFns good_timer_fns;

static SP_StreamExecutor executor;
static SP_DeviceFns device_fns;
static SP_TimerFns timer_fns;

static void entry_name(char *name, size_t size) {
  Dl_info here;
  if (!dladdr(&good, &here)) return;
  const char *slash = strrchr(here.dli_fname, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : here.dli_fname);
  size_t length = strlen(name);
  if (length > 3) name[length - 3] = '\0';
}

__attribute__((constructor)) static void constructor(void) {
  char name[256] = "";
  entry_name(name, sizeof name);
  if (strncmp(name, "constructor.", 12) == 0) crash_apply(NULL, name);
}

static void create_executor(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                            TF_Status *status) {
  memcpy(params->stream_executor, &executor, SP_STREAMEXECUTOR_STRUCT_SIZE);
  if (executor.ext) ((char *)params->stream_executor)[300] = 1;
}

static void create_device_fns(const SP_Platform *platform, SE_CreateDeviceFnsParams *params,
                              TF_Status *status) {
  memcpy(params->device_fns, &device_fns, SP_DEVICE_FNS_STRUCT_SIZE);
}

static void create_timer_fns(const SP_Platform *platform, SP_TimerFns *fns, TF_Status *status) {
  memcpy(fns, &timer_fns, SP_TIMER_FNS_STRUCT_SIZE);
}

/* The good tables are made at once, so that a fault can be put into all of them together. */
static void make_tables(SE_PlatformRegistrationParams *params, TF_Status *status) {
  SE_CreateStreamExecutorParams one = {.stream_executor = &good};
  SE_CreateDeviceFnsParams two = {.device_fns = &good_device_fns};
  good.struct_size = SP_STREAMEXECUTOR_STRUCT_SIZE;
  good_device_fns.struct_size = SP_DEVICE_FNS_STRUCT_SIZE;
  good_timer_fns.struct_size = SP_TIMER_FNS_STRUCT_SIZE;
  good_fns = *params->platform_fns;
  good_fns.create_stream_executor(params->platform, &one, status);
  good_fns.create_device_fns(params->platform, &two, status);
  good_fns.create_timer_fns(params->platform, &good_timer_fns, status);
  executor = good;
  device_fns = good_device_fns;
  timer_fns = good_timer_fns;
  params->platform_fns->create_stream_executor = create_executor;
  params->platform_fns->create_device_fns = create_device_fns;
  params->platform_fns->create_timer_fns = create_timer_fns;
}

/* A misspelt name must not pass for a good plugin. */
static bool apply(mutant_tables *tables, const char *name) {
  return overlap_fault_apply(tables, name) || strncmp(name, "good", 4) == 0 ||
         strncmp(name, "constructor.", 12) == 0 || table_fault_apply(tables, name) ||
         memory_fault_apply(tables, name) || copy_fault_apply(tables, name) ||
         stream_fault_apply(tables, name) || event_fault_apply(tables, name) ||
         callback_fault_apply(tables, name) || wait_fault_apply(tables, name) ||
         size_fault_apply(tables, name) || handle_fault_apply(tables, name) ||
         thread_fault_apply(tables, name) || crash_apply(tables, name);
}

void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status) {
  char name[256] = "";
  entry_name(name, sizeof name);
  reference_init_plugin(params, status);
  make_tables(params, status);
  mutant_tables tables = {params->platform, params->platform_fns, &executor, &device_fns,
                          &timer_fns};
  if (!apply(&tables, name)) TF_SetStatus(status, TF_INVALID_ARGUMENT, "no fault of that name");
}
