#include "device.h"

#include <string.h>

#include "collect.h"

static const char devices_key = 0;

/* One object for each device ------------------------------------------------ */

static modfs_device *try_open(lua_State *L, const modfs_platform *platform, int ordinal) {
  TF_Status *status = state_status(L);
  modfs_device *device = modfs_device_open(platform, ordinal, status);
  if (device == NULL && collect_for_retry(L, status))
    device = modfs_device_open(platform, ordinal, status);
  return device;
}

int modfs_lua_device_push(lua_State *L, const modfs_platform *platform, int ordinal) {
  int top = lua_gettop(L);
  push_registry_table(L, &devices_key, "v");
  lua_pushfstring(L, "%s:%d", modfs_platform_name(platform), ordinal);
  device_part *self = object_new(L, &modfs_device_class);
  lua_pushvalue(L, top + 2);
  lua_rawget(L, top + 1);
  const device_part *known = object_test(L, -1, &modfs_device_class);
  if (known == NULL || known->object.handle == NULL) {
    lua_pop(L, 1);
    self->platform = platform;
    self->ordinal = ordinal;
    self->object.handle = try_open(L, platform, ordinal);
    if (self->object.handle == NULL) return push_failure(L, state_status(L));
    lua_pushvalue(L, top + 2);
    lua_pushvalue(L, top + 3);
    lua_rawset(L, top + 1);
  }
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return 1;
}

/* The device itself --------------------------------------------------------- */

static int device_memory_usage(lua_State *L) {
  no_options(L, 2);
  modfs_device *device = check_device(L, 1)->object.handle;
  TF_Status *status = state_status(L);
  int64_t available, total;
  modfs_device_memory_usage(device, &available, &total, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_integer(L, available);
  push_integer(L, total);
  return 2;
}

static void push_stats(lua_State *L, const SP_AllocatorStats *stats) {
  const struct {
    const char *name;
    bool known;
    int64_t value;
  } fields[] = {
      {"num_allocs", true, stats->num_allocs},
      {"bytes_in_use", true, stats->bytes_in_use},
      {"peak_bytes_in_use", true, stats->peak_bytes_in_use},
      {"largest_alloc_size", true, stats->largest_alloc_size},
      {"bytes_limit", stats->has_bytes_limit != 0, stats->bytes_limit},
      {"bytes_reserved", true, stats->bytes_reserved},
      {"peak_bytes_reserved", true, stats->peak_bytes_reserved},
      {"bytes_reservable_limit", stats->has_bytes_reservable_limit != 0,
       stats->bytes_reservable_limit},
      {"largest_free_block_bytes", true, stats->largest_free_block_bytes},
  };
  lua_createtable(L, 0, (int)(sizeof fields / sizeof *fields));
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!fields[i].known) continue;
    push_integer(L, fields[i].value);
    lua_setfield(L, -2, fields[i].name);
  }
}

static int device_allocator_stats(lua_State *L) {
  no_options(L, 2);
  SP_AllocatorStats stats = {.struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE};
  if (modfs_device_allocator_stats(check_device(L, 1)->object.handle, &stats))
    push_stats(L, &stats);
  else
    lua_pushnil(L);
  return 1;
}

static void synchronize_run(operation *self, TF_Status *status) {
  modfs_device_synchronize(self->handle, status);
}

static int device_synchronize(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {synchronize_run, push_waiting, NULL, true};
  device_part *self = check_device(L, 1);
  return operation_perform(
      L, &(operation){.kind = &kind, .handle = self->object.handle, .object = &self->object});
}

/* Collects garbage before it refuses: unreachable children do not count. */
static int device_close(lua_State *L) {
  device_part *self = check_device(L, 1);
  TF_Status *status = state_status(L);
  object_join(&self->object);
  modfs_device_close(self->object.handle, status);
  if (TF_GetCode(status) == TF_FAILED_PRECONDITION) {
    lua_gc(L, LUA_GCCOLLECT, 0);
    modfs_device_close(check_device(L, 1)->object.handle, status);
  }
  if (TF_GetCode(status) == TF_OK) self->object.handle = NULL;
  return push_done(L, status);
}

static int device_tostring(lua_State *L) {
  const device_part *self = check_self(L, &modfs_device_class);
  if (self->object.handle == NULL) return part_tostring(L, &modfs_device_class, NULL);
  modfs_device_facts facts = modfs_device_describe(self->object.handle);
  return part_tostring(L, &modfs_device_class, facts.hardware_name);
}

/* Fields -------------------------------------------------------------------- */

static void push_known(lua_State *L, int64_t value) {
  if (value < 0)
    lua_pushnil(L);
  else
    push_integer(L, value);
}

/* The plugin's strings are valid as long as the device, which a finalizer may close. */
static void push_told(lua_State *L, const char *text) {
  if (text != NULL)
    push_text(L, text);
  else
    lua_pushnil(L);
}

/* Pushes a field for which the plugin is not called; false for any other key. */
static bool push_own(lua_State *L, const char *name, const device_part *self) {
  const char *platform = modfs_platform_name(self->platform);
  if (strcmp(name, "platform") == 0)
    lua_pushstring(L, platform);
  else if (strcmp(name, "type") == 0)
    lua_pushstring(L, modfs_platform_type(self->platform));
  else if (strcmp(name, "ordinal") == 0)
    push_integer(L, self->ordinal);
  else if (strcmp(name, "name") == 0)
    lua_pushfstring(L, "%s:%d", platform, self->ordinal);
  else
    return false;
  return true;
}

static void push_asked(lua_State *L, const char *name, const modfs_device_facts *facts) {
  if (strcmp(name, "hardware_name") == 0)
    push_told(L, facts->hardware_name);
  else if (strcmp(name, "vendor") == 0)
    push_told(L, facts->vendor);
  else if (strcmp(name, "pci_bus_id") == 0)
    push_told(L, facts->pci_bus_id);
  else if (strcmp(name, "numa_node") == 0)
    push_known(L, facts->numa_node);
  else if (strcmp(name, "memory_bandwidth") == 0)
    push_known(L, facts->memory_bandwidth);
  else if (strcmp(name, "gflops") == 0 && facts->gflops >= 0)
    lua_pushnumber(L, facts->gflops);
  else
    lua_pushnil(L);
}

static int device_index(lua_State *L) {
  const device_part *self = check_self(L, &modfs_device_class);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(2));
  if (!lua_isnil(L, -1) || lua_type(L, 2) != LUA_TSTRING) return 1;
  check_device(L, 1);
  const char *name = lua_tostring(L, 2);
  if (push_own(L, name, self)) return 1;
  modfs_device_facts facts = modfs_device_describe(self->object.handle);
  push_asked(L, name, &facts);
  return 1;
}

void modfs_lua_open_device(lua_State *L) {
  class_new(L, &modfs_device_class,
            FUNCTIONS({"memory_usage", device_memory_usage},
                      {"allocator_stats", device_allocator_stats}, {"allocate", device_allocate},
                      {"host_allocate", device_host_allocate},
                      {"unified_allocate", device_unified_allocate}, {"stream", device_stream},
                      {"event", device_event}, {"timer", device_timer}, {"load", device_load},
                      {"synchronize", device_synchronize}, {"close", device_close}),
            FUNCTIONS({"__tostring", device_tostring}, {"__index", device_index}));
}
