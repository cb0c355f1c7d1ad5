/* Files for writing, as the copy opens them. */
#ifndef MODFS_CORE_WRITABLE_H
#define MODFS_CORE_WRITABLE_H

#include "fs.h"

/* Opens a name that is translated already; shown is what the file is called. */
modfs_writable *writable_open_name(const modfs_fs *fs, const char *name, const char *shown,
                                   modfs_write_mode mode, TF_Status *status);

#endif
