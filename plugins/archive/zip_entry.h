/* One header of a zip file's central directory. */
#ifndef ARCHIVE_ZIP_ENTRY_H
#define ARCHIVE_ZIP_ENTRY_H

#include "index.h"

enum { ZIP_CENTRAL = 46, ZIP_LOCAL = 30 };
#define ZIP_CENTRAL_SIGNATURE 0x02014b50u
#define ZIP_LOCAL_SIGNATURE 0x04034b50u

/* Adds the member whose header begins at bytes, of which `left` follow, to the index. delta is what
 * stands before the archive in its file. Returns the length of the header; 0 on failure. */
size_t zip_entry_add(archive_index *index, const unsigned char *bytes, size_t left, uint64_t delta,
                     TF_Status *status);

#endif
