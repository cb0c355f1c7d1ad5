/* Deletes objects, directories and trees. */
#ifndef STORE_DELETE_H
#define STORE_DELETE_H

#include "../slot/slot.h"
#include "../objects/filesystem.h"
#include "call.h"

/* Immediately, not in a transaction. The first does not look whether there is such an object. */
store_change store_delete_object;
store_change store_delete_empty;
void store_delete_tree(const TF_Filesystem *filesystem, const objects_name *name, uint64_t *files,
                       uint64_t *directories, TF_Status *status);

FS_SLOT(delete_file) store_delete_file;
FS_SLOT(delete_dir) store_delete_dir;
FS_SLOT(delete_recursively) store_delete_recursively;

#endif
