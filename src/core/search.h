/* Finding a plugin by a name on the plugin path. */
#ifndef MODFS_CORE_SEARCH_H
#define MODFS_CORE_SEARCH_H

#include <modfs/modfs.h>

/* Loads the first file of the path that is there, with name for each ?; NULL with OK when there is
 * none. *tried gets the names, each after a space. Owns: free(). */
const modfs_plugin *search_plugin(const char *name, const char *plugin_path, char **tried,
                                  TF_Status *status);

#endif
