/* Searching the plugin path for a plugin by name. */
#ifndef MODFS_CORE_SEARCH_H
#define MODFS_CORE_SEARCH_H

#include <modfs/modfs.h>

/* Loads the first existing file of the path, each ? replaced by name; NULL with OK when none
 * exists. *tried receives the file names, each after a space. Owns: free(). */
const modfs_plugin *search_plugin(const char *name, const char *plugin_path, char **tried,
                                  TF_Status *status);

#endif
