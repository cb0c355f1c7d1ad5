/* Reads a section of the shared credentials file. */
#ifndef S3_PROFILE_H
#define S3_PROFILE_H

#include "credentials.h"

/* false when the file does not exist, or the section lacks one of the two keys. */
bool s3_profile_read(const char *file, const char *section, s3_credentials *credentials);

/* Finds a setting of a section that is not secret; false: there is none, or it is too long. */
bool s3_profile_find(const char *file, const char *section, const char *name, char *value,
                     size_t size);

/* Reads the first line of a file, trimmed; false when that fails. */
bool s3_profile_read_line(const char *file, char *line, size_t size);

#endif
