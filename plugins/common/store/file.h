/* A file opened for reading: one version of an object. */
#ifndef STORE_FILE_H
#define STORE_FILE_H

#include "../slot/slot.h"

FS_SLOT(new_random_access_file) store_new_random_access_file;
FS_SLOT(new_read_only_memory_region_from_file) store_new_read_only_memory_region_from_file;
EXTENSION_SLOT(reader_attributes) store_reader_attributes;

#endif
