/* An archive that is being written: from its first entry to its publication. */
#ifndef ARCHIVE_WRITING_H
#define ARCHIVE_WRITING_H

#include <pthread.h>

#include "encode.h"
#include "filesystem.h"
#include "spool.h"

enum { SPARES = 8 };

typedef struct writing {
  TF_TransactionToken token; /* first: a token leads back here */
  atomic_size_t references;
  struct writing *next; /* of the filesystem's list */
  archive_fs *fs;
  char *base;            /* path of the archive; NULL: no path was added yet */
  uint32_t owner, group; /* of entries that have none */
  bool is_lone; /* of a single file outside of a transaction: published when that is closed */
  pthread_mutex_t lock; /* guards all below */
  bool ended;
  bool broken;             /* a write failed: the archive cannot be published */
  void *out;               /* the host's writer */
  encoder *encoder;        /* of a compressed tar, before out */
  encoder *spares[SPARES]; /* of members that are complete, for the next ones; NULL: none */
  uint64_t offset;         /* bytes written, before compression */
  bool straight;           /* a member's content is being written behind its header */
  spool aside;             /* what comes of others meanwhile */
  archive_index index;
} writing;

/* The open one of an archive, with a reference; NULL: there is none. */
writing *writing_find(archive_fs *fs, const char *base);

/* A new one without a path; NULL on failure. Owns: writing_release, after writing_end. */
writing *writing_new(archive_fs *fs, TF_Status *status);

/* Gives it its archive, which must not exist. */
bool writing_begin(writing *self, const char *base, TF_Status *status);

/* Completes and publishes the archive, or leaves nothing of it. */
bool writing_end(writing *self, bool publish, TF_Status *status);
void writing_release(writing *self);

/* Appends to the archive; the lock is held. */
bool writing_put(writing *self, const void *bytes, size_t n, TF_Status *status);

/* False, with NOT_FOUND or FAILED_PRECONDITION, unless a file may have that name: its parent is a directory, and it
 * is none. */
bool writing_check_place(writing *self, const char *inner, TF_Status *status);

/* Adds an entry with its content, which was encoded as entry->method says. content NULL: none. */
bool writing_add(writing *self, const char *inner, const index_entry *like, const spool *content,
                 TF_Status *status);

/* A member of a tar whose length is known goes straight into the archive, one at a time: an entry, its
 * content, and the end. False with OK: it cannot now. What is begun and never ends breaks the archive. */
bool writing_begin_straight(writing *self, const char *inner, const index_entry *like,
                            TF_Status *status);
bool writing_put_straight(writing *self, const char *bytes, size_t n, TF_Status *status);
bool writing_end_straight(writing *self, uint64_t length, TF_Status *status);

/* The formats: header and content of one entry, and what ends an archive. A tar's member without its
 * content, but with a length, lacks its padding, too. The lock is held. */
bool zip_write_member(writing *self, index_entry *entry, const spool *content, TF_Status *status);
bool zip_write_end(writing *self, TF_Status *status);
bool tar_write_member(writing *self, index_entry *entry, const spool *content, TF_Status *status);
bool tar_write_padding(writing *self, uint64_t length, TF_Status *status);
bool tar_write_end(writing *self, TF_Status *status);

/* An encoder that is left from another member, or NULL. Owns: encode_close, or writing_leave_encoder. */
encoder *writing_take_encoder(writing *self);
void writing_leave_encoder(writing *self, encoder *left);

/* A part of a member is lost, so the archive cannot be published. Threads: any. */
void writing_break(writing *self);

/* Copies the content into the archive. */
bool writing_put_spool(writing *self, const spool *content, TF_Status *status);

#endif
