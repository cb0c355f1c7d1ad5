/* modfs/register.h: the tables and schemes that a plugin hands over, and what is left of them when an
 * allocation fails. */
#include <modfs/register.h>

#include <stdlib.h>

#include "check.h"

static int calls, failing, live; /* of the pair; failing: the call that returns NULL, 0: none */

static void *allocate(size_t size) {
  if (++calls == failing) return NULL;
  live++;
  char *bytes = malloc(size);
  if (bytes) memset(bytes, 0x5a, size);
  return bytes;
}

static void release(void *ptr) {
  if (ptr) live--;
  free(ptr);
}

static void file_cleanup(TF_RandomAccessFile *file) {
  (void)file;
}

static const TF_FilesystemOps filesystem = {.init = NULL};
static const TF_RandomAccessFileOps reading = {.cleanup = file_cleanup};
static const TF_WritableFileOps writing = {.cleanup = NULL};
static const TF_ReadOnlyMemoryRegionOps region = {.cleanup = NULL};
static const modfs_register_tables all = {&filesystem, &reading, &writing, &region};
static const modfs_register_tables few = {&filesystem, NULL, NULL, NULL};

/* As a host takes them over: each table once, then the array. */
static void take_over(TF_FilesystemPluginInfo *info) {
  for (size_t i = 0; i < info->num_schemes; i++) {
    info->plugin_memory_free(info->ops[i].scheme);
    info->plugin_memory_free(info->ops[i].filesystem_ops);
    info->plugin_memory_free(info->ops[i].random_access_file_ops);
    info->plugin_memory_free(info->ops[i].writable_file_ops);
    info->plugin_memory_free(info->ops[i].read_only_memory_region_ops);
  }
  info->plugin_memory_free(info->ops);
}

/* Two schemes; the number of those that were added, or -1 where results and tables disagree. */
static int register_two(TF_FilesystemPluginInfo *info, int fails_at) {
  calls = 0;
  failing = fails_at;
  modfs_register_start(info, allocate, release);
  int added = modfs_register_scheme(info, "one", &all);
  added += modfs_register_scheme(info, "two", &few);
  return (size_t)added == info->num_schemes ? added : -1;
}

static void test_tables(void) {
  TF_FilesystemPluginInfo info = {.num_schemes = 7};
  CHECK_INT(register_two(&info, 0), 2, "two schemes are added");
  CHECK(info.plugin_memory_allocate == allocate && info.plugin_memory_free == release,
        "the pair is stored");
  CHECK_STR(info.ops[0].scheme, "one", "the first scheme");
  CHECK_STR(info.ops[1].scheme, "two", "the second scheme");
  CHECK(info.ops[0].random_access_file_ops->cleanup == file_cleanup, "a table is copied");
  CHECK(info.ops[0].random_access_file_ops != &reading, "and is not the plugin's own");
  CHECK(info.ops[1].random_access_file_ops == NULL && info.ops[1].writable_file_ops == NULL &&
            info.ops[1].read_only_memory_region_ops == NULL,
        "a missing table stays NULL");
  CHECK_INT(info.ops[1].filesystem_ops_size, sizeof(TF_FilesystemOps), "sizes are recorded");
  CHECK_INT(info.ops[1].filesystem_ops_abi, TF_FILESYSTEM_OPS_ABI, "versions are recorded");
  take_over(&info);
  CHECK_INT(live, 0, "the host frees all of it");
}

static void test_faults(void) {
  TF_FilesystemPluginInfo info = {.num_schemes = 0};
  register_two(&info, 0);
  const int total = calls;
  take_over(&info);
  CHECK_INT(total, 6 + 3, "one allocation for each array, scheme and table");
  for (int k = 1; k <= total; k++) {
    CHECK_INT(register_two(&info, k), 1, "allocation %d fails: one scheme is left", k);
    CHECK_STR(info.ops[0].scheme, k <= 6 ? "two" : "one", "the other one, allocation %d", k);
    take_over(&info);
    CHECK_INT(live, 0, "nothing leaks, allocation %d", k);
  }
}

static void test_none(void) {
  TF_FilesystemPluginInfo info = {.num_schemes = 0};
  modfs_register_start(&info, allocate, release);
  failing = calls + 1;
  CHECK(!modfs_register_scheme(&info, "one", &all), "the only scheme fails");
  CHECK(info.num_schemes == 0 && info.ops == NULL, "no scheme, and no array to free");
}

int main(void) {
  test_tables();
  test_faults();
  test_none();
  return check_end();
}
