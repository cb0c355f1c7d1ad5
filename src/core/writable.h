/* Files for writing, as the copy opens them. */
#ifndef MODFS_CORE_WRITABLE_H
#define MODFS_CORE_WRITABLE_H

#include "fs.h"

/* Opens a name that is translated already; shown is what the file is called. */
modfs_writable *writable_open_name(const modfs_fs *fs, const char *name, const char *shown,
                                   modfs_write_mode mode, TF_Status *status);

/* The same, to write anew, in a directory that the core has just made. */
modfs_writable *writable_open_fresh(const modfs_fs *fs, const char *name, const char *shown,
                                    TF_Status *status);

/* One whose table and handle are a codec's. direct: pieces reach it as they are written.
 * as: the one whose content it takes along when it is aborted or forgotten; NULL: none. */
modfs_writable *writable_open_handle(const modfs_fs *fs, void *plugin_file, const char *shown,
                                     bool direct, const modfs_writable *as, TF_Status *status);

const modfs_fs *writable_fs(const modfs_writable *writable);
void *writable_plugin_file(const modfs_writable *writable);

/* Whether abort leaves the content that was there before. */
bool writable_keeps_old(const modfs_writable *writable);

/* Whether it belongs to the process that this one was forked from. */
bool writable_is_inherited(const modfs_writable *writable);

/* Keeps the block beyond its close: what is written to it then is FAILED_PRECONDITION. */
modfs_writable *writable_hold(modfs_writable *writable);
void writable_drop(modfs_writable *writable);

/* Room for a small piece, which the caller fills before the next call; NULL where it cannot be had so
 * and has to be appended. */
char *writable_room(modfs_writable *writable, size_t n);

/* As their namesakes of modfs.h, without locating what fails. */
void writable_quiet_append(modfs_writable *writable, const char *data, size_t n, TF_Status *status);
void writable_quiet_flush(modfs_writable *writable, TF_Status *status);
void writable_quiet_sync(modfs_writable *writable, TF_Status *status);
/* wanted: close, else abort. */
void writable_quiet_end(modfs_writable *writable, bool wanted, TF_Status *status);

#endif
