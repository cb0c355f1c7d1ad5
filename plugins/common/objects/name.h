/* Parses scheme://bucket/key. The path contains the key as it is: nothing is decoded or normalized.
 *
 * A path that ends in a slash means a directory; its key is the part before that slash. If the key is "", the
 * path is the bucket itself, or a root: what is above the buckets. A bucket may be more than one name of the
 * path, "account/container": the service takes it (service.h). */
#ifndef OBJECTS_NAME_H
#define OBJECTS_NAME_H

#include <modfs/filesystem.h>

enum { OBJECTS_BUCKET_SIZE = 128, OBJECTS_MOST_KEY = 1024 };

typedef struct objects_name {
  char bucket[OBJECTS_BUCKET_SIZE]; /* in the form of a path; of a root "" or "account" */
  char key[OBJECTS_MOST_KEY + 1];
  char prefix[OBJECTS_MOST_KEY + 2]; /* of the keys in it, as a directory: "" or "key/" */
  bool is_directory;                 /* it ends in a slash, or is a bucket or a root */
  bool is_root;                      /* it contains buckets */
} objects_name;

/* Takes the bucket of a path, see objects_service. */
typedef bool objects_take_bucket(const char *scheme, const char **rest, objects_name *name,
                                 TF_Status *status);

/* Reads a path whose bucket is taken by `take`. false with INVALID_ARGUMENT: an invalid bucket name, or a key
 * that is too long, not UTF-8, or more than one line. */
bool objects_name_read(objects_take_bucket *take, const char *path, objects_name *name,
                       TF_Status *status);

/* Whether both are the same path; whether the second is the first or below it. */
bool objects_name_is_same(const objects_name *a, const objects_name *b);
bool objects_name_covers(const objects_name *above, const objects_name *name);

/* Changes the name to its parent; false for a bucket, which has none. */
bool objects_name_to_parent(objects_name *name);

/* Whether an object with this key is a directory marker, never a file. */
bool objects_name_is_marker(const objects_name *name);

enum { OBJECTS_ENCODED_SIZE = 3 * OBJECTS_MOST_KEY + 1 };

/* Percent-encodes everything but letters, digits, -_.~ and, if asked, slashes; truncated to size. Returns
 * the length. */
size_t objects_name_encode(const char *text, bool keep_slashes, char *encoded, size_t size);

/* Decodes in place; plus: "+" is a space. false: the encoding is invalid, or of a NUL. */
bool objects_name_decode(char *text, bool plus);

#endif
