#include "../common/about/about.h"
#include "fs.h"
#include "transaction.h"
#include "writable.h"

#include <string.h>

static const modfs_extension_ops extension = {
    ABOUT_MODFS,
    .in_flight = 1, /* one lock is around all files */
    .open_directory = memory_fs_open_directory,
    .next_entry = memory_fs_next_entry,
    .close_directory = memory_fs_close_directory,
    .lstat = memory_fs_lstat,
    .abort_transaction = memory_fs_abort_transaction,
    .open_writer = memory_fs_open_writer,
    .get_attributes = memory_fs_get_attributes,
    .set_attributes = memory_fs_set_attributes,
    .create_link = memory_fs_create_link,
    .read_link = memory_fs_read_link,
    .set_writer_attributes = memory_fs_set_writer_attributes,
    .get_xattrs = memory_fs_get_xattrs,
    .set_xattrs = memory_fs_set_xattrs,
    .get_space = memory_fs_get_space,
    .next_entries = memory_fs_next_entries,
};

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return scheme && strcmp(scheme, "mem") == 0 ? &extension : NULL;
}
