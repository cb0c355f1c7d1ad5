/* Queries about a URL: existence, size, kind. */
#ifndef HTTP_QUERY_H
#define HTTP_QUERY_H

#include <modfs/filesystem.h>

void http_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void http_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
               TF_Status *status);
bool http_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

#endif
