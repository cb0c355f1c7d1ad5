/* Uploads that the server has begun, but whose id was not understood. */
#ifndef S3_UNTOLD_H
#define S3_UNTOLD_H

#include "request.h"

/* Aborts the upload of this key that `answer` began. False when it cannot be told from those of other
 * writers, or on failure: it is left then. */
bool s3_untold_abort(const TF_Filesystem *filesystem, const objects_name *name,
                     const net_answer *answer);

/* Aborts an upload by its id. False on failure. */
bool s3_upload_id_abort(const TF_Filesystem *filesystem, const objects_name *name, const char *id);

#endif
