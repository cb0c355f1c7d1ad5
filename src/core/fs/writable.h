/* Files for writing, for the files about copies and codecs. */
#ifndef MODFS_CORE_WRITABLE_H
#define MODFS_CORE_WRITABLE_H

#include "fs.h"

/* Opens a translated name; shown is the file's name in messages. */
modfs_writable *writable_open_name(const modfs_fs *fs, const char *name, const char *shown,
                                   modfs_write_mode mode, TF_Status *status);

/* The same, for a new file in a directory that the core has just created. */
modfs_writable *writable_open_fresh(const modfs_fs *fs, const char *name, const char *shown,
                                    TF_Status *status);

/* Opens an entry of a plugin's open directory, for a copy: nothing is gathered. flags:
 * MODFS_OPEN_NEW or MODFS_OPEN_ATOMIC. */
modfs_writable *writable_open_entry(const modfs_fs *fs, const modfs_directory *directory,
                                    const char *name, uint32_t flags, TF_Status *status);

/* Opens one whose table and handle are a codec's. as: the writable below, whose behaviour on abort
 * and forget it takes; NULL: none. */
modfs_writable *writable_open_handle(const modfs_fs *fs, void *plugin_file, const char *shown,
                                     const modfs_writable *as, TF_Status *status);

/* Sets attributes that the file is to have once it is closed; failures are not located. */
void writable_set_attributes(const modfs_writable *writable, const fs_wanted *wanted,
                             TF_Status *status);

/* Passes writes on one by one from now on, instead of gathering them. */
void writable_set_direct(modfs_writable *writable);

const modfs_fs *writable_fs(const modfs_writable *writable);
void *writable_plugin_file(const modfs_writable *writable);

/* Whether abort leaves the file's previous content. */
bool writable_keeps_old(const modfs_writable *writable);

/* Whether it was opened before a fork and belongs to the parent process. */
bool writable_is_inherited(const modfs_writable *writable);

/* Retains the struct beyond its close; writing to it is FAILED_PRECONDITION then. */
modfs_writable *writable_hold(modfs_writable *writable);
void writable_drop(modfs_writable *writable);

/* Room in the buffer for n bytes, which the caller fills before the next call. NULL when there is
 * none: then the caller appends them. */
char *writable_room(modfs_writable *writable, size_t n);

/* Like their namesakes in modfs.h, but failures are not located. */
void writable_quiet_append(modfs_writable *writable, const char *data, size_t n, TF_Status *status);
void writable_quiet_flush(modfs_writable *writable, TF_Status *status);
void writable_quiet_sync(modfs_writable *writable, TF_Status *status);
/* wanted: closes; else aborts. */
void writable_quiet_end(modfs_writable *writable, bool wanted, TF_Status *status);

#endif
