/* Operations that a web server does not support. Each slot fails with UNIMPLEMENTED and says why. A host
 * that found the slot empty could not say it, and would try other operations first. */
#ifndef HTTP_REFUSE_H
#define HTTP_REFUSE_H

#include "../common/slot/slot.h"

FS_SLOT(new_writable_file) http_refuse_writable_file;
void http_refuse_cleanup(TF_WritableFile *file);
FS_SLOT(create_dir) http_refuse_path;
FS_SLOT(rename_file) http_refuse_paths;
FS_SLOT(delete_recursively) http_refuse_delete_recursively;
FS_SLOT(get_children) http_refuse_get_children;

#endif
