/* Queries about a URL: existence, size, kind. */
#ifndef HTTP_QUERY_H
#define HTTP_QUERY_H

#include "../common/slot/slot.h"

FS_SLOT(path_exists) http_path_exists;
FS_SLOT(stat) http_stat;
FS_SLOT(is_directory) http_is_directory;

#endif
