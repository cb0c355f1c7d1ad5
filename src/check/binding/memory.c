/* The slots of a device plugin about memory: allocating, copying and filling it.
 *
 * The struct that describes a memory is the host's, and is there during the call alone. So each call
 * gets structs of its own (`lent`), which are emptied when it returns: a plugin that looks at them later
 * finds no address. They are used again after LENT others, by the thread of the Lua state alone. Those
 * from `spoiled` up to `next` belong to the present call. */
#include <string.h>

#include "device.h"

const char runner_memory_class[] = "modfs.runner.memory";

typedef struct memory {
  SP_DeviceMemoryBase base; /* first */
  int number;
} memory;

enum { LENT = 4096 };

static SP_DeviceMemoryBase lent[LENT];
static size_t next, spoiled;

static SP_DeviceMemoryBase part_of(const memory *whole, int64_t offset, uint64_t size) {
  return (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                               .opaque = (char *)whole->base.opaque + offset,
                               .size = size,
                               .payload = whole->base.payload};
}

/* A part of a memory is passed to the plugin as a memory of its own, as hosts do. */
static SP_DeviceMemoryBase *check_memory(lua_State *L, int arg) {
  const memory *whole = luaL_checkudata(L, arg, runner_memory_class);
  int64_t offset = runner_integer(L, arg + 1);
  SP_DeviceMemoryBase *part = &lent[next++ % LENT];
  *part = part_of(whole, offset, whole->base.size - (uint64_t)offset);
  return part;
}

/* The answer of a slot, whose structs are the host's again. */
static int answer(lua_State *L, const TF_Status *status) {
  for (; spoiled != next; spoiled++)
    lent[spoiled % LENT] = (SP_DeviceMemoryBase){0};
  return runner_answer(L, status);
}

static uint64_t check_size(lua_State *L, int arg) {
  return (uint64_t)runner_integer(L, arg);
}

/* Memory ----------------------------------------------------------------------------------- */

SP_DeviceMemoryBase *runner_new_memory(lua_State *L) {
  memory *made = runner_new(L, sizeof *made, runner_memory_class);
  made->number = runner_number(L, runner_memory_class);
  return &made->base;
}

/* allocate(size) -> memory, or RESOURCE_EXHAUSTED */
static int slot_allocate(lua_State *L) {
  runner_device *device = runner_check_device(L);
  uint64_t size = check_size(L, 2);
  SP_DeviceMemoryBase *made = runner_new_memory(L);
  device_abi_allocate(&device->platform->abi, runner_device_of(device), size, made);
  if (!made->opaque) return runner_failure(L, TF_RESOURCE_EXHAUSTED, "opaque is NULL");
  return 1;
}

static int slot_deallocate(lua_State *L) {
  runner_device *device = runner_check_device(L);
  memory *whole = luaL_checkudata(L, 2, runner_memory_class);
  SP_DeviceMemoryBase base = {.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                              .opaque = whole->base.opaque,
                              .size = whole->base.size,
                              .payload = whole->base.payload};
  device_abi_deallocate(&device->platform->abi, runner_device_of(device), &base);
  whole->base.opaque = NULL;
  lua_pushboolean(L, 1);
  return 1;
}

/* memory:facts() -> { struct_size, size, edge } ; edge is how far opaque is from a multiple of 64
 */
static int memory_facts(lua_State *L) {
  const memory *whole = luaL_checkudata(L, 1, runner_memory_class);
  lua_newtable(L);
  compat_pushinteger(L, (int64_t)whole->base.struct_size);
  lua_setfield(L, -2, "struct_size");
  compat_pushinteger(L, (int64_t)whole->base.size);
  lua_setfield(L, -2, "size");
  lua_pushnumber(L, (lua_Number)((uintptr_t)whole->base.opaque % 64));
  lua_setfield(L, -2, "edge");
  return 1;
}

/* memory:apart(other) -> whether the two do not overlap */
static int memory_apart(lua_State *L) {
  const memory *a = luaL_checkudata(L, 1, runner_memory_class);
  const memory *b = luaL_checkudata(L, 2, runner_memory_class);
  uintptr_t from = (uintptr_t)a->base.opaque, other = (uintptr_t)b->base.opaque;
  lua_pushboolean(L, from + a->base.size <= other || other + b->base.size <= from);
  return 1;
}

/* memory:part(offset, n) -> memory: n of its bytes, and no more */
static int memory_part(lua_State *L) {
  const memory *whole = luaL_checkudata(L, 1, runner_memory_class);
  int64_t offset = runner_integer(L, 2), n = runner_integer(L, 3);
  memory *made = runner_new(L, sizeof *made, runner_memory_class);
  made->base = part_of(whole, offset, (uint64_t)n);
  made->number = runner_number(L, runner_memory_class);
  return 1;
}

static int memory_text(lua_State *L) {
  const memory *whole = luaL_checkudata(L, 1, runner_memory_class);
  lua_pushfstring(L, "memory %d (%d bytes)", whole->number, (int)whole->base.size);
  return 1;
}

static int push_host(lua_State *L, runner_host *host, void *address, uint64_t size) {
  if (!address) return runner_failure(L, TF_RESOURCE_EXHAUSTED, "it returned NULL");
  host->address = address;
  host->size = (size_t)size;
  host->number = runner_number(L, runner_host_class);
  return 1;
}

static int slot_host_memory_allocate(lua_State *L) {
  runner_device *device = runner_check_device(L);
  uint64_t size = check_size(L, 2);
  runner_host *host = runner_new(L, sizeof *host, runner_host_class);
  return push_host(L, host,
                   device_abi_host_allocate(&device->platform->abi, runner_device_of(device), size),
                   size);
}

static int slot_unified_memory_allocate(lua_State *L) {
  runner_device *device = runner_check_device(L);
  uint64_t size = check_size(L, 2);
  if (!device->platform->abi.unified) return runner_refuse_slot(L);
  runner_host *host = runner_new(L, sizeof *host, runner_host_class);
  void *address =
      device_abi_unified_allocate(&device->platform->abi, runner_device_of(device), size);
  return push_host(L, host, address, size);
}

static void *take_host(lua_State *L) {
  runner_host *host = luaL_checkudata(L, 2, runner_host_class);
  void *address = host->address;
  host->address = NULL;
  host->size = 0;
  lua_pushboolean(L, 1);
  return address;
}

static int slot_host_memory_deallocate(lua_State *L) {
  runner_device *device = runner_check_device(L);
  device_abi_host_deallocate(&device->platform->abi, runner_device_of(device), take_host(L));
  return 1;
}

static int slot_unified_memory_deallocate(lua_State *L) {
  runner_device *device = runner_check_device(L);
  device_abi_unified_deallocate(&device->platform->abi, runner_device_of(device), take_host(L));
  return 1;
}

/* as_memory(host) -> memory: unified memory as the device's own */
static int slot_as_memory(lua_State *L) {
  const runner_host *host = luaL_checkudata(L, 2, runner_host_class);
  memory *made = runner_new(L, sizeof *made, runner_memory_class);
  made->base = (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                                     .opaque = host->address,
                                     .size = host->size};
  made->number = runner_number(L, runner_memory_class);
  return 1;
}

static int slot_get_allocator_stats(lua_State *L) {
  runner_device *device = runner_check_device(L);
  SP_AllocatorStats stats;
  if (!device_abi_stats(&device->platform->abi, runner_device_of(device), &stats))
    return runner_failure(L, TF_UNIMPLEMENTED, "it says that there are none");
  lua_newtable(L);
  answer_integer(L, "struct_size", (int64_t)stats.struct_size);
  answer_integer(L, "num_allocs", stats.num_allocs);
  answer_integer(L, "bytes_in_use", stats.bytes_in_use);
  answer_integer(L, "peak_bytes_in_use", stats.peak_bytes_in_use);
  answer_integer(L, "largest_alloc_size", stats.largest_alloc_size);
  if (stats.has_bytes_limit) answer_integer(L, "bytes_limit", stats.bytes_limit);
  answer_integer(L, "bytes_reserved", stats.bytes_reserved);
  answer_integer(L, "peak_bytes_reserved", stats.peak_bytes_reserved);
  if (stats.has_bytes_reservable_limit)
    answer_integer(L, "bytes_reservable_limit", stats.bytes_reservable_limit);
  answer_integer(L, "largest_free_block_bytes", stats.largest_free_block_bytes);
  return 1;
}

/* device_memory_usage() -> { free, total } */
static int slot_device_memory_usage(lua_State *L) {
  runner_device *device = runner_check_device(L);
  int64_t available = -1, total = -1;
  if (!device_abi_usage(&device->platform->abi, runner_device_of(device), &available, &total))
    return runner_failure(L, TF_UNIMPLEMENTED, "it says that it does not know");
  lua_newtable(L);
  answer_integer(L, "free", available);
  answer_integer(L, "total", total);
  return 1;
}

/* Copies and fills: a memory comes with an offset, host memory, too --------------------------- */

typedef struct copied {
  SP_DeviceMemoryBase *memory;
  char *host;
  uint64_t n;
} copied;

/* The two ends of a copy, each with its offset behind it, and the number of bytes behind both. */
static copied check_copied(lua_State *L, int device, int host) {
  int64_t n = runner_integer(L, (device > host ? device : host) + 2);
  char *bytes = runner_bytes(L, host, runner_integer(L, host + 1), n);
  return (copied){check_memory(L, device), bytes, (uint64_t)n};
}

/* memcpy_dtoh(stream, host, offset, memory, offset, n) */
static int slot_memcpy_dtoh(lua_State *L) {
  BEGIN(memcpy_dtoh);
  copied ends = check_copied(L, 5, 3);
  executor->memcpy_dtoh(self, STREAM(2), ends.host, ends.memory, ends.n, status);
  return answer(L, status);
}

/* memcpy_htod(stream, memory, offset, host, offset, n) */
static int slot_memcpy_htod(lua_State *L) {
  BEGIN(memcpy_htod);
  copied ends = check_copied(L, 3, 5);
  executor->memcpy_htod(self, STREAM(2), ends.memory, ends.host, ends.n, status);
  return answer(L, status);
}

/* memcpy_dtod(stream, memory, offset, memory, offset, n) */
static int slot_memcpy_dtod(lua_State *L) {
  BEGIN(memcpy_dtod);
  SP_DeviceMemoryBase *to = check_memory(L, 3), *from = check_memory(L, 5);
  executor->memcpy_dtod(self, STREAM(2), to, from, check_size(L, 7), status);
  return answer(L, status);
}

static int slot_sync_memcpy_dtoh(lua_State *L) {
  BEGIN(sync_memcpy_dtoh);
  copied ends = check_copied(L, 4, 2);
  executor->sync_memcpy_dtoh(self, ends.host, ends.memory, ends.n, status);
  return answer(L, status);
}

static int slot_sync_memcpy_htod(lua_State *L) {
  BEGIN(sync_memcpy_htod);
  copied ends = check_copied(L, 2, 4);
  executor->sync_memcpy_htod(self, ends.memory, ends.host, ends.n, status);
  return answer(L, status);
}

static int slot_sync_memcpy_dtod(lua_State *L) {
  BEGIN(sync_memcpy_dtod);
  SP_DeviceMemoryBase *to = check_memory(L, 2), *from = check_memory(L, 4);
  executor->sync_memcpy_dtod(self, to, from, check_size(L, 6), status);
  return answer(L, status);
}

/* mem_zero(stream, memory, offset, n); memset and memset32(stream, memory, offset, pattern, n) */
static int slot_mem_zero(lua_State *L) {
  BEGIN(mem_zero);
  SP_DeviceMemoryBase *to = check_memory(L, 3);
  executor->mem_zero(self, STREAM(2), to, check_size(L, 5), status);
  return answer(L, status);
}

static int slot_memset(lua_State *L) {
  BEGIN(memset);
  SP_DeviceMemoryBase *to = check_memory(L, 3);
  executor->memset(self, STREAM(2), to, (uint8_t)runner_integer(L, 5), check_size(L, 6), status);
  return answer(L, status);
}

static int slot_memset32(lua_State *L) {
  BEGIN(memset32);
  SP_DeviceMemoryBase *to = check_memory(L, 3);
  executor->memset32(self, STREAM(2), to, (uint32_t)runner_integer(L, 5), check_size(L, 6), status);
  return answer(L, status);
}

const luaL_Reg runner_memory_slots[] = {SLOT(allocate),
                                        SLOT(deallocate),
                                        SLOT(host_memory_allocate),
                                        SLOT(host_memory_deallocate),
                                        SLOT(unified_memory_allocate),
                                        SLOT(unified_memory_deallocate),
                                        SLOT(as_memory),
                                        SLOT(get_allocator_stats),
                                        SLOT(device_memory_usage),
                                        SLOT(memcpy_dtoh),
                                        SLOT(memcpy_htod),
                                        SLOT(memcpy_dtod),
                                        SLOT(sync_memcpy_dtoh),
                                        SLOT(sync_memcpy_htod),
                                        SLOT(sync_memcpy_dtod),
                                        SLOT(mem_zero),
                                        SLOT(memset),
                                        SLOT(memset32),
                                        {NULL, NULL}};

#define METHOD(name)                                                                               \
  { #name, memory_##name }

void runner_open_memory(lua_State *L) {
  static const luaL_Reg methods[] = {
      METHOD(facts), METHOD(apart), METHOD(part), {"__tostring", memory_text}, {NULL, NULL}};
  runner_class(L, runner_memory_class, methods);
}
