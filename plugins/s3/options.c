#include "options.h"

enum { MIB = 1024 * 1024, DAY_MS = 86400000 };

/* The options that both schemes share. */
#define COMMON_OPTIONS                                                                             \
  [S3_CONNECT_TIMEOUT_MS] = {.name = "connect_timeout_ms",                                         \
                             .description = "until a connection stands",                           \
                             .initial = 5000,                                                      \
                             .least = 1,                                                           \
                             .most = DAY_MS},                                                      \
  [S3_IDLE_TIMEOUT_MS] = {.name = "idle_timeout_ms",                                               \
                          .description = "without one byte to or from the server",                 \
                          .initial = 30000,                                                        \
                          .least = 1,                                                              \
                          .most = DAY_MS},                                                         \
  [S3_TOTAL_TIMEOUT_MS] = {.name = "total_timeout_ms",                                             \
                           .description = "for one request with its retries and pauses",           \
                           .initial = 300000,                                                      \
                           .least = 1,                                                             \
                           .most = DAY_MS},                                                        \
  [S3_RETRIES] = {.name = "retries",                                                               \
                  .description = "attempts after the first one",                                   \
                  .initial = 3,                                                                    \
                  .most = 100},                                                                    \
  [S3_CACHE_BYTES] = {.name = "cache_bytes",                                                       \
                      .description = "content kept for all readers together",                      \
                      .initial = 32LL * MIB,                                                       \
                      .most = 1LL << 40},                                                          \
  [S3_PART_BYTES] = {.name = "part_bytes",                                                         \
                     .description = "size of the parts that a file is sent in",                    \
                     .initial = 8LL * MIB,                                                         \
                     .least = 5LL * MIB,                                                           \
                     .most = 1LL << 30},                                                           \
  [S3_PARALLEL] = {.name = "parallel",                                                             \
                   .description = "requests in flight for one file",                               \
                   .initial = 4,                                                                   \
                   .least = 1,                                                                     \
                   .most = 64},                                                                    \
  [S3_COPY_BYTES] = {.name = "copy_bytes",                                                         \
                     .description = "that the server copies for one request",                      \
                     .initial = 1LL << 30,                                                         \
                     .least = 10LL * MIB,                                                          \
                     .most = 5LL << 30},                                                           \
  [S3_SIGN_CONTENT] = {.name = "sign_content",                                                     \
                       .description = "0: what is sent is not part of the signature",              \
                       .initial = 1,                                                               \
                       .most = 1},                                                                 \
  [S3_CHECK_NAMES] = {.name = "check_names",                                                       \
                      .description =                                                               \
                          "0: files are made without a look for directories of that name",         \
                      .initial = 1,                                                                \
                      .most = 1},                                                                  \
  [S3_IF_NONE_MATCH] = {.name = "if_none_match",                                                   \
                        .description = "1: never replace an object that is there",                 \
                        .most = 1},                                                                \
  [S3_REQUEST_PAYER] = {.name = "request_payer",                                                   \
                        .description = "1: we pay for the requests, not the bucket's owner",       \
                        .most = 1},                                                                \
  [S3_ANONYMOUS] = {.name = "anonymous",                                                           \
                    .description = "1: nothing is signed, for public buckets",                     \
                    .most = 1},                                                                    \
  [S3_ADDRESSING] = {.name = "addressing",                                                         \
                     .description = "the bucket in the URL: path, virtual (host) or auto",         \
                     .kind = OPTION_TEXT,                                                          \
                     .text = "auto",                                                               \
                     .choices = "auto path virtual"},                                              \
  [S3_USER_AGENT] = {.name = "user_agent",                                                         \
                     .description = "who asks",                                                    \
                     .kind = OPTION_TEXT,                                                          \
                     .text = "modfs"},                                                             \
  [S3_STORAGE_CLASS] = {.name = "storage_class",                                                   \
                        .description = "of new objects; \"\": the bucket's",                       \
                        .kind = OPTION_TEXT},                                                      \
  [S3_ENCRYPTION] = {.name = "encryption",                                                         \
                     .description = "of new objects, by the server: AES256 or aws:kms",            \
                     .kind = OPTION_TEXT,                                                          \
                     .choices = " AES256 aws:kms"},                                                \
  [S3_ENCRYPTION_KEY] = {.name = "encryption_key",                                                 \
                         .description = "the key's name for aws:kms",                              \
                         .kind = OPTION_TEXT},                                                     \
  [S3_TOKEN_FILE] = {.name = "token_file",                                                         \
                     .description = "a file with the session token, read for each request",        \
                     .kind = OPTION_TEXT},                                                         \
  [S3_ACCESS_KEY_ID] = {.name = "access_key_id",                                                   \
                        .description = "which key signs",                                          \
                        .kind = OPTION_SECRET},                                                    \
  [S3_SECRET_ACCESS_KEY] = {.name = "secret_access_key",                                           \
                            .description = "the key that signs",                                   \
                            .kind = OPTION_SECRET},                                                \
  [S3_SESSION_TOKEN] = {.name = "session_token",                                                   \
                        .description = "that goes with a temporary key",                           \
                        .kind = OPTION_SECRET}

#define ENDPOINT "of the server: https://host[:port]"
#define REGION "that requests are signed for"
#define CA_FILE "certificates to trust, PEM; \"\": the system's"
#define PROFILE "section of the credentials file"
#define CREDENTIALS_FILE "with access_key_id and more in sections"
#define METADATA "1: ask the machine's metadata service for credentials"

static const option_known amazon[S3_OPTIONS] = {
    COMMON_OPTIONS,
    [S3_METADATA] = {.name = "metadata", .description = METADATA, .most = 1},
    [S3_ENDPOINT] = {.name = "endpoint",
                     .description = ENDPOINT,
                     .kind = OPTION_TEXT,
                     .variables = "AWS_ENDPOINT_URL_S3 AWS_ENDPOINT_URL"},
    [S3_REGION] = {.name = "region",
                   .description = REGION,
                   .kind = OPTION_TEXT,
                   .text = "us-east-1",
                   .variables = "AWS_REGION AWS_DEFAULT_REGION"},
    [S3_CA_FILE] = {.name = "ca_file",
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
};

/* gs does not read Amazon's variables and files: their keys are not for Google. */
static const option_known google[S3_OPTIONS] = {
    COMMON_OPTIONS,
    [S3_METADATA] = {.name = "metadata", .description = "not for gs", .most = 0},
    [S3_ENDPOINT] = {.name = "endpoint",
                     .description = ENDPOINT,
                     .kind = OPTION_TEXT,
                     .text = "https://storage.googleapis.com"},
    [S3_REGION] = {.name = "region", .description = REGION, .kind = OPTION_TEXT, .text = "auto"},
    [S3_CA_FILE] = {.name = "ca_file", .description = CA_FILE, .kind = OPTION_TEXT},
    [S3_PROFILE] = {.name = "profile",
                    .description = PROFILE,
                    .kind = OPTION_TEXT,
                    .text = "default"},
    [S3_CREDENTIALS_FILE] = {.name = "credentials_file",
                             .description = CREDENTIALS_FILE,
                             .kind = OPTION_TEXT},
};

const option_table s3_options = {amazon, S3_OPTIONS, "MODFS_S3_", "plugins/s3/README.md"};
const option_table s3_options_google = {google, S3_OPTIONS, "MODFS_GS_", "plugins/s3/README.md"};
