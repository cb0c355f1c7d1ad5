/* The allocator of a device while the plugin allocates a large piece for it: no lock is held over the
 * plugin, so other threads and the plugin itself may free memory, allocate what is free, and ask for the
 * statistics meanwhile. An alarm ends a process that hangs. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "core/device/platform.h"

enum { SMALL = 1000, LARGE = 3 << 20, GROWERS = 3, TEST_SECONDS = 60 };

static char beside[4200];
static TF_Status *status;
static modfs_device *device;

/* The plugin's functions, and what goes on while one is called. */
static SP_StreamExecutor real;
static modfs_memory *to_free;
static atomic_bool is_closed;
static atomic_int waiting, growing, most;

static void enter(void) {
  int now = atomic_fetch_add(&growing, 1) + 1;
  if (now > atomic_load(&most)) atomic_store(&most, now);
  modfs_memory_free(to_free);
  to_free = NULL;
  atomic_fetch_add(&waiting, 1);
  while (atomic_load(&is_closed))
    usleep(1000);
  atomic_fetch_sub(&growing, 1);
}

static void slow_allocate(const SP_Device *handle, uint64_t size, int64_t space,
                          SP_DeviceMemoryBase *base) {
  enter();
  real.allocate(handle, size, space, base);
}

static TF_Bool slow_usage(const SP_Device *handle, int64_t *available, int64_t *all) {
  enter();
  return real.device_memory_usage(handle, available, all);
}

static modfs_memory *allocate(uint64_t size) {
  TF_Status *own = TF_NewStatus();
  modfs_memory *memory = modfs_memory_allocate(device, size, own);
  if (!memory) check_note("%s", TF_Message(own));
  TF_DeleteStatus(own);
  return memory;
}

static void *allocate_large(void *unused) {
  (void)unused;
  return allocate(LARGE);
}

static SP_AllocatorStats statistics(void) {
  SP_AllocatorStats stats = {0};
  modfs_device_allocator_stats(device, &stats);
  return stats;
}

static void wait_for(int count) {
  while (atomic_load(&waiting) < count)
    usleep(1000);
}

/* Everything that is quick, while threads grow the allocator. */
static void test_growing(void) {
  pthread_t growers[GROWERS];
  modfs_memory *first = allocate(SMALL), *second = allocate(SMALL);
  to_free = allocate(SMALL);
  int64_t before = statistics().bytes_in_use;
  atomic_store(&waiting, 0);
  atomic_store(&is_closed, true);
  for (int i = 0; i < GROWERS; i++)
    pthread_create(&growers[i], NULL, allocate_large, NULL);
  wait_for(1);
  CHECK(statistics().bytes_in_use < before, "the plugin frees memory while it allocates");
  modfs_memory_free(first);
  modfs_memory *third = allocate(SMALL);
  CHECK(third != NULL, "other threads free, allocate what is free, and ask meanwhile");
  atomic_store(&is_closed, false);
  int64_t large = 0;
  for (int i = 0; i < GROWERS; i++) {
    void *memory = NULL;
    pthread_join(growers[i], &memory);
    large += memory ? (int64_t)modfs_memory_size(memory) : 0;
    modfs_memory_free(memory);
  }
  CHECK_INT(large, GROWERS * (int64_t)LARGE, "all threads that needed a piece have memory");
  CHECK_INT(atomic_load(&most), 1, "one piece is allocated at a time");
  modfs_memory_free(second);
  modfs_memory_free(third);
  CHECK_INT(statistics().bytes_in_use, 0, "and nothing is left");
}

static void *allocate_small(void *unused) {
  (void)unused;
  return allocate(SMALL);
}

/* The first allocation makes the allocator, for which the plugin reports its memory. */
static void test_beginning(void) {
  pthread_t thread;
  void *memory = NULL;
  atomic_store(&is_closed, true);
  pthread_create(&thread, NULL, allocate_small, NULL);
  wait_for(1);
  CHECK_INT(statistics().bytes_in_use, 0, "the statistics can be had while it begins");
  atomic_store(&is_closed, false);
  pthread_join(thread, &memory);
  CHECK(memory != NULL, "the first allocation");
  modfs_memory_free(memory);
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/');
  (void)argc;
  snprintf(beside, sizeof beside, "%.*s/plugins/?.so", slash ? (int)(slash - argv[0]) : 1,
           slash ? argv[0] : ".");
  alarm(TEST_SECONDS);
  status = TF_NewStatus();
  const modfs_platform *platform = modfs_platform_search("REFERENCE", beside, status);
  device = platform ? modfs_device_open(platform, 0, status) : NULL;
  if (!CHECK(device != NULL, "a device: %s", TF_Message(status))) return check_end();
  real = platform->abi->executor;
  platform->abi->executor.allocate = slow_allocate;
  platform->abi->executor.device_memory_usage = slow_usage;
  platform->abi->grows = true;
  test_beginning();
  test_growing();
  modfs_device_close(device, status);
  CHECK_INT(TF_GetCode(status), TF_OK, "the device is closed: %s", TF_Message(status));
  TF_DeleteStatus(status);
  return check_end();
}
