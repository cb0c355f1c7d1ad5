/* Operations on the entries of an open directory, wherever its path leads by now. Links are never
 * followed, and no name is checked before its use: the system call itself decides what it is. */
#ifndef POSIX_ENTRY_H
#define POSIX_ENTRY_H

#include "../common/slot/slot.h"
#include "path.h"

EXTENSION_SLOT(open_subdirectory) posix_open_subdirectory;
void posix_entry_attributes(const modfs_directory *directory, const char *name,
                            modfs_attributes *attributes, TF_Status *status); /* stat.c */
void posix_open_reader(const modfs_directory *directory, const char *name,
                       TF_RandomAccessFile *file, TF_Status *status); /* file.c */
EXTENSION_SLOT(create_subdirectory) posix_create_subdirectory;
EXTENSION_SLOT(delete_entry) posix_delete_entry;
void posix_rename_entry(const modfs_directory *from, const char *name, const modfs_directory *to,
                        const char *new_name, TF_Status *status); /* rename.c */
void posix_copy_entry(const modfs_directory *from, const char *name, const modfs_directory *to,
                      const char *new_name, TF_Status *status); /* copy.c */
uint64_t posix_copy_entry_keeping(const modfs_directory *from, const char *name,
                                  const modfs_directory *to, const char *new_name, uint64_t which,
                                  modfs_attributes *attributes, TF_Status *status);

/* The place of an entry of the directory or, where that is NULL, of a path; returns an error. Leaving it
 * is allowed after a failure, too. */
int posix_entry_place(const modfs_directory *directory, const char *name, posix_place *place);
void posix_entry_leave(const modfs_directory *directory, posix_place *place);

/* Opens an entry that is not a link, without blocking; returns an error. */
int posix_open_at(const modfs_directory *directory, const char *name, int flags, int *fd);

#endif
