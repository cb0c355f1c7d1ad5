/* Files for reading, for the files about copies, codecs and defaults. */
#ifndef MODFS_CORE_FILE_H
#define MODFS_CORE_FILE_H

#include "fs.h"

/* Opens a translated name; shown is the file's name in messages. */
modfs_file *file_open_name(const modfs_fs *fs, const char *name, const char *shown,
                           TF_Status *status);

/* The same for an entry of a plugin's open directory. */
modfs_file *file_open_entry(const modfs_fs *fs, const modfs_directory *directory, const char *name,
                            const char *shown, TF_Status *status);

/* Operations that depend on who opened the file: a plugin, or a codec. */
typedef struct file_ops {
  int64_t (*read_some)(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                       TF_Status *status);                    /* file_read_some */
  int64_t (*size)(const modfs_file *file, TF_Status *status); /* modfs_file_size */
} file_ops;

/* Opens a file whose tables and handle are a codec's. */
modfs_file *file_open_handle(const modfs_fs *fs, const file_ops *ops, void *plugin_file,
                             const char *shown, TF_Status *status);
void *file_plugin_file(const modfs_file *file);

/* Stores the attributes that a file had when it was opened; UNIMPLEMENTED where its plugin would
 * have to query them. Failures are not located. */
void file_attributes(const modfs_file *file, modfs_attributes *attributes, TF_Status *status);

/* Takes a reference; modfs_file_close releases one. */
modfs_file *file_hold(modfs_file *file);

/* Like modfs_file_read, but status must be OK on entry, and failures are not located. */
int64_t file_read(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                  TF_Status *status);

/* The same, but bytes that precede a failure are returned first, fewer than n; the next read
 * returns the failure. 0 at the end. */
int64_t file_read_some(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                       TF_Status *status);

/* Reads a whole file, up to the first short read: the first read asks for first bytes, each next
 * one doubles the memory. Owns: free(). NULL with a failure, or with OK when the file has more than
 * most bytes. */
char *file_read_all(const modfs_file *file, size_t first, size_t most, size_t *length,
                    TF_Status *status);

#endif
