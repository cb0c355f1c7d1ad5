/* S3 cannot change the metadata of an object. To set an attribute, the server copies the object onto itself
 * with new metadata: everything that a HEAD tells of it, and the attribute. The copy has the ETag of that
 * HEAD as its condition, so that it replaces no other version. A larger object is copied in parts.
 *
 * Nothing is locked. Of two changes at once one wins as a whole, or fails with ABORTED. */
#include "attributes.h"

#include <string.h>

#include "copy.h"
#include "transaction.h"
#include "upload.h"

/* Reading ------------------------------------------------------------------------------------ */

void s3_attributes_give(const s3_object *object, modfs_attributes *attributes) {
  const s3_attributes *kept = &object->attributes;
  const modfs_attributes all = {.struct_size = attributes->struct_size,
                                .kind =
                                    object->is_directory ? MODFS_KIND_DIRECTORY : MODFS_KIND_FILE,
                                .mode = kept->mode,
                                .owner = kept->owner,
                                .group = kept->group,
                                .length = (int64_t)object->length,
                                .mtime_nsec = s3_object_mtime(object),
                                .atime_nsec = kept->atime_nsec,
                                .known = kept->known | MODFS_ATTRIBUTE_MTIME};
  size_t size = attributes->struct_size;
  memcpy(attributes, &all, size < sizeof all ? size : sizeof all);
}

void s3_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
              TF_Status *status) {
  s3_name name;
  s3_object object;
  if (s3_name_parse(path, &name, status) && s3_stat_any(filesystem, &name, &object, status))
    s3_attributes_give(&object, attributes);
}

/* Setting ------------------------------------------------------------------------------------ */

/* An object as a HEAD found it. */
typedef struct found {
  const s3_name *name;
  s3_object object;
  s3_answer answer;
} found;

static bool copy_small(const TF_Filesystem *filesystem, const found *is,
                       const s3_attributes *attributes, TF_Status *status) {
  s3_headers headers = {0};
  bool gathered = s3_headers_add_source(&headers, is->name) &&
                  (*is->object.tag == '\0' ||
                   s3_headers_add(&headers, "x-amz-copy-source-if-match: %s", is->object.tag)) &&
                  s3_headers_add(&headers, "x-amz-metadata-directive: REPLACE") &&
                  s3_headers_add_whole(&headers, &is->answer.head) &&
                  s3_attributes_write(attributes, &headers);
  bool good = gathered && s3_copy_run(filesystem, is->name, &headers, status);
  if (!gathered) s3_no_memory(status);
  s3_headers_end(&headers);
  return good;
}

static bool copy_in_parts(const TF_Filesystem *filesystem, const found *is,
                          const s3_attributes *attributes, TF_Status *status) {
  static const s3_condition none = {0};
  s3_upload *upload = s3_upload_new(filesystem, is->name, &none, status);
  if (!upload) return false;
  s3_upload_set_source(upload, is->name, &is->object, &is->answer.head);
  s3_upload_set_attributes(upload, attributes);
  bool good = s3_upload_publish(upload, status);
  s3_upload_free(upload);
  return good;
}

/* Says what the path is, if it is no object. */
static void refuse(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_name directory = *name;
  s3_object object;
  directory.is_directory = true;
  TF_SetStatus(status, TF_OK, "");
  if (s3_stat_any(filesystem, &directory, &object, status))
    TF_SetStatus(status, TF_UNIMPLEMENTED, "a directory of S3 has no attributes");
}

bool s3_attributes_replace(const TF_Filesystem *filesystem, const s3_name *name,
                           const s3_attributes *attributes, TF_Status *status) {
  found is = {.name = name};
  bool good = s3_stat_head(filesystem, name, &is.object, &is.answer, status);
  if (good) {
    bool large = is.object.length > (uint64_t)remote_number(filesystem, S3_COPY_BYTES);
    good = (large ? copy_in_parts : copy_small)(filesystem, &is, attributes, status);
  } else if (is.answer.head.status == 404) {
    refuse(filesystem, name, status);
  }
  s3_answer_end(&is.answer);
  return good;
}

static void set(const TF_Filesystem *filesystem, const s3_name *name,
                const s3_attributes *attributes, TF_Status *status) {
  s3_transaction *transaction = s3_transaction_of(filesystem, name);
  if (transaction)
    TF_SetStatus(status, TF_UNIMPLEMENTED,
                 "attributes cannot be set in a transaction; commit first");
  else if (name->is_directory)
    refuse(filesystem, name, status);
  else
    s3_attributes_replace(filesystem, name, attributes, status);
  s3_transaction_release(filesystem, transaction);
}

void s3_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, const modfs_attributes *attributes, uint64_t which,
                       TF_Status *status) {
  s3_name name;
  s3_attributes wanted = {0};
  which &= ~(uint64_t)MODFS_ATTRIBUTE_OF_LINK; /* there are no links */
  if (directory)
    TF_SetStatus(status, TF_UNIMPLEMENTED, "objects can only be changed by their full path");
  else if (s3_attributes_take(attributes, which, &wanted, status) &&
           s3_name_parse(path, &name, status))
    set(filesystem, &name, &wanted, status);
}
