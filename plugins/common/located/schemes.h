/* Registers the schemes of a plugin, whose messages name the path, and tells which they are:
 *
 *   static const located_scheme schemes[] = {{.name = "http"}, {.name = "https"}, {.name = NULL}};
 *
 *   void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
 *     modfs_register_start(plugin_info, modfs_register_allocate, free);
 *     located_register(plugin_info, schemes, &tables, NULL);
 *   }
 *
 *   const modfs_extension_ops *modfs_extension(const char *scheme) {
 *     return located_serves(schemes, scheme) ? &extension : NULL;
 *   } */
#ifndef LOCATED_SCHEMES_H
#define LOCATED_SCHEMES_H

#include <modfs/register.h>

#include "../slot/slot.h"
#include "located.h"

typedef struct located_scheme {
  const char *name;           /* NULL ends a list */
  FS_SLOT(init) * init;       /* NULL: that of the table */
  FS_SLOT(cleanup) * cleanup; /* the same */
} located_scheme;

/* Adds the schemes. Owns: the table of the filesystem must live as long as the plugin; see located_table. */
void located_register(TF_FilesystemPluginInfo *plugin_info, const located_scheme *schemes,
                      const modfs_register_tables *tables, located_show *shown);

/* Whether the scheme is one of them; NULL is none. */
bool located_serves(const located_scheme *schemes, const char *scheme);

#endif
