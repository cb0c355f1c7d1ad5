#include "filesystem.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

void http_init(TF_Filesystem *filesystem, TF_Status *status) {
  filesystem->plugin_filesystem = calloc(1, sizeof(remote));
  if (!filesystem->plugin_filesystem)
    fail_no_memory(status);
  else if (!remote_init(remote_of(filesystem), &http_options, status))
    http_cleanup(filesystem);
}

void http_cleanup(TF_Filesystem *filesystem) {
  if (filesystem->plugin_filesystem) remote_fini(remote_of(filesystem));
  free(filesystem->plugin_filesystem);
  filesystem->plugin_filesystem = NULL;
}

/* Only the server knows what a URL means, so it is not normalized. The fragment is not sent. */
char *http_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  return strndup(uri, strcspn(uri, "#"));
}

int http_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                      TF_Status *status) {
  (void)filesystem, (void)path, (void)entries;
  TF_SetStatus(status, TF_UNIMPLEMENTED, "http does not support listing directories");
  return -1;
}
