/* Parses s3://bucket/key. The path contains the key as it is: nothing is decoded or normalized.
 *
 * A path that ends in a slash means a directory; its key is the part before that slash. If the key is "",
 * the path is the bucket itself; if the bucket is "" as well, it is the root that contains the buckets. */
#ifndef S3_NAME_H
#define S3_NAME_H

#include <modfs/filesystem.h>

enum { S3_MOST_BUCKET = 63, S3_MOST_KEY = 1024 };

typedef struct s3_name {
  char bucket[S3_MOST_BUCKET + 1];
  char key[S3_MOST_KEY + 1];
  char prefix[S3_MOST_KEY + 2]; /* of the keys in it, as a directory: "" or "key/" */
  bool is_directory;            /* it ends in a slash, or is a bucket or the root */
} s3_name;

/* false with INVALID_ARGUMENT: an invalid bucket name, or a key that is too long, not UTF-8, or more than
 * one line. */
bool s3_name_parse(const char *path, s3_name *name, TF_Status *status);

/* The same for a file; FAILED_PRECONDITION where the path means a directory. */
bool s3_name_parse_file(const char *path, s3_name *name, TF_Status *status);

/* Whether both are the same path; whether the second is the first or below it. */
bool s3_name_is_same(const s3_name *a, const s3_name *b);
bool s3_name_covers(const s3_name *above, const s3_name *name);

/* Changes the name to its parent; false for a bucket, which has none. */
bool s3_name_to_parent(s3_name *name);

/* Whether an object with this key is a directory marker, never a file. */
bool s3_name_is_marker(const s3_name *name);

enum { S3_ENCODED_SIZE = 3 * S3_MOST_KEY + 1 };

/* Percent-encodes everything but letters, digits, -_.~ and, if asked, slashes; truncated to size. Returns
 * the length. */
size_t s3_name_encode(const char *text, bool keep_slashes, char *encoded, size_t size);

#endif
