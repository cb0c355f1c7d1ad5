#include "headers.h"

#include "../common/objects/content_type.h"
#include "version.h"

bool s3_headers_add_options(objects_headers *headers, const TF_Filesystem *filesystem) {
  return objects_headers_add_text(headers, "x-amz-storage-class",
                                  remote_text(filesystem, S3_STORAGE_CLASS)) &&
         objects_headers_add_text(headers, "x-amz-server-side-encryption",
                                  remote_text(filesystem, S3_ENCRYPTION)) &&
         objects_headers_add_text(headers, "x-amz-server-side-encryption-aws-kms-key-id",
                                  remote_text(filesystem, S3_ENCRYPTION_KEY));
}

static bool add_own(objects_headers *headers, const objects_own *own) {
  static const char *const names[] = {
      "content-type:",     "cache-control:", "content-disposition:", "content-encoding:",
      "content-language:", "expires:",       "x-amz-meta-",          NULL};
  return objects_headers_add_lines(headers, own->text, names);
}

bool s3_headers_add_own(objects_headers *headers, const TF_Filesystem *filesystem,
                        const objects_name *name, const objects_own *own) {
  return own ? add_own(headers, own)
             : objects_headers_add_text(headers, "Content-Type",
                                        objects_content_type(filesystem, name));
}

bool s3_headers_add_whole(objects_headers *headers, const objects_own *own) {
  static const char *const names[] = {"x-amz-storage-class:", "x-amz-server-side-encryption",
                                      "x-amz-website-redirect-location:", NULL};
  return add_own(headers, own) && objects_headers_add_lines(headers, own->text, names);
}

bool s3_headers_add_source(objects_headers *headers, const TF_Filesystem *filesystem,
                           const objects_name *name) {
  char encoded[OBJECTS_ENCODED_SIZE], id[3 * S3_VERSION_SIZE] = "";
  s3_version version;
  s3_version_take(filesystem, name, &version);
  objects_name_encode(version.name->key, true, encoded, sizeof encoded);
  if (version.query) objects_name_encode(version.id, false, id, sizeof id);
  return objects_headers_add(headers, "x-amz-copy-source: /%s/%s%s%s", name->bucket, encoded,
                             *id ? "?versionId=" : "", id);
}
