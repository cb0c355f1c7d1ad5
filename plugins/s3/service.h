/* The one scheme that a library serves. s3.so and gs.so are the same objects but for this, so a host that
 * has one of the two schemes already still accepts the other. */
#ifndef S3_SERVICE_H
#define S3_SERVICE_H

#include "name.h"

typedef struct s3_service {
  const char *scheme;
  void (*init)(TF_Filesystem *filesystem, TF_Status *status);
} s3_service;

extern const s3_service s3_served;

/* Adds the whole URI of a file in front of the failure of its handle. */
void s3_locate(TF_Status *status, const s3_name *name);

#endif
