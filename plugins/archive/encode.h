/* Compression of one stream, whose bytes go to a sink as they come. */
#ifndef ARCHIVE_ENCODE_H
#define ARCHIVE_ENCODE_H

#include "decode.h"

/* Takes bytes; false with a failure. */
typedef bool encode_sink(void *state, const char *bytes, size_t n, TF_Status *status);

typedef struct encoder encoder;

/* NULL on failure: UNIMPLEMENTED where the library is not built in. Owns: encode_close. */
encoder *encode_open(decode_form form, encode_sink *sink, void *state, TF_Status *status);
void encode_close(encoder *self);

/* Begins another stream. Only of DECODE_DEFLATE. */
void encode_again(encoder *self, void *state);

bool encode_put(encoder *self, const char *bytes, size_t n, TF_Status *status);

/* Completes the stream; nothing may be put afterwards. */
bool encode_end(encoder *self, TF_Status *status);

#endif
