/* Files opened for writing: unbuffered, because hosts buffer small writes. */
#ifndef POSIX_WRITABLE_H
#define POSIX_WRITABLE_H

#include "../common/slot/slot.h"

FS_SLOT(new_writable_file) posix_new_writable_file;
FS_SLOT(new_appendable_file) posix_new_appendable_file;
EXTENSION_SLOT(open_writer) posix_open_writer;
EXTENSION_SLOT(set_writer_attributes) posix_set_writer_attributes;

extern const TF_WritableFileOps posix_writable_ops;

#endif
