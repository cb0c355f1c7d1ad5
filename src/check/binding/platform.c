/* A device plugin's platform and devices, and what they report of themselves. The slots are Lua
 * functions under their own names, called directly. */
#include "device.h"

static const char platform_class[] = "modfs.runner.platform";
const char runner_device_class[] = "modfs.runner.device";

static runner_platform *check_platform(lua_State *L) {
  return luaL_checkudata(L, 1, platform_class);
}

runner_device *runner_check_device(lua_State *L) {
  return luaL_checkudata(L, 1, runner_device_class);
}

void *runner_check_handle(lua_State *L, int arg, const char *class) {
  return ((handle *)luaL_checkudata(L, arg, class))->pointer;
}

int runner_refuse_slot(lua_State *L) {
  return runner_failure(L, TF_UNIMPLEMENTED, "the slot is empty");
}

int runner_answer_object(lua_State *L, const TF_Status *status) {
  return TF_GetCode(status) == TF_OK ? 1 : runner_answer(L, status);
}

/* The device and its platform ------------------------------------------------------------------ */

/* description() -> { struct_size, ordinal, has_handle, hardware_name, device_vendor, pci_bus_id }
 */
static int slot_description(lua_State *L) {
  const runner_device *device = runner_check_device(L);
  const SP_Device *block = runner_device_of(device);
  lua_newtable(L);
  answer_integer(L, "struct_size", (int64_t)block->struct_size);
  answer_integer(L, "ordinal", block->ordinal);
  if (device->platform->abi.rfc) return 1;
  answer_string(L, "hardware_name", block->hardware_name);
  answer_string(L, "device_vendor", block->device_vendor);
  answer_string(L, "pci_bus_id", block->pci_bus_id);
  return 1;
}

#define ASKS(slot)                                                                                 \
  static int slot_##slot(lua_State *L) {                                                           \
    const runner_device *device = runner_check_device(L);                                          \
    const SP_DeviceFns *fns = &device->platform->abi.device_fns;                                   \
    if (!fns->slot) return runner_refuse_slot(L);                                                  \
    lua_pushnumber(L, (lua_Number)fns->slot(runner_device_of(device)));                            \
    return 1;                                                                                      \
  }

ASKS(get_numa_node)
ASKS(get_memory_bandwidth)
ASKS(get_gflops)

/* platform(path) -> platform */
static int new_platform(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  runner_platform *platform = runner_new(L, sizeof *platform, platform_class);
  TF_Status *status = runner_status(L);
  runner_platform_open(platform, path, status);
  return runner_answer_object(L, status);
}

/* platform:facts() -> { name, type, api, unified, platform_size, fns_size, executor_size, overrun }
 */
static int platform_facts(lua_State *L) {
  const runner_platform *platform = check_platform(L);
  const device_abi *abi = &platform->abi;
  lua_newtable(L);
  answer_string(L, "name", abi->name);
  answer_string(L, "type", abi->type);
  answer_string(L, "api", abi->rfc ? "rfc257" : "shipped");
  answer_string(L, "overrun", runner_platform_overrun(platform));
  answer_integer(L, "platform_size", (int64_t)abi->platform.struct_size);
  answer_integer(L, "fns_size", (int64_t)abi->platform_fns.struct_size);
  answer_integer(L, "executor_size", (int64_t)abi->executor_block.struct_size);
  lua_pushboolean(L, abi->unified);
  lua_setfield(L, -2, "unified");
  return 1;
}

/* platform:slots() -> { name = "plugin" | "default" | "missing" } */
static int platform_slots(lua_State *L) {
  const runner_platform *platform = check_platform(L);
  lua_newtable(L);
  for (size_t i = 0;; i++) {
    runner_slot slot = runner_platform_slot(platform, i);
    if (!slot.name) return 1;
    answer_string(L, slot.name, slot.source);
  }
}

static int platform_get_device_count(lua_State *L) {
  runner_platform *platform = check_platform(L);
  TF_Status *status = runner_status(L);
  int64_t count = device_abi_count(&platform->abi, status);
  if (TF_GetCode(status) != TF_OK) return runner_answer(L, status);
  compat_pushinteger(L, count);
  return 1;
}

/* platform:create_device(ordinal) -> device */
static int platform_create_device(lua_State *L) {
  runner_platform *platform = check_platform(L);
  int ordinal = (int)runner_integer(L, 2);
  runner_device *device = runner_new(L, sizeof *device, runner_device_class);
  TF_Status *status = runner_status(L);
  device->platform = platform;
  device_abi_create_device(&platform->abi, ordinal, &device->made, status);
  return runner_answer_object(L, status);
}

static int platform_destroy_device(lua_State *L) {
  runner_platform *platform = check_platform(L);
  runner_device *device = luaL_checkudata(L, 2, runner_device_class);
  platform->abi.fns.destroy_device(&platform->abi.platform.platform, &device->made.block.device);
  lua_pushboolean(L, 1);
  return 1;
}

/* platform:close(): destroys its parts, in the contract's order. */
static int platform_close(lua_State *L) {
  device_abi_fini(&check_platform(L)->abi);
  return 0;
}

static int device_text(lua_State *L) {
  lua_pushfstring(L, "device %d", (int)runner_device_of(runner_check_device(L))->ordinal);
  return 1;
}

/* Classes ------------------------------------------------------------------------------------- */

#define PLATFORM(name)                                                                             \
  { #name, platform_##name }

static const luaL_Reg device_methods[] = {SLOT(description),           SLOT(get_numa_node),
                                          SLOT(get_memory_bandwidth),  SLOT(get_gflops),
                                          {"__tostring", device_text}, {NULL, NULL}};

static const luaL_Reg platform_methods[] = {PLATFORM(facts),
                                            PLATFORM(slots),
                                            PLATFORM(get_device_count),
                                            PLATFORM(create_device),
                                            PLATFORM(destroy_device),
                                            PLATFORM(close),
                                            {NULL, NULL}};

static const luaL_Reg functions[] = {{"platform", new_platform}, {NULL, NULL}};

void runner_open_device(lua_State *L) {
  runner_class(L, platform_class, platform_methods);
  runner_class(L, runner_device_class, device_methods);
  runner_class(L, runner_device_class, runner_memory_slots);
  runner_class(L, runner_device_class, runner_work_slots);
  runner_class(L, runner_device_class, runner_crowd_slots);
  runner_class(L, runner_device_class, runner_waiter_slots);
  runner_class(L, runner_device_class, runner_device_overlap_slots);
  runner_open_memory(L);
  runner_open_work(L);
  runner_open_waiter(L);
  runner_register(L, functions);
}
