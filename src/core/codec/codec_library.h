/* Libraries of codecs, each opened by the first stream that needs it and never closed. Linked to the core
 * they would be mapped into every program that requires modfs, most of which use none of them. */
#ifndef MODFS_CORE_CODEC_LIBRARY_H
#define MODFS_CORE_CODEC_LIBRARY_H

#include "codec.h"

/* For a list of functions of a header, FUNCTIONS(of): a table of pointers to them, and their names. */
#define CODEC_TABLE(type)                                                                          \
  typedef struct type {                                                                            \
    FUNCTIONS(CODEC_FIELD)                                                                         \
  } type
#define CODEC_FIELD(name) __typeof__(name) *(name);
#define CODEC_NAME(name) #name,

typedef struct codec_library {
  const char *soname;
  const char *const *names; /* of functions, with NULL at the end */
  void *_Atomic functions;  /* a table with pointers to them alone; NULL until it is opened */
} codec_library;

/* Makes `functions` what all later calls find; UNIMPLEMENTED where the library cannot be loaded. */
bool codec_library_open(codec_library *self, const modfs_codec *codec, TF_Status *status);

#endif
