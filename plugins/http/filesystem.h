/* The state that all handles of one scheme share: a remote, and nothing more. */
#ifndef HTTP_FILESYSTEM_H
#define HTTP_FILESYSTEM_H

#include "../common/slot/slot.h"
#include "../common/remote/remote.h"
#include "options.h"

FS_SLOT(init) http_init;
FS_SLOT(cleanup) http_cleanup;
FS_SLOT(translate_name) http_translate_name;
FS_SLOT(get_children) http_get_children;

#endif
