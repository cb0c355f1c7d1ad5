#include "query.h"

#include "error.h"
#include "fetch.h"

/* A GET of one byte reports as much as HEAD does, and more servers answer it correctly. */
static bool look(const TF_Filesystem *filesystem, const char *path, http_fetch *fetch,
                 TF_Status *status) {
  *fetch = (http_fetch){.n = 1, .head_only = true};
  return http_fetch_run(filesystem, path, fetch, status);
}

void http_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  http_fetch fetch;
  look(filesystem, path, &fetch, status);
  http_fetch_end(&fetch);
}

void http_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
               TF_Status *status) {
  http_fetch fetch;
  if (look(filesystem, path, &fetch, status)) {
    if (fetch.known)
      *stats = (TF_FileStatistics){.length = (int64_t)fetch.version.length,
                                   .mtime_nsec = net_time(fetch.version.modified) * 1000000000};
    else
      http_fail(status, TF_UNIMPLEMENTED, fetch.url,
                "the server does not report the length; read the file to find it");
  }
  http_fetch_end(&fetch);
}

/* HTTP has no directories: every URL is a file, also one that ends in a slash. */
bool http_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  http_path_exists(filesystem, path, status);
  if (TF_GetCode(status) == TF_OK)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "http has no directories: each URL is a file");
  return false;
}
