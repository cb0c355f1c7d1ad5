#include "fs.h"
#include "transaction.h"
#include "writable.h"

#include <string.h>

static const modfs_extension_ops extension = {
    .struct_size = sizeof(modfs_extension_ops),
    .author = "modfs authors",
    .version = "0.1.0",
    .url = "https://github.com/modfs/modfs",
    .open_directory = memory_fs_open_directory,
    .next_entry = memory_fs_next_entry,
    .close_directory = memory_fs_close_directory,
    .lstat = memory_fs_lstat,
    .abort_transaction = memory_fs_abort_transaction,
    .open_writer = memory_fs_open_writer,
};

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return scheme && strcmp(scheme, "mem") == 0 ? &extension : NULL;
}
