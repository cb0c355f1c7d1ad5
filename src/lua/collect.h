/* What the collector cannot see: an object of a few bytes may hold a descriptor or a megabyte. */
#ifndef MODFS_LUA_COLLECT_H
#define MODFS_LUA_COLLECT_H

#include "binding.h"

/* Lets the collector work as if Lua itself had taken that many bytes. Runs finalizers. */
void collect_charge(lua_State *L, size_t bytes);

/* Whether a failed attempt is worth a second one: true after collecting everything when the failure
 * is RESOURCE_EXHAUSTED (no descriptor, no memory). Runs finalizers. */
bool collect_for_retry(lua_State *L, const TF_Status *status);

#endif
