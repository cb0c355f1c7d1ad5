/* Files for reading, as the copy and the defaults open them. */
#ifndef MODFS_CORE_FILE_H
#define MODFS_CORE_FILE_H

#include "fs.h"

/* Opens a name that is translated already; shown is what the file is called. */
modfs_file *file_open_name(const modfs_fs *fs, const char *name, const char *shown,
                           TF_Status *status);

/* The same for an entry of a plugin's open directory. */
modfs_file *file_open_entry(const modfs_fs *fs, const modfs_directory *directory, const char *name,
                            const char *shown, TF_Status *status);

/* A file whose table and handle are not a filesystem's own: a codec's. */
modfs_file *file_open_handle(const modfs_fs *fs, void *plugin_file, const char *shown,
                             TF_Status *status);
void *file_plugin_file(const modfs_file *file);

/* One reference more; modfs_file_close ends one. */
modfs_file *file_hold(modfs_file *file);

/* As modfs_file_read, without clearing before and locating after. */
int64_t file_read(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                  TF_Status *status);

/* The same, but what is sound before a failure comes first, and is fewer than n; the failure comes
 * with the next read. 0 at the end. */
int64_t file_read_some(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                       TF_Status *status);

/* All of it, to the first read that comes short: first bytes are asked for at once, then twice as many.
 * Owns: free(). NULL with a failure, or with OK where there is no end within most bytes. */
char *file_read_all(const modfs_file *file, size_t first, size_t most, size_t *length,
                    TF_Status *status);

#endif
