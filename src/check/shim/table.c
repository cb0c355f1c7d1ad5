#include <dlfcn.h>
#include <string.h>

#include "system_calls.h"
#include "injected.h"
#include "locks.h"
#include "memory.h"
#include "stops.h"

/* Initial-exec: any other model may allocate on first use, and this is read inside malloc. */
static __thread int depth __attribute__((tls_model("initial-exec")));

bool shim_is_inside(void) {
  return depth > 0;
}

int shim_step_out(void) {
  int before = depth;
  depth = 0;
  return before;
}

void shim_step_in(int before) {
  depth = before;
}

void *shim_next(_Atomic uintptr_t *place, const char *name, void *call) {
  uintptr_t address = *place;
  if (!address) *place = address = (uintptr_t)dlsym(RTLD_NEXT, name);
  return memcpy(call, &address, sizeof address);
}

static void enter(void) {
  depth++;
}

static void leave(void) {
  if (--depth == 0) locks_leave();
}

__attribute__((visibility("default"))) const modfs_shim_table modfs_shim = {
    .enter = enter,
    .leave = leave,
    .blocks = memory_blocks,
    .block = memory_block,
    .fault = memory_fault,
    .fail_allocation = memory_fail_allocation,
    .allocation_failed = memory_allocation_failed,
    .arm = calls_arm,
    .arm_also = calls_arm_also,
    .fired = calls_fired,
    .calls = calls_count,
    .failed = calls_failed,
    .loose = calls_loose,
    .synchronous = calls_synchronous,
    .note = calls_notes,
    .noted = calls_noted,
    .stop = stops_set,
    .waiting = stops_waiting,
    .injected_to = injected_to,
};
