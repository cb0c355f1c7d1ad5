/* The options of a filesystem. */
#ifndef POSIX_CONFIGURATION_H
#define POSIX_CONFIGURATION_H

#include "../common/slot/slot.h"

typedef enum posix_option {
  POSIX_FILE_MODE,
  POSIX_DIRECTORY_MODE,
  POSIX_SYNC_ON_CLOSE,
  POSIX_OPTIONS /* their number */
} posix_option;

FS_SLOT(init) posix_init;
FS_SLOT(cleanup) posix_cleanup;

int posix_option_get(const TF_Filesystem *filesystem, posix_option option);

FS_SLOT(get_filesystem_configuration) posix_get_filesystem_configuration;
FS_SLOT(set_filesystem_configuration) posix_set_filesystem_configuration;
FS_SLOT(get_filesystem_configuration_option) posix_get_filesystem_configuration_option;
FS_SLOT(set_filesystem_configuration_option) posix_set_filesystem_configuration_option;

#endif
