/* Slots of filesystems that cannot be changed. Each fails with UNIMPLEMENTED and says why. A host that found the
 * slot empty could not say it, and would try other operations first. */
#ifndef READ_ONLY_READ_ONLY_H
#define READ_ONLY_READ_ONLY_H

#include "../slot/slot.h"

/* Sets the message, once, before the slots are used. Owns: it is kept. */
void read_only_because(const char *reason);

FS_SLOT(new_writable_file) read_only_file;
FS_SLOT(create_dir) read_only_path;
FS_SLOT(rename_file) read_only_paths;
FS_SLOT(delete_recursively) read_only_tree;

/* For plugins without any files to write: hosts require a cleanup wherever a slot opens such files. */
extern const TF_WritableFileOps read_only_writable_ops;

#endif
