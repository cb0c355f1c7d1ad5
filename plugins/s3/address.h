/* The address of a request: host, path and region. */
#ifndef S3_ADDRESS_H
#define S3_ADDRESS_H

#include "../common/net/endpoint.h"
#include "request.h"

/* An endpoint's host, or its path, with a bucket. */
enum { S3_HOST_SIZE = NET_ENDPOINT_SIZE + OBJECTS_BUCKET_SIZE + 1 };

typedef struct s3_address {
  char host[S3_HOST_SIZE]; /* as in the Host header */
  char path[OBJECTS_ENCODED_SIZE + S3_HOST_SIZE];
  char region[S3_REGION_SIZE];
  bool secure;               /* https */
  char domain[S3_HOST_SIZE]; /* redirects must stay inside it */
} s3_address;

/* Where an object can be asked for. */
typedef struct s3_server {
  const char *region;
  const char *host; /* NULL: the one that the options or the region give */
} s3_server;

/* Made from the options and the region in which the bucket was found. */
bool s3_address_make(const TF_Filesystem *filesystem, const s3_request *request,
                     s3_address *address, TF_Status *status);

/* The same at another server. */
bool s3_address_move(const TF_Filesystem *filesystem, const s3_request *request,
                     const s3_server *server, s3_address *address, TF_Status *status);

bool s3_address_is_region(const char *text);

/* Whether the text is an endpoint, or "". */
bool s3_address_is_endpoint(const char *text);

#endif
