/* TensorFlow's record files: readers and what they share with the salvage. */
#ifndef MODFS_CORE_RECORD_H
#define MODFS_CORE_RECORD_H

#include <modfs/modfs.h>

/* A length (8 bytes, little endian) and its masked sum, then the data, then its masked sum. */
enum { RECORD_HEADER = 12, RECORD_FOOTER = 4 };

/* The bytes from offset on, fetched if need be: returns how many of n there are, and points data at
 * them until the next call. Fewer than n: the end, or a failure. */
size_t record_fetch(modfs_records *records, uint64_t offset, size_t n, const char **data,
                    TF_Status *status);

/* Whether the sum in a header is right; then its length. */
bool record_header(const char *header, uint64_t *length);

/* How far a damaged compressed stream can be read; UINT64_MAX where no damage was met. */
uint64_t record_limit(const modfs_records *records);

#endif
