/* Device memory: allocations, and copies that are done when they return.
 *
 * A modfs_memory comes from the plugin directly, or, where the platform asks for it, out of large
 * pieces through the allocator in bfc.c (from_allocator). Its range never changes. References are
 * counted atomically: one of its owner and one of each stream whose work retains it. The last one
 * returns the range to where it came from. A memory of no bytes has no range (opaque NULL).
 *
 * The device core's lock guards its allocator and its list of pieces. No other lock is taken under
 * it, and it is released for each call of the plugin. While the plugin reports its memory for the
 * new allocator, or allocates a piece, the core is "growing": one thread does that at a time, and
 * others that find no free block wait on "grown". Freeing, allocating what is free, and statistics
 * do not wait, and the plugin may lead to them from within; but it must not allocate through modfs
 * more than is free, for that would wait for itself. Copies take no lock.
 *
 * Pieces go back to the plugin only with the device, when no memory can be left: each memory, and
 * each block of pinned or unified host memory, is a child of its modfs_device and keeps it open.
 *
 * In a forked child allocating and copying are refused, and freeing frees the host's struct alone;
 * the core's lock, which another thread may have held at the fork, is not touched. */
#include "memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bytes.h"
#include "device_defaults.h"
#include "core/base/interruption.h"
#include "core/base/status.h"

struct modfs_memory {
  modfs_device *device;
  atomic_size_t references;
  uint64_t size;
  SP_DeviceMemoryBase base; /* opaque NULL: no bytes */
  bool from_allocator;
};

/* The plugin's pieces ---------------------------------------------------------------- */

static void return_piece(device_core *core, SP_DeviceMemoryBase *base) {
  device_abi_deallocate(core->platform->abi, &core->made.block.device, base);
}

/* Keeps opaque, size and payload, as the contract says. A size of 0 means that the plugin gave the
 * size requested. opaque is NULL on failure; the status is set only for a breach of contract, not
 * when there is no room. */
static void take_piece(device_core *core, uint64_t size, SP_DeviceMemoryBase *base,
                       TF_Status *status) {
  char what[96];
  device_abi_allocate(core->platform->abi, &core->made.block.device, size, base);
  base->struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE;
  base->ext = NULL;
  if (!base->opaque) return;
  if (base->size == 0) base->size = size;
  if (base->size >= size) return;
  snprintf(what, sizeof what, "allocate returned %" PRIu64 " bytes for a request of %" PRIu64,
           base->size, size);
  platform_breach(core->platform, status, what);
  return_piece(core, base);
  base->opaque = NULL;
}

/* The large pieces of our own allocator --------------------------------------------- */

/* The lock is held, but not during the call of the plugin; so in release_piece. */
static uintptr_t allocate_piece(void *context, uint64_t size) {
  device_core *core = context;
  pthread_mutex_unlock(&core->lock);
  core_piece *piece = calloc(1, sizeof *piece);
  TF_Status *ignored = TF_NewStatus();
  if (piece && ignored) take_piece(core, size, &piece->base, ignored);
  TF_DeleteStatus(ignored);
  pthread_mutex_lock(&core->lock);
  if (!piece || !piece->base.opaque) {
    free(piece);
    return 0;
  }
  piece->next = core->pieces;
  core->pieces = piece;
  return (uintptr_t)piece->base.opaque;
}

static void release_piece(void *context, uintptr_t address, uint64_t size) {
  device_core *core = context;
  core_piece **link = &core->pieces;
  (void)size;
  while (*link && (uintptr_t)(*link)->base.opaque != address)
    link = &(*link)->next;
  core_piece *piece = *link;
  if (!piece) return;
  *link = piece->next;
  pthread_mutex_unlock(&core->lock);
  return_piece(core, &piece->base);
  pthread_mutex_lock(&core->lock);
  free(piece);
}

void memory_free_allocator(device_core *core) {
  pthread_mutex_lock(&core->lock);
  bfc_free(core->allocator);
  core->allocator = NULL;
  pthread_mutex_unlock(&core->lock);
}

/* Where the free memory is not known, pieces can only be taken as they are needed. The lock is held,
 * but not during the call of the plugin. */
static bfc *new_allocator(device_core *core) {
  TF_Status *ignored = TF_NewStatus();
  bfc_source source = {core, allocate_piece, release_piece};
  int64_t available = 0, all = 0;
  if (!ignored) return NULL;
  pthread_mutex_unlock(&core->lock);
  device_usage(core, &available, &all, ignored);
  pthread_mutex_lock(&core->lock);
  bool known = status_ok(ignored) && available > 0;
  TF_DeleteStatus(ignored);
  return bfc_new(source, known ? (uint64_t)available : INT64_MAX,
                 core->platform->abi->grows || !known);
}

/* The payload that the plugin gave for the piece around an address. The lock is held. */
static uint64_t payload_of(const device_core *core, uintptr_t address) {
  const core_piece *piece = core->pieces;
  while (piece && address - (uintptr_t)piece->base.opaque >= piece->base.size)
    piece = piece->next;
  return piece ? piece->base.payload : 0;
}

/* Makes the allocator if there is none, and extends it; the lock is held. */
static uintptr_t grow_and_allocate(device_core *core, uint64_t size) {
  core->growing = true;
  if (!core->allocator) core->allocator = new_allocator(core);
  uintptr_t address = core->allocator ? bfc_allocate(core->allocator, size) : 0;
  core->growing = false;
  pthread_cond_broadcast(&core->grown);
  return address;
}

static void allocate_from_own(modfs_memory *memory) {
  device_core *core = memory->device->core;
  uintptr_t address = 0;
  pthread_mutex_lock(&core->lock);
  for (;;) {
    if (core->allocator) address = bfc_take(core->allocator, memory->size);
    if (address || !core->growing) break;
    pthread_cond_wait(&core->grown, &core->lock);
  }
  if (!address) address = grow_and_allocate(core, memory->size);
  uint64_t payload = address ? payload_of(core, address) : 0;
  pthread_mutex_unlock(&core->lock);
  memory->from_allocator = true;
  memory->base = (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                                       .opaque = (void *)address,
                                       .size = memory->size,
                                       .payload = payload};
}

bool modfs_device_allocator_stats(modfs_device *device, SP_AllocatorStats *stats) {
  device_core *core = device->core;
  const device_abi *abi = device_abi_of(device);
  if (!device_is_own(device)) return false;
  if (!abi->bfc) return device_abi_stats(abi, device_handle(device), stats);
  pthread_mutex_lock(&core->lock);
  bfc_stats own = core->allocator ? bfc_statistics(core->allocator) : (bfc_stats){0};
  bool limited = core->allocator && own.bytes_limit < INT64_MAX;
  pthread_mutex_unlock(&core->lock);
  *stats = (SP_AllocatorStats){.struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE,
                               .num_allocs = own.num_allocs,
                               .bytes_in_use = own.bytes_in_use,
                               .peak_bytes_in_use = own.peak_bytes_in_use,
                               .largest_alloc_size = own.largest_alloc_size,
                               .has_bytes_limit = limited,
                               .bytes_limit = own.bytes_limit,
                               .bytes_reserved = own.bytes_reserved,
                               .peak_bytes_reserved = own.peak_bytes_reserved,
                               .largest_free_block_bytes = own.largest_free_block_bytes};
  return true;
}

int64_t memory_in_reserve(modfs_device *device) {
  device_core *core = device->core;
  bfc_stats own = {0};
  pthread_mutex_lock(&core->lock);
  if (device_is_own(device) && core->allocator) own = bfc_statistics(core->allocator);
  pthread_mutex_unlock(&core->lock);
  return own.bytes_reserved - own.bytes_in_use;
}

/* Allocating and freeing -------------------------------------------------------------- */

static void allocate(modfs_memory *memory, TF_Status *status) {
  if (memory->size == 0) return;
  if (memory->size > INT64_MAX)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the size exceeds 2^63 - 1 bytes");
  else if (device_abi_of(memory->device)->bfc)
    allocate_from_own(memory);
  else
    take_piece(memory->device->core, memory->size, &memory->base, status);
  if (status_ok(status) && !memory->base.opaque)
    modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "the device cannot allocate %llu bytes",
                     (unsigned long long)memory->size);
}

modfs_memory *modfs_memory_allocate(modfs_device *device, uint64_t size, TF_Status *status) {
  modfs_memory *memory = calloc(1, sizeof *memory);
  status_clear(status);
  if (!memory) {
    status_no_memory(status);
  } else if (!device_is_inherited(device, status)) {
    memory->device = device;
    memory->size = size;
    atomic_init(&memory->references, 1);
    allocate(memory, status);
  }
  status_locate(status, "allocate on", device->core->platform->name);
  if (!status_ok(status)) {
    free(memory);
    return NULL;
  }
  device_add_child(device);
  return memory;
}

static void release(modfs_memory *memory) {
  device_core *core = memory->device->core;
  if (!memory->base.opaque) return;
  if (memory->from_allocator) {
    pthread_mutex_lock(&core->lock);
    bfc_release(core->allocator, (uintptr_t)memory->base.opaque);
    pthread_mutex_unlock(&core->lock);
  } else {
    return_piece(core, &memory->base);
  }
}

modfs_memory *memory_hold(modfs_memory *memory) {
  atomic_fetch_add_explicit(&memory->references, 1, memory_order_relaxed);
  return memory;
}

void modfs_memory_free(modfs_memory *memory) {
  if (!memory || atomic_fetch_sub_explicit(&memory->references, 1, memory_order_acq_rel) > 1)
    return;
  if (device_is_own(memory->device)) release(memory);
  device_drop_child(memory->device);
  free(memory);
}

uint64_t modfs_memory_size(const modfs_memory *memory) {
  return memory->size;
}

modfs_device *modfs_memory_device(const modfs_memory *memory) {
  return memory->device;
}

SP_DeviceMemoryBase memory_base(const modfs_memory *memory, uint64_t offset) {
  return (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                               .opaque = (void *)((uintptr_t)memory->base.opaque + offset),
                               .size = memory->base.size - offset,
                               .payload = memory->base.payload};
}

bool memory_check_range(const modfs_memory *memory, uint64_t offset, uint64_t n,
                        TF_Status *status) {
  if (offset <= memory->size && n <= memory->size - offset) return true;
  modfs_set_status(
      status, TF_INVALID_ARGUMENT, "%llu bytes at offset %llu lie beyond the memory of %llu bytes",
      (unsigned long long)n, (unsigned long long)offset, (unsigned long long)memory->size);
  return false;
}

/* Copies that are done when they return ------------------------------------------------ */

/* Begins a call. False when there is nothing to do, or on a failure. */
static bool is_ready(const modfs_memory *memory, uint64_t offset, uint64_t n, TF_Status *status) {
  status_clear(status);
  return !device_is_inherited(memory->device, status) &&
         memory_check_range(memory, offset, n, status) && n > 0;
}

static void locate(const modfs_memory *memory, const char *operation, TF_Status *status) {
  status_locate(status, operation, memory->device->core->platform->name);
}

/* Between two pieces a job may end. */
static uint64_t piece_of(uint64_t n) {
  const uint64_t most = 16 << 20;
  return n > most && interruption_is_possible() ? most : n;
}

void modfs_memory_write(modfs_memory *memory, uint64_t offset, const char *data, uint64_t n,
                        TF_Status *status) {
  uint64_t done = 0;
  bool ready = is_ready(memory, offset, n, status);
  for (uint64_t piece; ready; ready = status_ok(status) && (done += piece) < n) {
    SP_DeviceMemoryBase to = memory_base(memory, offset + done);
    piece = piece_of(n - done);
    if (interruption_ends(status)) continue;
    device_executor(memory->device)
        ->sync_memcpy_htod(device_handle(memory->device), &to, data + done, piece, status);
  }
  locate(memory, "write to memory of", status);
}

void modfs_memory_read(modfs_memory *memory, uint64_t offset, char *data, uint64_t n,
                       TF_Status *status) {
  uint64_t done = 0;
  bool ready = is_ready(memory, offset, n, status);
  for (uint64_t piece; ready; ready = status_ok(status) && (done += piece) < n) {
    SP_DeviceMemoryBase from = memory_base(memory, offset + done);
    piece = piece_of(n - done);
    if (interruption_ends(status)) continue;
    device_executor(memory->device)
        ->sync_memcpy_dtoh(device_handle(memory->device), data + done, &from, piece, status);
  }
  locate(memory, "read from memory of", status);
}

static device_place place_of(const modfs_memory *memory, const SP_DeviceMemoryBase *base) {
  return (device_place){device_executor(memory->device), device_handle(memory->device), base};
}

void modfs_memory_copy(modfs_memory *to, const modfs_memory *from, uint64_t n, TF_Status *status) {
  SP_DeviceMemoryBase source = memory_base(from, 0), target = memory_base(to, 0);
  if (is_ready(to, 0, n, status) && is_ready(from, 0, n, status)) {
    if (to->device->core == from->device->core)
      device_executor(to->device)
          ->sync_memcpy_dtod(device_handle(to->device), &target, &source, n, status);
    else
      device_copy_through_host(place_of(to, &target), place_of(from, &source), n, status);
  }
  locate(to, "copy to memory of", status);
}

/* Plugins can fill memory only in a stream, so a fill without one is a copy from the host. */
void modfs_memory_fill(modfs_memory *memory, unsigned char byte, TF_Status *status) {
  SP_DeviceMemoryBase target = memory_base(memory, 0);
  if (is_ready(memory, 0, memory->size, status))
    device_fill_through_host(place_of(memory, &target), byte * UINT32_C(0x01010101), memory->size,
                             status);
  locate(memory, "fill memory of", status);
}

/* Host memory of the device ------------------------------------------------------------- */

typedef void *(*host_allocate)(const device_abi *abi, const SP_Device *device, uint64_t size);
typedef void (*host_release)(const device_abi *abi, const SP_Device *device, void *memory);

static void release_host(modfs_device *device, void *data, host_release way) {
  if (device_is_own(device) && data) way(device_abi_of(device), device_handle(device), data);
  device_drop_child(device);
}

static void release_pinned(void *device, char *data) {
  release_host(device, data, device_abi_host_deallocate);
}

static void release_unified(void *device, char *data) {
  release_host(device, data, device_abi_unified_deallocate);
}

static modfs_bytes *wrap(modfs_device *device, size_t size, host_allocate allocate_way,
                         bytes_release release_way, TF_Status *status) {
  modfs_bytes *bytes = bytes_reserve(status);
  if (!bytes) return NULL;
  char *data = size > 0 ? allocate_way(device_abi_of(device), device_handle(device), size) : NULL;
  if (size > 0 && !data) {
    modfs_bytes_drop(bytes);
    modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "cannot allocate %zu bytes", size);
    return NULL;
  }
  device_add_child(device);
  bytes_fill(bytes, data, size, release_way, device);
  return bytes;
}

modfs_bytes *modfs_device_host_allocate(modfs_device *device, size_t size, TF_Status *status) {
  modfs_bytes *bytes = NULL;
  status_clear(status);
  if (!device_is_inherited(device, status))
    bytes = wrap(device, size, device_abi_host_allocate, release_pinned, status);
  status_locate(status, "allocate host memory of", device->core->platform->name);
  return bytes;
}

modfs_bytes *modfs_device_unified_allocate(modfs_device *device, size_t size, TF_Status *status) {
  modfs_bytes *bytes = NULL;
  status_clear(status);
  if (!device_abi_of(device)->unified)
    TF_SetStatus(status, TF_UNIMPLEMENTED, "the platform has no unified memory");
  else if (!device_is_inherited(device, status))
    bytes = wrap(device, size, device_abi_unified_allocate, release_unified, status);
  status_locate(status, "allocate unified memory of", device->core->platform->name);
  return bytes;
}
