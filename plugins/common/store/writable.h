/* Files opened for writing. */
#ifndef STORE_WRITABLE_H
#define STORE_WRITABLE_H

#include "../slot/slot.h"

FS_SLOT(new_writable_file) store_new_writable_file;
/* Opens by flags, see extension.h. ATOMIC: cleanup without close keeps the old object. NEW: the name is in
 * a directory that was created a moment ago. */
EXTENSION_SLOT(open_writer) store_open_writer;
FS_SLOT(new_appendable_file) store_new_appendable_file;
EXTENSION_SLOT(set_writer_attributes) store_set_writer_attributes;

extern const TF_WritableFileOps store_writable_ops;

#endif
