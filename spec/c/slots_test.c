/* After load no slot of any table is NULL: of the least plugin that a host takes and of those in the
 * tree. And what the host's own table writes into the structures of plugins. Runs in the root of the
 * sources. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <modfs/modfs.h>

#include "check.h"
#include "core/fs/fs.h"
#include "core/host/services.h"
#include "core/device/platform.h"

typedef void (*slot)(void);

static TF_Status *status;
static char folder[] = "/tmp/modfs-slots.XXXXXX";

static bool ok(void) {
  if (TF_GetCode(status) != TF_OK) check_note("%s", TF_Message(status));
  return TF_GetCode(status) == TF_OK;
}

/* How many of the slots between two places of a table are NULL; what: for the note. */
static int count_empty(const void *table, size_t first, size_t end, const char *what) {
  int empty = 0;
  for (size_t at = first; at < end; at += sizeof(slot)) {
    slot found;
    memcpy(&found, (const char *)table + at, sizeof found);
    if (found) continue;
    check_note("%s: the slot at byte %zu is NULL", what, at);
    empty++;
  }
  return empty;
}

/* Filesystems -------------------------------------------------------------------- */

static int count_empty_of(const modfs_fs *fs) {
  int empty = count_empty(&fs->tables.fs, 0, sizeof fs->tables.fs, "TF_FilesystemOps");
  empty += count_empty(&fs->tables.file, 0, sizeof fs->tables.file, "TF_RandomAccessFileOps");
  empty += count_empty(&fs->tables.writable, 0, sizeof fs->tables.writable, "TF_WritableFileOps");
  empty +=
      count_empty(&fs->tables.region, 0, sizeof fs->tables.region, "TF_ReadOnlyMemoryRegionOps");
  return empty + count_empty(&fs->extension, offsetof(modfs_extension_ops, open_directory),
                             sizeof fs->extension, "modfs_extension_ops");
}

static void test_filesystems(void) {
  int seen = 0;
  for (const modfs_fs *fs = modfs_fs_next(NULL); fs; fs = modfs_fs_next(fs), seen++)
    CHECK_INT(count_empty_of(fs), 0, "scheme \"%s\" has every slot", modfs_fs_scheme(fs));
  CHECK(seen >= 4, "%d filesystems were looked at", seen);
  modfs_fs *least = (modfs_fs *)(size_t)modfs_fs_of("least://");
  modfs_extension_ops kept = least->extension;
  least->extension.rename_entry = NULL;
  least->tables.region.length = NULL;
  CHECK_INT(count_empty_of(least), 2, "the control: slots that are taken away are missed");
  least->extension = kept;
}

/* Every slot that is missing says so, and leaves nothing behind. */
static void test_refusals(void) {
  const modfs_fs *least = modfs_fs_of("least://");
  const modfs_extension_ops *with = &least->extension;
  modfs_directory directory = {NULL};
  modfs_attributes attributes = {.struct_size = sizeof attributes};
  TF_WritableFile writable = {NULL};
  TF_RandomAccessFile file = {NULL};
  TF_TransactionToken token = {NULL, NULL};
#define REFUSES(call)                                                                              \
  TF_SetStatus(status, TF_OK, "");                                                                 \
  call;                                                                                            \
  CHECK_INT(TF_GetCode(status), TF_UNIMPLEMENTED, "%s is UNIMPLEMENTED", #call)
  REFUSES(with->open_directory(&least->handle, "/", &directory, status));
  REFUSES(with->lstat(&least->handle, "/", &attributes, status));
  REFUSES(with->abort_transaction(&least->handle, &token, status));
  REFUSES(with->create_private_dir(&least->handle, "/", status));
  for (uint32_t flags = 0; flags < 8; flags++) {
    REFUSES(with->open_writer(&least->handle, NULL, "/a", flags, &writable, status));
    REFUSES(with->open_writer(&least->handle, &directory, "a", flags, &writable, status));
  }
  REFUSES(with->open_subdirectory(&directory, "a", &directory, status));
  REFUSES(with->entry_attributes(&directory, "a", &attributes, status));
  REFUSES(with->open_reader(&directory, "a", &file, status));
  REFUSES(with->create_subdirectory(&directory, "a", status));
  REFUSES(with->delete_entry(&directory, "a", false, status));
  REFUSES(with->rename_entry(&directory, "a", &directory, "b", status));
  REFUSES(with->copy_entry(&directory, "a", &directory, "b", status));
  REFUSES(with->get_attributes(&least->handle, "/a", &attributes, status));
  REFUSES(with->set_attributes(&least->handle, NULL, "/a", &attributes, 1, status));
  REFUSES(with->create_link(&least->handle, NULL, "/a", "b", status));
  char *target = "untouched";
  REFUSES(target = with->read_link(&least->handle, NULL, "/a", status));
  CHECK(!target, "no target comes with it");
  REFUSES(with->set_writer_attributes(&least->handle, &writable, &attributes, 1, status));
  REFUSES(target = with->stored_hash(&least->handle, "/a", "etag", status));
  CHECK(!target, "no checksum comes with it");
  target = "untouched";
  REFUSES(target = with->presign(&least->handle, "/a", "GET", 60, status));
  CHECK(!target, "no URL comes with it");
  REFUSES(with->reader_attributes(&least->handle, &file, &attributes, status));
  size_t size = 0;
  REFUSES(target = with->get_xattrs(&least->handle, NULL, "/a", &size, status));
  CHECK(!target, "no attributes come with it");
  REFUSES(with->set_xattrs(&least->handle, NULL, "/a", NULL, 0, status));
  modfs_space space = {.struct_size = sizeof space};
  REFUSES(with->get_space(&least->handle, "/a", &space, status));
  char block[8];
  REFUSES(size = with->next_entries(&directory, block, sizeof block, status));
  CHECK(size == 0, "no entries come with it");
  uint64_t kept = 1;
  REFUSES(kept =
              with->copy_entry_keeping(&directory, "a", &directory, "b", 1, &attributes, status));
  CHECK(kept == 0, "nothing is kept with it");
}

/* Platforms ------------------------------------------------------------------------ */

#define EMPTY_OF(table, first)                                                                     \
  count_empty(&abi->table, (size_t)((const char *)&abi->table.first - (const char *)&abi->table),  \
              sizeof abi->table, #table)

static int count_empty_in(const device_abi *abi) {
  return EMPTY_OF(fns, get_device_count) + EMPTY_OF(device_fns, get_numa_node) +
         EMPTY_OF(executor, allocate) + EMPTY_OF(rfc_allocator_fns, allocate) +
         EMPTY_OF(custom_allocator_fns, allocate_raw) + !abi->timer_nanoseconds;
}

/* In every form that device plugins ever had, less all that may be missing. */
static const char *const platforms[] = {"seed.without.all",
                                        "seed_allocator.without.all",
                                        "seed_custom.without.all",
                                        "merged.without.all",
                                        "a.without.all",
                                        "b.without.all",
                                        "c.without.all+without.fills",
                                        "c"};
enum { PLATFORMS = sizeof platforms / sizeof *platforms };

static void test_platforms(void) {
  int seen = 0;
  modfs_platform *last = NULL;
  for (const modfs_platform *next = modfs_platform_next(NULL); next;
       next = modfs_platform_next(next), seen++) {
    last = (modfs_platform *)(size_t)next;
    CHECK_INT(count_empty_in(last->abi), 0, "platform %s has every slot", next->name);
  }
  if (!CHECK_INT(seen, PLATFORMS, "all platforms were looked at")) return;
  SP_StreamExecutor kept = last->abi->executor;
  last->abi->executor.host_callback = NULL;
  CHECK_INT(count_empty_in(last->abi), 1, "the control: a slot that is taken away is missed");
  last->abi->executor = kept;
}

/* Loading -------------------------------------------------------------------------- */

static bool make_plugins(void) {
  static const char compile[] =
      "${CC:-cc} -std=c11 -D_GNU_SOURCE -g -fPIC -fvisibility=hidden -shared -Iinclude"
      " -Wl,--no-as-needed";
  static const char stub[] = "${BUILD:-build}/stub/libtensorflow_framework.so.2";
  char command[4096];
  int used = snprintf(command, sizeof command,
                      "set -e; %s spec/fixtures/least/least.c -o %s/least.so %s;"
                      " %s spec/fixtures/devices/*.c -o %s/base %s;",
                      compile, folder, stub, compile, folder, stub);
  for (size_t i = 0; i < PLATFORMS; i++)
    used += snprintf(command + used, sizeof command - (size_t)used, "cp %s/base %s/%s.so;", folder,
                     folder, platforms[i]);
  return system(command) == 0;
}

static bool load(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s.so", folder, name);
  modfs_plugin_load(path, NULL, true, status);
  return ok();
}

/* The host's table ---------------------------------------------------------------- */

/* What plugins of another age have: fewer members, all, and more. */
static void test_attributes(void) {
  const size_t sizes[] = {offsetof(modfs_attributes, length), sizeof(modfs_attributes),
                          sizeof(modfs_attributes) + 64};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    union {
      modfs_attributes seen;
      unsigned char bytes[sizeof(modfs_attributes) + 128];
    } there;
    memset(&there, 0x5a, sizeof there);
    there.seen.struct_size = sizes[i];
    host_services.get_attributes("file:///", &there.seen, status);
    CHECK(ok() && there.seen.kind == MODFS_KIND_DIRECTORY, "attributes of %zu bytes", sizes[i]);
    CHECK_INT((int64_t)there.seen.struct_size, (int64_t)sizes[i], "the size stays");
    size_t changed = sizes[i];
    while (changed < sizeof there && there.bytes[changed] == 0x5a)
      changed++;
    CHECK_INT((int64_t)changed, (int64_t)sizeof there, "nothing behind them is written");
  }
}

static bool load_plugins(void) {
  bool loaded = load("least");
  for (size_t i = 0; i < PLATFORMS; i++)
    loaded = loaded && load(platforms[i]);
  return loaded;
}

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) check_note("%s is left", folder);
}

int main(void) {
  status = TF_NewStatus();
  modfs_start(status);
  if (!CHECK(ok(), "the core starts")) return check_end();
  if (CHECK(mkdtemp(folder) && make_plugins() && load_plugins(), "the plugins load")) {
    test_filesystems();
    test_refusals();
    test_platforms();
    test_attributes();
  }
  remove_folder();
  TF_DeleteStatus(status);
  return check_end();
}
