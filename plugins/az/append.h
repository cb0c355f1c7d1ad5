/* Files opened for writing: those of the store and, beside them, append blobs, which are appended in place. */
#ifndef AZ_APPEND_H
#define AZ_APPEND_H

#include "../common/slot/slot.h"

FS_SLOT(new_writable_file) az_new_writable_file;
FS_SLOT(new_appendable_file) az_new_appendable_file;
EXTENSION_SLOT(open_writer) az_open_writer;
EXTENSION_SLOT(set_writer_attributes) az_set_writer_attributes;

extern const TF_WritableFileOps az_writable_ops;

#endif
