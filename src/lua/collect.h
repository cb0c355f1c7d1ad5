/* The garbage collector and what it cannot see: a small object may own a descriptor or megabytes.
 */
#ifndef MODFS_LUA_COLLECT_H
#define MODFS_LUA_COLLECT_H

#include "binding.h"

/* Makes the collector work as if Lua itself had allocated that many bytes. Runs finalizers. */
void collect_charge(lua_State *L, size_t bytes);

/* Whether to try a failed call again: when the failure is RESOURCE_EXHAUSTED (no descriptor, no
 * memory), collects all garbage and returns true. Runs finalizers. */
bool collect_for_retry(lua_State *L, const TF_Status *status);

/* Whether the process is about to run out of descriptors, or has just run out of them: one that is
 * closed since a failure does not count. */
bool descriptors_are_few(void);

/* For what opens several descriptors, and would leave things out without them: collects all garbage
 * when they are few. Runs finalizers. */
void collect_for_descriptors(lua_State *L);

#endif
