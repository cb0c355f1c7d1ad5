/* The reference device with one fault put in: the one that the file is called after
 * ("stats.peak.now.so"). A file whose name begins with "good" has none. */
#ifndef DEVICE_MUTANT_H
#define DEVICE_MUTANT_H

#include "modfs/stream_executor.h"

#include <stdbool.h>
#include <string.h>

/* The reference device's own slots. */
extern SP_StreamExecutor good;
extern SP_PlatformFns good_fns;
extern SP_DeviceFns good_device_fns;
extern SP_TimerFns good_timer_fns;

/* Those that are registered. */
typedef struct mutant_tables {
  SP_Platform *platform;
  SP_PlatformFns *fns;
  SP_StreamExecutor *executor;
  SP_DeviceFns *device_fns;
  SP_TimerFns *timer_fns;
} mutant_tables;

/* Each puts the fault called name in; false when it has none of that name. */
bool table_fault_apply(mutant_tables *tables, const char *name);
bool memory_fault_apply(mutant_tables *tables, const char *name);
bool copy_fault_apply(mutant_tables *tables, const char *name);
bool stream_fault_apply(mutant_tables *tables, const char *name);
bool event_fault_apply(mutant_tables *tables, const char *name);
bool callback_fault_apply(mutant_tables *tables, const char *name);
bool wait_fault_apply(mutant_tables *tables, const char *name);
bool size_fault_apply(mutant_tables *tables, const char *name);
bool handle_fault_apply(mutant_tables *tables, const char *name);
bool thread_fault_apply(mutant_tables *tables, const char *name);
bool overlap_fault_apply(mutant_tables *tables, const char *name);
bool crash_apply(mutant_tables *tables, const char *name);

#define ON(fault, change)                                                                          \
  if (strcmp(name, fault) == 0) {                                                                  \
    change;                                                                                        \
    return true;                                                                                   \
  }
#define SLOT(fault, slot, function) ON(fault, tables->executor->slot = function)

#define DEVICE const SP_Device *device
#define BASE SP_DeviceMemoryBase
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
