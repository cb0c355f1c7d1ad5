/* Decompression of one stream, piece by piece. */
#ifndef ARCHIVE_DECODE_H
#define ARCHIVE_DECODE_H

#include "base.h"

/* The forms of a stream. */
typedef enum decode_form { DECODE_STORED, DECODE_DEFLATE, DECODE_GZIP, DECODE_ZSTD } decode_form;

/* Whether the library of a form is built in; if not, status says UNIMPLEMENTED and names the package. */
bool decode_is_built(decode_form form, TF_Status *status);

typedef struct decoder decoder;

/* A decoder of n bytes at offset of the file, which stays open. NULL on failure: UNIMPLEMENTED where
 * the library is not built in. Owns: decode_close. */
decoder *decode_open(decode_form form, base_file *file, uint64_t offset, uint64_t n,
                     TF_Status *status);

/* The same of bytes in memory, which stay. */
decoder *decode_open_bytes(decode_form form, const char *bytes, size_t n, TF_Status *status);
void decode_close(decoder *self);

/* Decodes up to n bytes; fewer only at the end of the stream. -1 on failure. */
int64_t decode_some(decoder *self, size_t n, char *buffer, TF_Status *status);

/* CRC-32 of zip and gzip; begins with 0. */
uint32_t decode_crc(uint32_t crc, const char *bytes, size_t n);

#endif
