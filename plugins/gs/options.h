/* The options of gs: those of s3, for its protocol, and what Google's own needs. README.md explains them. */
#ifndef GS_OPTIONS_H
#define GS_OPTIONS_H

#include "../s3/options.h"

typedef enum gs_option {
  GS_PROTOCOL = S3_OPTIONS,
  GS_PROJECT,
  GS_USER_PROJECT,
  GS_SCOPE,
  GS_METADATA_HOST,
  GS_ACCESS_TOKEN,
  GS_OPTIONS
} gs_option;

extern const option_table gs_options;

#endif
