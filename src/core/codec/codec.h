/* Codecs: each transforms a stream of bytes into another, piece by piece. A decoded stream is a
 * modfs_file over another file or over bytes, an encoded one a modfs_writable over another, so all
 * operations on those work on these. */
#ifndef MODFS_CORE_CODEC_H
#define MODFS_CORE_CODEC_H

#include "core/fs/fs.h"

/* The packages that bring the libraries, from the table CODECS of the Makefile. */
#ifndef MODFS_PACKAGE_ZLIB
#define MODFS_PACKAGE_ZLIB "zlib"
#endif
#ifndef MODFS_PACKAGE_ZSTD
#define MODFS_PACKAGE_ZSTD "zstd"
#endif
#ifndef MODFS_PACKAGE_SNAPPY
#define MODFS_PACKAGE_SNAPPY "snappy"
#endif

/* Input and output of one step, which advances both. */
typedef struct codec_io {
  const char *in;
  size_t in_left;
  char *out;
  size_t out_left;
} codec_io;

typedef enum codec_step { CODEC_PUT, CODEC_FLUSH, CODEC_FINISH } codec_step;

struct modfs_codec {
  const char *name;
  const char *package;        /* the package to install if the library is missing */
  bool joins;                 /* concatenated streams are one stream */
  bool unbuffered;            /* the output depends on the sizes of the writes */
  int lowest, highest, usual; /* levels; all 0: the codec has none */

  /* Opens the library; UNIMPLEMENTED where it is no longer there. NULL: there is none. */
  bool (*open)(const modfs_codec *codec, TF_Status *status);

  /* All NULL when the library was missing at build time. decoder_new and encoder_new return NULL when
   * memory is short. */
  void *(*decoder_new)(void);
  /* Decodes as much as input and room allow; false when the stream may end here. Failures are
   * DATA_LOSS and say what is wrong, not where. */
  bool (*decode)(void *decoder, codec_io *io, TF_Status *status);
  void (*decoder_free)(void *decoder);
  void *(*encoder_new)(int level);
  /* True when all of the input is used and the step is done, false when it needs more room. */
  bool (*encode)(void *encoder, codec_io *io, codec_step step, TF_Status *status);
  void (*encoder_free)(void *encoder);
};

extern const modfs_codec codec_gzip, codec_zlib, codec_deflate; /* codec_zlib.c */
extern const modfs_codec codec_zstd;                            /* codec_zstd.c */
extern const modfs_codec codec_snappy;                          /* codec_snappy.c */

/* What a decoder reads: a file from start on, or bytes. */
typedef struct codec_source {
  modfs_file *file; /* one reference; NULL: bytes */
  uint64_t start;
  modfs_bytes *bytes; /* one reference; data and length are a part of them */
  const char *data;
  size_t length;
} codec_source;

/* Opens a decoded file over a source, whose references it takes over, on failure, too. */
modfs_file *codec_read_open(const modfs_codec *codec, codec_source source, const char *shown,
                            TF_Status *status);

/* The number of decoded bytes before the damage that was met; UINT64_MAX when none was. From now on
 * all of them can be read, even if the checksum behind them is wrong. */
uint64_t codec_read_limit(const modfs_file *file);

/* False, with UNIMPLEMENTED, when a codec is not built in, with the package to install, or its library
 * cannot be loaded. Precedes each decoder and encoder. */
bool codec_check(const modfs_codec *codec, TF_Status *status);

/* Like file_read_some. */
int64_t codec_source_read(const codec_source *source, uint64_t offset, size_t n, char *buffer,
                          TF_Status *status);
void codec_source_fini(codec_source *source);

#endif
