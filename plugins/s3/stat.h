/* Finds out what a path is: an object, a directory (a prefix of keys, or a marker "key/"), or nothing. */
#ifndef S3_STAT_H
#define S3_STAT_H

#include "../common/slot/slot.h"
#include "attribute_headers.h"
#include "request.h"

enum { S3_TAG_SIZE = 256 };

typedef struct s3_object {
  bool is_directory;
  uint64_t length;
  int64_t modified;         /* seconds since 1970; 0: unknown */
  s3_attributes attributes; /* in its metadata */
  char tag[S3_TAG_SIZE];    /* ETag */
} s3_object;

/* Reads what the head of a response tells of the object, but for its length. */
void s3_object_read(const net_answer *answer, s3_object *object);

/* When it was modified, in nanoseconds: by its metadata, else by the server. 0: unknown. */
int64_t s3_object_mtime(const s3_object *object);

/* A HEAD of the key only. false with NOT_FOUND, and *missing set, when the object does not exist. */
bool s3_stat_object(const TF_Filesystem *filesystem, const s3_name *name, s3_object *object,
                    bool *missing, TF_Status *status);

/* The same, and the response with its head. Owns: the caller, s3_answer_end, also on failure. */
bool s3_stat_head(const TF_Filesystem *filesystem, const s3_name *name, s3_object *object,
                  s3_answer *answer, TF_Status *status);

/* Whether keys begin with the name's prefix; for a bucket, whether it exists. Also false on failure. */
bool s3_stat_prefix(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* Finds an object, else a directory. If there is neither: NOT_FOUND or, below a file, FAILED_PRECONDITION. */
bool s3_stat_any(const TF_Filesystem *filesystem, const s3_name *name, s3_object *object,
                 TF_Status *status);

/* Whether it is a directory; if it is a file, FAILED_PRECONDITION. */
bool s3_stat_directory(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* Sets the status for a key without an object: NOT_FOUND, or FAILED_PRECONDITION for a directory and for a
 * path below a file. */
void s3_stat_missing(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* Whether one of the paths above is a file. A directory that is not empty ends the search. */
bool s3_stat_is_below_file(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

FS_SLOT(stat) s3_stat;
FS_SLOT(path_exists) s3_path_exists;
FS_SLOT(is_directory) s3_is_directory;
FS_SLOT(get_file_size) s3_get_file_size;
EXTENSION_SLOT(stored_hash) s3_stored_hash;

#endif
