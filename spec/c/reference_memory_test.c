/* Memory of the reference device: handles, statistics, bounds, and copies between its kinds. */
#include "reference_host.h"

#include <sys/uio.h>

static bool can_read(const void *address) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)address, 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

static void test_handles(void) {
  SP_DeviceMemoryBase memory = allocate(0, 10000), none = allocate(0, 0);
  CHECK(memory.opaque && memory.size == 10000, "memory of 10000 bytes");
  CHECK(!none.opaque, "none of 0 bytes");
  CHECK(!can_read(memory.opaque) && !can_read((char *)memory.opaque + 9999) &&
            !can_read((char *)memory.opaque + 10000),
        "it cannot be read through its handle");
  void *host = se.host_memory_allocate(&devices[0], 5000);
  CHECK(host && (uintptr_t)host % 4096 == 0 && can_read(host), "host memory is in whole pages");
  memset(host, 1, 5000);
  se.host_memory_deallocate(&devices[0], host);
  CHECK(!can_read(host), "until it is freed");
  CHECK_INT(put(0, memory, "x", 1), TF_OK, "device memory can be written");
  se.deallocate(&devices[0], &memory);
  CHECK_INT(put(0, memory, "x", 1), TF_INVALID_ARGUMENT, "until it is freed");
  se.deallocate(&devices[0], &none);
  CHECK_INT(stats_of(0).bytes_in_use, 0, "nothing is left");
}

static void test_stats(void) {
  int64_t available = 0, all = 0;
  SP_DeviceMemoryBase a = allocate(0, 1000), b = allocate(0, 7), c = allocate(1, 5);
  se.deallocate(&devices[0], &a);
  SP_DeviceMemoryBase d = allocate(0, 50);
  SP_AllocatorStats stats = stats_of(0);
  CHECK_INT(stats.struct_size, SP_ALLOCATORSTATS_STRUCT_SIZE, "statistics have their size");
  CHECK_INT(stats.num_allocs, 3, "they count allocations");
  CHECK_INT(stats.bytes_in_use, 57, "and bytes");
  CHECK_INT(stats.peak_bytes_in_use, 1007, "and the most of them");
  CHECK_INT(stats.largest_alloc_size, 1000, "and the largest piece");
  CHECK(stats.bytes_reserved == 8192 && stats.peak_bytes_reserved == 8192, "and pages");
  CHECK(stats.has_bytes_limit && stats.bytes_limit == 100000, "there is a limit");
  CHECK_INT(stats.largest_free_block_bytes, 99943, "the rest is free in one piece");
  CHECK_INT(stats_of(1).bytes_in_use, 5, "each device counts for itself");
  CHECK(se.device_memory_usage(&devices[0], &available, &all) && available == 99943 &&
            all == 100000,
        "the usage agrees");
  SP_DeviceMemoryBase e = allocate(0, 99944), f = allocate(0, 99943), g = allocate(0, UINT64_MAX);
  CHECK(!e.opaque && f.opaque && !g.opaque, "the limit is kept to the byte");
  se.deallocate(&devices[0], &(SP_DeviceMemoryBase){.opaque = (char *)b.opaque + 1});
  se.deallocate(&devices[1], &b);
  CHECK_INT(stats_of(0).bytes_in_use, 100000, "what is not memory of the device is not freed");
  se.deallocate(&devices[0], &b);
  se.deallocate(&devices[0], &b);
  se.deallocate(&devices[0], &d);
  se.deallocate(&devices[0], &f);
  se.deallocate(&devices[1], &c);
  CHECK_INT(stats_of(0).bytes_in_use + stats_of(0).bytes_reserved, 0, "freeing twice counts once");
}

static void test_unified(void) {
  char text[6] = "";
  char *shared = se.unified_memory_allocate(&devices[0], 6);
  SP_DeviceMemoryBase memory = {.opaque = shared, .size = 6}, own = allocate(1, 6);
  SP_Stream stream = new_stream(1);
  CHECK(shared != NULL, "unified memory");
  memcpy(shared, "hello", 6);
  CHECK_INT(copy_later(1, stream, own, memory, 6), TF_OK, "a device reads what the host wrote");
  fill_words(1, stream, memory, 0x41414141, 4);
  CHECK_INT(finish(1, stream), TF_OK, "and writes it");
  CHECK_STR(shared, "AAAAo", "the host sees that");
  CHECK(get(1, text, own, 6) == TF_OK && !strcmp(text, "hello"), "the device saw the text");
  se.destroy_stream(&devices[1], stream);
  se.unified_memory_deallocate(&devices[0], shared);
  se.deallocate(&devices[1], &own);
}

static void test_device_copies(void) {
  SP_DeviceMemoryBase here = allocate(0, 64), there = allocate(1, 64);
  SP_Stream stream = new_stream(0);
  put(0, here, "abcdefgh", 8);
  se.sync_memcpy_dtod(&devices[0], &there, &here, 8, fresh());
  CHECK(code() == TF_OK && holds(1, there, "abcdefgh"), "a copy from device to device");
  SP_DeviceMemoryBase moved = slice(here, 2, 6);
  CHECK_INT(copy_later(0, stream, moved, here, 6), TF_OK, "a copy onto itself");
  CHECK_INT(copy_later(0, stream, slice(there, 4, 8), here, 8), TF_OK, "and on");
  CHECK_INT(finish(0, stream), TF_OK, "are done");
  CHECK(holds(0, here, "ababcdef") && holds(1, there, "abcdababcdef"), "as memmove does it");
  se.destroy_stream(&devices[0], stream);
  se.deallocate(&devices[0], &here);
  se.deallocate(&devices[1], &there);
}

/* Whether a copy and a fill are refused, and the stream goes on. */
static bool is_refused(SP_Stream stream, SP_DeviceMemoryBase memory, uint64_t size) {
  static char bytes[256];
  bool good = put(0, memory, bytes, size) == TF_INVALID_ARGUMENT &&
              get(0, bytes, memory, size) == TF_INVALID_ARGUMENT &&
              put_later(0, stream, memory, bytes, size) == TF_INVALID_ARGUMENT &&
              get_later(0, stream, bytes, memory, size) == TF_INVALID_ARGUMENT &&
              fill_words(0, stream, memory, 1, size) == TF_INVALID_ARGUMENT;
  return good && finish(0, stream) == TF_OK;
}

static void test_bounds(void) {
  SP_DeviceMemoryBase memory = allocate(0, 100), other = allocate(1, 100), freed = allocate(0, 100);
  void *host = se.host_memory_allocate(&devices[0], 100);
  SP_Stream stream = new_stream(0);
  se.deallocate(&devices[0], &freed);
  CHECK(is_refused(stream, memory, 104), "a range beyond the end");
  CHECK(is_refused(stream, slice(memory, 97, 4), 4), "one that runs over it");
  CHECK(is_refused(stream, slice(memory, 0, 0), UINT64_MAX - 3), "one of almost 2^64 bytes");
  CHECK(is_refused(stream, (SP_DeviceMemoryBase){0}, 4), "no memory");
  CHECK(is_refused(stream, (SP_DeviceMemoryBase){.opaque = &stream}, 4), "a stranger's");
  CHECK(is_refused(stream, (SP_DeviceMemoryBase){.opaque = host}, 4), "host memory");
  CHECK(is_refused(stream, freed, 4), "memory that was freed");
  CHECK(is_refused(stream, other, 4), "memory of another device");
  CHECK_INT(put(0, slice(memory, 96, 4), "abcd", 4), TF_OK, "the last bytes are no error");
  CHECK_INT(put(0, (SP_DeviceMemoryBase){0}, "", 0), TF_OK, "nor is copying nothing");
  CHECK_INT(fill_words(0, stream, memory, 1, 6), TF_INVALID_ARGUMENT, "half a word");
  CHECK_INT(fill_words(1, stream, other, 1, 8), TF_INVALID_ARGUMENT, "another device's stream");
  se.destroy_stream(&devices[0], stream);
  se.host_memory_deallocate(&devices[0], host);
  se.deallocate(&devices[0], &memory);
  se.deallocate(&devices[1], &other);
}

/* Memory that is freed while work on it waits: the work fails, and touches nothing. */
static void test_freed_under_work(void) {
  gate closed = GATE_CLOSED;
  char bytes[8] = "1234567";
  SP_DeviceMemoryBase memory = allocate(0, 8);
  SP_Stream stream = new_stream(0);
  callback(0, stream, pass_gate, &closed);
  put_later(0, stream, memory, bytes, 8);
  get_later(0, stream, bytes, memory, 8);
  se.deallocate(&devices[0], &memory);
  CHECK_INT(stats_of(0).bytes_in_use, 8, "memory with work on it stays");
  open_gate(&closed);
  CHECK_INT(finish(0, stream), TF_INVALID_ARGUMENT, "the work fails");
  CHECK_INT(stats_of(0).bytes_in_use, 0, "then it is gone");
  CHECK_STR(bytes, "1234567", "nothing was copied");
  se.destroy_stream(&devices[0], stream);
}

int main(int argc, char **argv) {
  if (!CHECK(host_load(argc > 1 ? argv[1] : host_path(argv[0], "reference.so")), "loads"))
    return check_end();
  host_begin();
  test_handles();
  test_unified();
  test_device_copies();
  test_bounds();
  test_freed_under_work();
  host_end();
  host_begin_with("MEMORY", "100000");
  test_stats();
  host_end();
  host_leave();
  return check_end();
}
