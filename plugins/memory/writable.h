/* Files open for writing: the table's operations.
 *
 * Nothing is buffered: readers see each append at once, unless the file belongs to an
 * open transaction. */
#ifndef MEMORY_WRITABLE_H
#define MEMORY_WRITABLE_H

#include "../common/slot/slot.h"

FS_SLOT(new_writable_file) memory_fs_new_writable_file;
FS_SLOT(new_appendable_file) memory_fs_new_appendable_file;
EXTENSION_SLOT(open_writer) memory_fs_open_writer;
EXTENSION_SLOT(set_writer_attributes) memory_fs_set_writer_attributes;

extern const TF_WritableFileOps memory_writable_ops;

#endif
