/* TensorFlow's record files: readers, and what the salvage shares with them. */
#ifndef MODFS_CORE_RECORD_H
#define MODFS_CORE_RECORD_H

#include <modfs/modfs.h>

/* The format: length (8 bytes, little endian), its masked CRC, the data, their masked CRC. */
enum { RECORD_HEADER = 12, RECORD_FOOTER = 4 };

/* Shows n bytes from offset on, read if necessary: returns how many there are, and points data at
 * them until the next call. Fewer than n: the end, or a failure. */
size_t record_fetch(modfs_records *records, uint64_t offset, size_t n, const char **data,
                    TF_Status *status);

/* The record at an offset if it lies in the window whole and is sound: most do. Reads nothing; false
 * says nothing about the record. */
bool record_in_window(const modfs_records *records, uint64_t offset, modfs_record *record);

/* Whether the checksum of a header is right; if so, stores the length. */
bool record_header(const char *header, uint64_t *length);

/* How far a damaged compressed stream can be read; UINT64_MAX when no damage was met. */
uint64_t record_limit(const modfs_records *records);

#endif
