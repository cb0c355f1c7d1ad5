#include "options.h"

#include "address.h"

enum { MIB = 1024 * 1024 };

/* The options that both schemes share. */
#define COMMON_OPTIONS                                                                             \
  OBJECTS_COMMON_OPTIONS,                                                                          \
      [OBJECTS_PART_BYTES] = {.name = "part_bytes",                                                \
                              .description = "size of the parts of a multipart upload",            \
                              .initial = 8LL * MIB,                                                \
                              .least = 5LL * MIB,                                                  \
                              .most = 1LL << 30},                                                  \
      [OBJECTS_COPY_BYTES] = {.name = "copy_bytes",                                                \
                              .description = "size of the parts of a copy within the server",      \
                              .initial = 1LL << 30,                                                \
                              .least = 10LL * MIB,                                                 \
                              .most = 5LL << 30},                                                  \
      [S3_SIGN_CONTENT] = {.name = "sign_content",                                                 \
                           .description = "0: uploaded content is not signed",                     \
                           .initial = 1,                                                           \
                           .most = 1},                                                             \
      [S3_REQUEST_PAYER] = {.name = "request_payer",                                               \
                            .description = "1: the requester pays, not the bucket's owner",        \
                            .most = 1},                                                            \
      [S3_ANONYMOUS] = {.name = "anonymous",                                                       \
                        .description = "1: requests are not signed, for public buckets",           \
                        .most = 1},                                                                \
      [S3_ADDRESSING] = {.name = "addressing",                                                     \
                         .description =                                                            \
                             "position of the bucket in the URL: path, virtual (host) or auto",    \
                         .kind = OPTION_TEXT,                                                      \
                         .text = "auto",                                                           \
                         .choices = "auto path virtual"},                                          \
      [S3_STORAGE_CLASS] = {.name = "storage_class",                                               \
                            .description =                                                         \
                                "storage class of new objects; \"\": the bucket's default",        \
                            .kind = OPTION_TEXT},                                                  \
      [S3_ENCRYPTION] = {.name = "encryption",                                                     \
                         .description =                                                            \
                             "server-side encryption of new objects: AES256 or aws:kms",           \
                         .kind = OPTION_TEXT,                                                      \
                         .choices = " AES256 aws:kms"},                                            \
      [S3_ENCRYPTION_KEY] = {.name = "encryption_key",                                             \
                             .description = "key id for aws:kms",                                  \
                             .kind = OPTION_TEXT},                                                 \
      [S3_TOKEN_FILE] = {.name = "token_file",                                                     \
                         .description = "file with the session token, read for each request",      \
                         .kind = OPTION_TEXT},                                                     \
      [S3_ACCESS_KEY_ID] = {.name = "access_key_id",                                               \
                            .description = "access key id that signs requests",                    \
                            .kind = OPTION_SECRET},                                                \
      [S3_SECRET_ACCESS_KEY] = {.name = "secret_access_key",                                       \
                                .description = "secret key that signs requests",                   \
                                .kind = OPTION_SECRET},                                            \
      [S3_SESSION_TOKEN] = {.name = "session_token",                                               \
                            .description = "session token of temporary credentials",               \
                            .kind = OPTION_SECRET}

#define CHECKSUM                                                                                   \
  "checksum that uploads carry: crc32c, none, or auto: crc32c where no endpoint is set"
#define ENDPOINT "URL of the server: https://host[:port]"
#define VALID_ENDPOINT                                                                             \
  "a URL such as https://host or http://host:port, without user and password, which are the "      \
  "options access_key_id and secret_access_key"
#define VALID_REGION "a region such as eu-central-1"
#define REGION "region that requests are signed for"
#define CA_FILE "file of trusted certificates, PEM; \"\": the system's"
#define PROFILE "section of the credentials file"
#define CREDENTIALS_FILE "file with credentials in sections"
#define CONFIG_FILE "file with the settings of profiles, in sections"
#define ROLE_ARN "role whose credentials are requested for a web identity"
#define ROLE_SESSION_NAME "name of the session in such a role"
#define WEB_IDENTITY "file with the token of a web identity, read for each request of credentials"
#define STS_ENDPOINT "URL of the token service; \"\": Amazon's of the region"
#define VERSIONS "1: key?versionId=ID names a version of an object"
#define METADATA "1: requests credentials from the machine's metadata service"

static const option_known amazon[S3_OPTIONS] = {
    COMMON_OPTIONS,
    [S3_CHECKSUM] = {.name = "checksum",
                     .description = CHECKSUM,
                     .kind = OPTION_TEXT,
                     .text = "auto",
                     .choices = "auto crc32c none"},
    [S3_METADATA] = {.name = "metadata", .description = METADATA, .most = 1},
    [S3_VERSIONS] = {.name = "versions", .description = VERSIONS, .most = 1},
    [OBJECTS_ENDPOINT] = {.name = "endpoint",
                          .description = ENDPOINT,
                          .kind = OPTION_TEXT,
                          .accepts = s3_address_is_endpoint,
                          .valid = VALID_ENDPOINT,
                          .variables = "AWS_ENDPOINT_URL_S3 AWS_ENDPOINT_URL"},
    [S3_REGION] = {.name = "region",
                   .description = REGION,
                   .kind = OPTION_TEXT,
                   .text = "us-east-1",
                   .accepts = s3_address_is_region,
                   .valid = VALID_REGION,
                   .variables = "AWS_REGION AWS_DEFAULT_REGION"},
    [OBJECTS_CA_FILE] = {.name = "ca_file",
                         .description = CA_FILE,
                         .kind = OPTION_TEXT,
                         .variables = "AWS_CA_BUNDLE"},
    [S3_PROFILE] = {.name = "profile",
                    .description = PROFILE,
                    .kind = OPTION_TEXT,
                    .text = "default",
                    .variables = "AWS_PROFILE"},
    [S3_CREDENTIALS_FILE] = {.name = "credentials_file",
                             .description = CREDENTIALS_FILE,
                             .kind = OPTION_TEXT,
                             .variables = "AWS_SHARED_CREDENTIALS_FILE"},
    [S3_CONFIG_FILE] = {.name = "config_file",
                        .description = CONFIG_FILE,
                        .kind = OPTION_TEXT,
                        .variables = "AWS_CONFIG_FILE"},
    [S3_ROLE_ARN] = {.name = "role_arn",
                     .description = ROLE_ARN,
                     .kind = OPTION_TEXT,
                     .variables = "AWS_ROLE_ARN"},
    [S3_ROLE_SESSION_NAME] = {.name = "role_session_name",
                              .description = ROLE_SESSION_NAME,
                              .kind = OPTION_TEXT,
                              .variables = "AWS_ROLE_SESSION_NAME"},
    [S3_WEB_IDENTITY_TOKEN_FILE] = {.name = "web_identity_token_file",
                                    .description = WEB_IDENTITY,
                                    .kind = OPTION_TEXT,
                                    .variables = "AWS_WEB_IDENTITY_TOKEN_FILE"},
    [S3_STS_ENDPOINT] = {.name = "sts_endpoint",
                         .description = STS_ENDPOINT,
                         .kind = OPTION_TEXT,
                         .accepts = s3_address_is_endpoint,
                         .valid = VALID_ENDPOINT,
                         .variables = "AWS_ENDPOINT_URL_STS AWS_ENDPOINT_URL"},
};

const option_table s3_options = {amazon, S3_OPTIONS, "MODFS_S3_", "plugins/s3/README.md"};
