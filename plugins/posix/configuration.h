/* The options of a filesystem. */
#ifndef POSIX_CONFIGURATION_H
#define POSIX_CONFIGURATION_H

#include <modfs/filesystem.h>

typedef enum posix_option {
  POSIX_FILE_MODE,
  POSIX_DIRECTORY_MODE,
  POSIX_SYNC_ON_CLOSE,
  POSIX_OPTIONS /* their number */
} posix_option;

void posix_init(TF_Filesystem *filesystem, TF_Status *status);
void posix_cleanup(TF_Filesystem *filesystem);

int posix_option_get(const TF_Filesystem *filesystem, posix_option option);

void posix_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                        TF_Filesystem_Option **options, int *num_options,
                                        TF_Status *status);
void posix_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                        const TF_Filesystem_Option *options, int num_options,
                                        TF_Status *status);
void posix_get_filesystem_configuration_option(const TF_Filesystem *filesystem, const char *key,
                                               TF_Filesystem_Option **option, TF_Status *status);
void posix_set_filesystem_configuration_option(const TF_Filesystem *filesystem,
                                               const TF_Filesystem_Option *option,
                                               TF_Status *status);

#endif
