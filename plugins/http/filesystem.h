/* The state that all handles of one scheme share: a remote, and nothing more. */
#ifndef HTTP_FILESYSTEM_H
#define HTTP_FILESYSTEM_H

#include <modfs/filesystem.h>

#include "../common/remote/remote.h"
#include "options.h"

void http_init(TF_Filesystem *filesystem, TF_Status *status);
void http_cleanup(TF_Filesystem *filesystem);
char *http_translate_name(const TF_Filesystem *filesystem, const char *uri);

#endif
