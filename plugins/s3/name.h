/* s3://bucket/key, taken apart. A key stands in a path as it is: nothing is decoded or cleaned.
 *
 * A path that ends in a slash means a directory: its key is the part before that slash. Where the key is ""
 * the path is the bucket itself, and where the bucket is "", too, it is the place that the buckets are in. */
#ifndef S3_NAME_H
#define S3_NAME_H

#include <modfs/filesystem.h>

enum { S3_MOST_BUCKET = 63, S3_MOST_KEY = 1024 };

typedef struct s3_name {
  char bucket[S3_MOST_BUCKET + 1];
  char key[S3_MOST_KEY + 1];
  char prefix[S3_MOST_KEY + 2]; /* of what is in it, were it a directory: "" or "key/" */
  bool is_directory;            /* by its slash, or as a bucket or the place of all */
} s3_name;

/* false with INVALID_ARGUMENT: no bucket's name, a key that is too long, not UTF-8, or more than one line. */
bool s3_name_parse(const char *path, s3_name *name, TF_Status *status);

/* The same for what must be a file; FAILED_PRECONDITION where the path says directory. */
bool s3_name_parse_file(const char *path, s3_name *name, TF_Status *status);

/* The same path, and what is at or below one. */
bool s3_name_is_same(const s3_name *a, const s3_name *b);
bool s3_name_covers(const s3_name *above, const s3_name *name);

/* One level up, from a key to the bucket at last; false from there. */
bool s3_name_to_parent(s3_name *name);

/* Whether an object with this key is a directory's marker, never a file. */
bool s3_name_is_marker(const s3_name *name);

enum { S3_ENCODED_SIZE = 3 * S3_MOST_KEY + 1 };

/* Percent-encodes all but letters, digits and -_.~, and slashes where they are to stay; cut to size. Returns
 * the length. */
size_t s3_name_encode(const char *text, bool keep_slashes, char *encoded, size_t size);

#endif
