/* Operations that archives do not have. Each slot fails and says why: a host that found it empty
 * could not. */
#ifndef ARCHIVE_REFUSE_H
#define ARCHIVE_REFUSE_H

#include "../common/slot/slot.h"

FS_SLOT(new_appendable_file) archive_refuse_file;
FS_SLOT(create_dir) archive_refuse_path;
FS_SLOT(rename_file) archive_refuse_paths;
FS_SLOT(delete_recursively) archive_refuse_delete_recursively;

#endif
