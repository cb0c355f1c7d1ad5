/* Symbolic links: shown as such, and read. */
#ifndef ARCHIVE_LINK_H
#define ARCHIVE_LINK_H

#include "../common/slot/slot.h"
#include "archive.h"

/* The target of a link; NULL on failure. Owns: free(). */
char *archive_link_target(const archive *self, const index_entry *link, TF_Status *status);

EXTENSION_SLOT(read_link) archive_read_link;

#endif
