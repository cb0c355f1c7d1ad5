/* Who wrote our filesystem plugins, and which version they are: the first members of modfs_extension_ops. */
#ifndef ABOUT_ABOUT_H
#define ABOUT_ABOUT_H

#include <modfs/extension.h>

#define ABOUT_MODFS                                                                                \
  .struct_size = sizeof(modfs_extension_ops), .author = "modfs authors", .version = "0.1.0",       \
  .url = "https://github.com/modfs/modfs"

#endif
