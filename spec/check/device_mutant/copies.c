/* Copies and fills. */
#include "device_mutant.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define HTOD DEVICE, SP_Stream stream, BASE *to, const void *from, uint64_t size, TF_Status *status
#define DTOH DEVICE, SP_Stream stream, void *to, const BASE *from, uint64_t size, TF_Status *status
#define DTOD DEVICE, SP_Stream stream, BASE *to, const BASE *from, uint64_t size, TF_Status *status

/* Memory that begins where the piece of 64 bytes around it begins. */
static BASE aligned(const BASE *memory) {
  BASE down = *memory;
  down.opaque = (void *)((uintptr_t)memory->opaque & ~(uintptr_t)63);
  return down;
}

static void htod_nothing(HTOD) {
}
static void htod_short(HTOD) {
  good.memcpy_htod(device, stream, to, from, size > 512 ? size - 1 : size, status);
}
static void htod_long(HTOD) {
  good.memcpy_htod(device, stream, to, from, size > 0 && size < to->size ? size + 1 : size, status);
}
static void htod_aligned(HTOD) {
  BASE down = aligned(to);
  good.memcpy_htod(device, stream, &down, from, size, status);
}
static void htod_fails_at_0(HTOD) {
  if (size == 0) TF_SetStatus(status, TF_INVALID_ARGUMENT, "nothing to copy");
  good.memcpy_htod(device, stream, to, from, size, status);
}
static void htod_3000(HTOD) {
  static int count;
  if (count++ < 3000) good.memcpy_htod(device, stream, to, from, size, status);
}
static void htod_failing(HTOD) {
  TF_SetStatus(status, TF_INTERNAL, "no");
}

static void dtoh_nothing(DTOH) {
}
static void dtoh_long(DTOH) {
  good.memcpy_dtoh(device, stream, to, from, size > 0 && size < from->size ? size + 1 : size,
                   status);
}
static void dtoh_aligned(DTOH) {
  BASE down = aligned(from);
  good.memcpy_dtoh(device, stream, to, &down, size, status);
}
static void dtoh_large(DTOH) {
  good.memcpy_dtoh(device, stream, to, from, size > 1 << 20 ? 1 << 20 : size, status);
}

static void dtod_swapped(DTOD) {
  BASE target = *from;
  good.memcpy_dtod(device, stream, &target, to, size, status);
}
static void dtod_odd(DTOD) {
  good.memcpy_dtod(device, stream, to, from, size == 2049 ? 2048 : size, status);
}
static void dtod_eights(DTOD) {
  good.memcpy_dtod(device, stream, to, from, size > 64 ? size / 8 * 8 : size, status);
}
static void dtod_aligned(DTOD) {
  BASE down = aligned(from);
  good.memcpy_dtod(device, stream, to, &down, size, status);
}

/* At once ---------------------------------------------------------------------------- */

static void sync_htod_nothing(DEVICE, BASE *to, const void *from, uint64_t size,
                              TF_Status *status) {
}
static void sync_htod_wraps(DEVICE, BASE *to, const void *from, uint64_t size, TF_Status *status) {
  good.sync_memcpy_htod(device, to, from, size > 0x10000 ? size & 0xffff : size, status);
}
static void sync_htod_odd(DEVICE, BASE *to, const void *from, uint64_t size, TF_Status *status) {
  good.sync_memcpy_htod(device, to, from, size == 2049 ? 2048 : size, status);
}
static void sync_dtoh_nothing(DEVICE, void *to, const BASE *from, uint64_t size,
                              TF_Status *status) {
}
static void sync_dtoh_odd(DEVICE, void *to, const BASE *from, uint64_t size, TF_Status *status) {
  good.sync_memcpy_dtoh(device, to, from, size == 2049 ? 2048 : size, status);
}
static void sync_dtod_nothing(DEVICE, BASE *to, const BASE *from, uint64_t size,
                              TF_Status *status) {
}
static void sync_dtod_odd(DEVICE, BASE *to, const BASE *from, uint64_t size, TF_Status *status) {
  good.sync_memcpy_dtod(device, to, from, size == 2049 ? 2048 : size, status);
}
static void sync_dtod_aligned(DEVICE, BASE *to, const BASE *from, uint64_t size,
                              TF_Status *status) {
  BASE down = aligned(from);
  good.sync_memcpy_dtod(device, to, &down, size, status);
}

/* Copies of a mebibyte that are done some milliseconds after the call. */
typedef struct late {
  const SP_Device *device;
  int way;
  BASE to, from;
  void *host_to;
  const void *host_from;
  uint64_t size;
} late;

static void *copy_late(void *context) {
  late *it = context;
  TF_Status *status = TF_NewStatus();
  nanosleep(&(struct timespec){0, 20000000}, NULL);
  if (it->way == 0) good.sync_memcpy_htod(it->device, &it->to, it->host_from, it->size, status);
  if (it->way == 1) good.sync_memcpy_dtoh(it->device, it->host_to, &it->from, it->size, status);
  if (it->way == 2) good.sync_memcpy_dtod(it->device, &it->to, &it->from, it->size, status);
  TF_DeleteStatus(status);
  free(it);
  return NULL;
}

static void begin_late(late from) {
  late *it = malloc(sizeof *it);
  pthread_t thread;
  *it = from;
  pthread_create(&thread, NULL, copy_late, it);
  pthread_detach(thread);
}

enum { LATE = 1 << 20 };

static void sync_htod_late(DEVICE, BASE *to, const void *from, uint64_t size, TF_Status *status) {
  if (size == LATE)
    begin_late((late){.device = device, .way = 0, .to = *to, .host_from = from, .size = size});
  else
    good.sync_memcpy_htod(device, to, from, size, status);
}
static void sync_dtoh_late(DEVICE, void *to, const BASE *from, uint64_t size, TF_Status *status) {
  if (size == LATE)
    begin_late((late){.device = device, .way = 1, .host_to = to, .from = *from, .size = size});
  else
    good.sync_memcpy_dtoh(device, to, from, size, status);
}
static void sync_dtod_late(DEVICE, BASE *to, const BASE *from, uint64_t size, TF_Status *status) {
  if (size == LATE)
    begin_late((late){.device = device, .way = 2, .to = *to, .from = *from, .size = size});
  else
    good.sync_memcpy_dtod(device, to, from, size, status);
}

/* Fills ------------------------------------------------------------------------------- */

static void zero_one(DEVICE, SP_Stream stream, BASE *to, uint64_t size, TF_Status *status) {
  good.memset(device, stream, to, 1, size, status);
}
static void zero_odd(DEVICE, SP_Stream stream, BASE *to, uint64_t size, TF_Status *status) {
  good.mem_zero(device, stream, to, size == 2049 ? 2048 : size, status);
}
static void set_long(DEVICE, SP_Stream stream, BASE *to, uint8_t pattern, uint64_t size,
                     TF_Status *status) {
  good.memset(device, stream, to, pattern, size > 0 && size < to->size ? size + 1 : size, status);
}
static void set_7_bits(DEVICE, SP_Stream stream, BASE *to, uint8_t pattern, uint64_t size,
                       TF_Status *status) {
  good.memset(device, stream, to, pattern & 0x7f, size, status);
}
static void set_odd(DEVICE, SP_Stream stream, BASE *to, uint8_t pattern, uint64_t size,
                    TF_Status *status) {
  good.memset(device, stream, to, pattern, size == 2049 ? 2048 : size, status);
}
static void set32_odd(DEVICE, SP_Stream stream, BASE *to, uint32_t pattern, uint64_t size,
                      TF_Status *status) {
  good.memset32(device, stream, to, pattern, size == 2052 ? 2048 : size, status);
}
static void set32_byte(DEVICE, SP_Stream stream, BASE *to, uint32_t pattern, uint64_t size,
                       TF_Status *status) {
  good.memset(device, stream, to, (uint8_t)pattern, size, status);
}
static void set32_swapped(DEVICE, SP_Stream stream, BASE *to, uint32_t pattern, uint64_t size,
                          TF_Status *status) {
  good.memset32(device, stream, to, __builtin_bswap32(pattern), size, status);
}

static bool fill_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("zero.one", mem_zero, zero_one)
  SLOT("zero.odd", mem_zero, zero_odd)
  SLOT("memset.long", memset, set_long)
  SLOT("memset.7.bits", memset, set_7_bits)
  SLOT("memset.odd", memset, set_odd)
  SLOT("memset32.odd", memset32, set32_odd)
  SLOT("memset32.byte", memset32, set32_byte)
  SLOT("memset32.swapped", memset32, set32_swapped)
  return false;
}

bool copy_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("htod.nothing", memcpy_htod, htod_nothing)
  SLOT("htod.short", memcpy_htod, htod_short)
  SLOT("htod.long", memcpy_htod, htod_long)
  SLOT("htod.aligned", memcpy_htod, htod_aligned)
  SLOT("htod.fails.at.0", memcpy_htod, htod_fails_at_0)
  SLOT("htod.3000", memcpy_htod, htod_3000)
  SLOT("htod.fails", memcpy_htod, htod_failing)
  SLOT("dtoh.nothing", memcpy_dtoh, dtoh_nothing)
  SLOT("dtoh.long", memcpy_dtoh, dtoh_long)
  SLOT("dtoh.aligned", memcpy_dtoh, dtoh_aligned)
  SLOT("dtoh.large", memcpy_dtoh, dtoh_large)
  SLOT("dtod.odd", memcpy_dtod, dtod_odd)
  SLOT("dtod.swapped", memcpy_dtod, dtod_swapped)
  SLOT("dtod.eights", memcpy_dtod, dtod_eights)
  SLOT("dtod.aligned", memcpy_dtod, dtod_aligned)
  SLOT("sync.htod.nothing", sync_memcpy_htod, sync_htod_nothing)
  SLOT("sync.htod.wraps", sync_memcpy_htod, sync_htod_wraps)
  SLOT("sync.htod.odd", sync_memcpy_htod, sync_htod_odd)
  SLOT("sync.htod.late", sync_memcpy_htod, sync_htod_late)
  SLOT("sync.dtoh.nothing", sync_memcpy_dtoh, sync_dtoh_nothing)
  SLOT("sync.dtoh.odd", sync_memcpy_dtoh, sync_dtoh_odd)
  SLOT("sync.dtoh.late", sync_memcpy_dtoh, sync_dtoh_late)
  SLOT("sync.dtod.nothing", sync_memcpy_dtod, sync_dtod_nothing)
  SLOT("sync.dtod.odd", sync_memcpy_dtod, sync_dtod_odd)
  SLOT("sync.dtod.aligned", sync_memcpy_dtod, sync_dtod_aligned)
  SLOT("sync.dtod.late", sync_memcpy_dtod, sync_dtod_late)
  return fill_fault_apply(tables, name);
}
