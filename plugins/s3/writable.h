/* Files opened for writing. */
#ifndef S3_WRITABLE_H
#define S3_WRITABLE_H

#include "../common/slot/slot.h"

FS_SLOT(new_writable_file) s3_new_writable_file;
/* Opens by flags, see extension.h. ATOMIC: cleanup without close keeps the old object. NEW: the name is in
 * a directory that was created a moment ago. */
EXTENSION_SLOT(open_writer) s3_open_writer;
FS_SLOT(new_appendable_file) s3_new_appendable_file;
EXTENSION_SLOT(set_writer_attributes) s3_set_writer_attributes;

extern const TF_WritableFileOps s3_writable_ops;

#endif
