/* Codecs: each makes of one stream of bytes another, piece by piece. A decoded stream is a
 * modfs_file over another one or over bytes, an encoded one a modfs_writable over another, so
 * whatever works on those works on these. */
#ifndef MODFS_CORE_CODEC_H
#define MODFS_CORE_CODEC_H

#include "fs.h"

/* What one step reads and writes; the step moves both on. */
typedef struct codec_io {
  const char *in;
  size_t in_left;
  char *out;
  size_t out_left;
} codec_io;

typedef enum codec_step { CODEC_PUT, CODEC_FLUSH, CODEC_FINISH } codec_step;

struct modfs_codec {
  const char *name;
  const char *package;        /* Debian's, for where it is missing */
  bool joins;                 /* streams one behind another are one stream */
  bool unbuffered;            /* the pieces that are written make a difference */
  int lowest, highest, usual; /* levels; all 0: it has none */

  /* All NULL where the library was missing at build time; new: NULL when memory is short. */
  void *(*decoder_new)(void);
  /* Decodes what there is and fits; false when the stream may end here. Failures are DATA_LOSS, and
   * say what is wrong, not where. */
  bool (*decode)(void *decoder, codec_io *io, TF_Status *status);
  void (*decoder_free)(void *decoder);
  void *(*encoder_new)(int level);
  /* true when all of the input is taken and the step is done, false when it needs more room. */
  bool (*encode)(void *encoder, codec_io *io, codec_step step, TF_Status *status);
  void (*encoder_free)(void *encoder);
};

extern const modfs_codec codec_gzip, codec_zlib, codec_deflate; /* codec_zlib.c */
extern const modfs_codec codec_zstd;                            /* codec_zstd.c */
extern const modfs_codec codec_snappy;                          /* codec_snappy.c */

/* What a decoder reads from. */
typedef struct codec_source {
  modfs_file *file; /* one reference; NULL: bytes */
  uint64_t start;
  modfs_bytes *bytes; /* one reference, of which these are a part */
  const char *data;
  size_t length;
} codec_source;

/* The filesystems, of a kind, that decoded files and encoded writables belong to. */
extern const modfs_fs codec_reading; /* codec_read.c */
extern const modfs_fs codec_writing; /* codec_write.c */

/* A reader over a source, whose references it takes over whatever happens. */
modfs_file *codec_read_open(const modfs_codec *codec, codec_source source, const char *shown,
                            TF_Status *status);

/* modfs_file_size of such a file: reads to its end, once. */
int64_t codec_read_size(const modfs_file *file, TF_Status *status);

/* file_read_some of such a file. */
int64_t codec_read_some(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                        TF_Status *status);

/* How many decoded bytes stand before the damage that was met, and from now on can be read up to the
 * last, whatever the checksum behind it says; UINT64_MAX: none was met. */
uint64_t codec_read_limit(const modfs_file *file);

/* UNIMPLEMENTED, with the package to install, when a codec is not built in. */
bool codec_check(const modfs_codec *codec, TF_Status *status);

/* As file_read_some. */
int64_t codec_source_read(const codec_source *source, uint64_t offset, size_t n, char *buffer,
                          TF_Status *status);
void codec_source_fini(codec_source *source);

#endif
