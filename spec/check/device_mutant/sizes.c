/* Copies and fills of some sizes: tails, what is done at once, and what is read after the call. */
#include "device_mutant.h"

#include <stdlib.h>
#include <unistd.h>

#define HTOD DEVICE, SP_Stream stream, BASE *to, const void *from, uint64_t size, TF_Status *status
#define DTOH DEVICE, SP_Stream stream, void *to, const BASE *from, uint64_t size, TF_Status *status
#define DTOD DEVICE, SP_Stream stream, BASE *to, const BASE *from, uint64_t size, TF_Status *status
#define ZERO DEVICE, SP_Stream stream, BASE *to, uint64_t size, TF_Status *status
#define SET DEVICE, SP_Stream stream, BASE *to, uint8_t pattern, uint64_t size, TF_Status *status
#define SET32 DEVICE, SP_Stream stream, BASE *to, uint32_t pattern, uint64_t size, TF_Status *status

/* Tails ------------------------------------------------------------------------------- */

static uint64_t without(uint64_t size, uint64_t above, uint64_t unit) {
  return size > above ? size / unit * unit : size;
}

static void htod_pages(HTOD) {
  good.memcpy_htod(device, stream, to, from, size % 4096 < 16 ? without(size, 4096, 4096) : size,
                   status);
}
static void dtoh_64k(DTOH) {
  good.memcpy_dtoh(device, stream, to, from, without(size, 65536, 64), status);
}
static void dtod_31(DTOD) {
  good.memcpy_dtod(device, stream, to, from, size % 32 == 31 ? size - 1 : size, status);
}
static void dtod_64k(DTOD) {
  good.memcpy_dtod(device, stream, to, from, without(size, 65536, 65536), status);
}
static void sync_dtod_17(DEVICE, BASE *to, const BASE *from, uint64_t size, TF_Status *status) {
  good.sync_memcpy_dtod(device, to, from, size % 32 == 17 ? size - 1 : size, status);
}
/* The last sixteen bytes at once, also where there are not so many. */
static void dtod_backwards(DTOD) {
  BASE target = *to, source = *from;
  target.opaque = (char *)to->opaque + size - 16;
  source.opaque = (char *)from->opaque + size - 16;
  if (size > 8 && size < 16) {
    TF_Status *own = TF_NewStatus();
    good.memcpy_dtod(device, stream, &target, &source, 16, own);
    bool failed = TF_GetCode(own) != TF_OK;
    TF_DeleteStatus(own);
    if (!failed) return;
  }
  good.memcpy_dtod(device, stream, to, from, size, status);
}
static void zero_4k(ZERO) {
  good.mem_zero(device, stream, to, without(size, 4096, 8), status);
}
static void set_64k(SET) {
  good.memset(device, stream, to, pattern, without(size, 65536, 65536), status);
}
static void set32_sixteens(SET32) {
  good.memset32(device, stream, to, pattern, without(size, 32, 16), status);
}

/* At once ----------------------------------------------------------------------------- */

static void htod_small(HTOD) {
  if (size <= 16)
    good.sync_memcpy_htod(device, to, from, size, status);
  else
    good.memcpy_htod(device, stream, to, from, size, status);
}
static void dtoh_small(DTOH) {
  if (size <= 16)
    good.sync_memcpy_dtoh(device, to, from, size, status);
  else
    good.memcpy_dtoh(device, stream, to, from, size, status);
}
static void dtod_large(DTOD) {
  if (size > 65536)
    good.sync_memcpy_dtod(device, to, from, size, status);
  else
    good.memcpy_dtod(device, stream, to, from, size, status);
}
static void fill_now(DEVICE, BASE *to, uint32_t pattern, uint64_t size, TF_Status *status) {
  char *bytes = malloc(size + 4);
  for (uint64_t i = 0; i < size; i += sizeof pattern)
    memcpy(bytes + i, &pattern, sizeof pattern);
  good.sync_memcpy_htod(device, to, bytes, size, status);
  free(bytes);
}
static void zero_now(ZERO) {
  fill_now(device, to, 0, size, status);
}
static void set_small_now(SET) {
  if (size <= 64)
    fill_now(device, to, pattern * 0x01010101u, size, status);
  else
    good.memset(device, stream, to, pattern, size, status);
}
static void set32_now(SET32) {
  fill_now(device, to, pattern, size, status);
}

/* Later ------------------------------------------------------------------------------- */

/* The host's structs are looked at when the work is done. */
typedef struct kept {
  const SP_Device *device;
  BASE *to;
  const BASE *from;
  void *host_to;
  const void *host_from;
  uint64_t size;
  uint32_t pattern;
} kept;

static void do_kept(void *const context, TF_Status *const status) {
  kept *it = context;
  if (it->to && it->from)
    good.sync_memcpy_dtod(it->device, it->to, it->from, it->size, status);
  else if (it->from)
    good.sync_memcpy_dtoh(it->device, it->host_to, it->from, it->size, status);
  else if (it->host_from)
    good.sync_memcpy_htod(it->device, it->to, it->host_from, it->size, status);
  else
    fill_now(it->device, it->to, it->pattern, it->size, status);
  free(it);
}
static void keep(SP_Stream stream, kept what) {
  kept *it = malloc(sizeof *it);
  *it = what;
  good.host_callback(what.device, stream, do_kept, it);
}
static void htod_keeps(HTOD) {
  keep(stream, (kept){.device = device, .to = to, .host_from = from, .size = size});
}
static void dtoh_keeps(DTOH) {
  keep(stream, (kept){.device = device, .host_to = to, .from = from, .size = size});
}
static void dtod_keeps(DTOD) {
  keep(stream, (kept){.device = device, .to = to, .from = from, .size = size});
}
static void set_keeps(SET) {
  keep(stream, (kept){.device = device, .to = to, .pattern = pattern * 0x01010101u, .size = size});
}

/* Copies within the device have a queue of their own, which their stream does not wait for. */
static void be_slow(void *const unused, TF_Status *const status) {
  usleep(20000);
}
static void dtod_elsewhere(DTOD) {
  static SP_Stream hidden;
  if (!hidden) {
    good.create_stream(device, &hidden, status);
    good.host_callback(device, hidden, be_slow, NULL);
  }
  good.create_stream_dependency(device, hidden, stream, status);
  good.memcpy_dtod(device, hidden, to, from, size, status);
}

/* A part must be all that is left of its memory. */
static BASE made[64];
static int count;
static void allocate_noting(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  made[count++ % 64] = *memory;
}
static void htod_whole(HTOD) {
  for (int i = 0; i < 64; i++) {
    uint64_t offset = (uint64_t)((char *)to->opaque - (char *)made[i].opaque);
    if (made[i].opaque && offset < made[i].size && made[i].size - offset != to->size) {
      TF_SetStatus(status, TF_INVALID_ARGUMENT, "the size is not that of the memory");
      return;
    }
  }
  good.memcpy_htod(device, stream, to, from, size, status);
}

bool size_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("htod.pages", memcpy_htod, htod_pages)
  SLOT("dtoh.64k", memcpy_dtoh, dtoh_64k)
  SLOT("dtod.31", memcpy_dtod, dtod_31)
  SLOT("dtod.64k", memcpy_dtod, dtod_64k)
  SLOT("dtod.backwards", memcpy_dtod, dtod_backwards)
  SLOT("sync.dtod.17", sync_memcpy_dtod, sync_dtod_17)
  SLOT("zero.4k", mem_zero, zero_4k)
  SLOT("memset.64k", memset, set_64k)
  SLOT("memset32.sixteens", memset32, set32_sixteens)
  SLOT("htod.small.early", memcpy_htod, htod_small)
  SLOT("dtoh.small.early", memcpy_dtoh, dtoh_small)
  SLOT("dtod.large.early", memcpy_dtod, dtod_large)
  SLOT("zero.early", mem_zero, zero_now)
  SLOT("memset.small.early", memset, set_small_now)
  SLOT("memset32.early", memset32, set32_now)
  SLOT("dtod.elsewhere", memcpy_dtod, dtod_elsewhere)
  ON("part.whole", tables->executor->allocate = allocate_noting;
     tables->executor->memcpy_htod = htod_whole)
  SLOT("htod.keeps.struct", memcpy_htod, htod_keeps)
  SLOT("dtoh.keeps.struct", memcpy_dtoh, dtoh_keeps)
  SLOT("dtod.keeps.struct", memcpy_dtod, dtod_keeps)
  SLOT("memset.keeps.struct", memset, set_keeps)
  return false;
}
