/* A section of the shared credentials file. */
#ifndef S3_PROFILE_H
#define S3_PROFILE_H

#include "credentials.h"

/* false when the file is not there, or holds no whole pair of keys for the section. */
bool s3_profile_read(const char *file, const char *section, s3_credentials *credentials);

/* The first line of a file, without blanks around it; false when it cannot be had. */
bool s3_profile_read_line(const char *file, char *line, size_t size);

#endif
