/* Files opened for reading: the table's operations. */
#ifndef HTTP_FILE_H
#define HTTP_FILE_H

#include "../common/slot/slot.h"

FS_SLOT(new_random_access_file) http_new_random_access_file;
FS_SLOT(new_read_only_memory_region_from_file) http_new_read_only_memory_region_from_file;

#endif
