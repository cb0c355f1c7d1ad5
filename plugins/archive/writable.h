/* Members that are written, and what else makes entries of a new archive. */
#ifndef ARCHIVE_WRITABLE_H
#define ARCHIVE_WRITABLE_H

#include "../common/slot/slot.h"

FS_SLOT(new_writable_file) archive_new_writable_file;
FS_SLOT(create_dir) archive_create_dir;
FS_SLOT(recursively_create_dir) archive_recursively_create_dir;
EXTENSION_SLOT(open_writer) archive_open_writer;
EXTENSION_SLOT(create_link) archive_create_link;
EXTENSION_SLOT(set_attributes) archive_set_attributes;
EXTENSION_SLOT(set_writer_attributes) archive_set_writer_attributes;

extern const TF_WritableFileOps archive_writable_ops;

/* The attributes of an entry in an archive that is being written. False: none is, or it failed, which
 * status says. */
bool archive_look_written(const TF_Filesystem *filesystem, const char *path,
                          modfs_attributes *attributes, TF_Status *status);

#endif
