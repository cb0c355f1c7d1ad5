/* Versions of an object: "key?versionId=ID", where option versions is set; else that is a key like any other. */
#ifndef S3_VERSION_H
#define S3_VERSION_H

#include "../common/objects/name.h"
#include "request.h"

enum { S3_VERSION_SIZE = 256 };

typedef struct s3_version {
  const objects_name *name; /* without the version */
  const s3_pair *query;     /* that names it; NULL: the present one */
  /* Private. */
  objects_name bare;
  char id[S3_VERSION_SIZE];
  s3_pair pairs[2];
} s3_version;

/* Takes a name apart, for a request that reads. Owns: name is kept, and version must not move. */
void s3_version_take(const TF_Filesystem *filesystem, const objects_name *name,
                     s3_version *version);

/* Whether the name means the present version, which alone can be changed; if not, FAILED_PRECONDITION. */
bool s3_version_is_present(const TF_Filesystem *filesystem, const objects_name *name,
                           TF_Status *status);

#endif
