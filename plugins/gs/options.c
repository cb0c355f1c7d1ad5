#include "options.h"

#include "address.h"
#include "../s3/address.h"

enum { MIB = 1024 * 1024 };

#define XML "with protocol xml: "
#define VALID_SERVER "a URL such as https://host or http://host:port, or host:port for http"

#ifdef MODFS_WITH_CJSON
#define PROTOCOL                                                                                   \
  {                                                                                                \
    .name = "protocol", .description = "json: Google's own; xml: that of S3", .kind = OPTION_TEXT, \
    .text = "json", .choices = "json xml"                                                          \
  }
#else
static bool is_xml(const char *text) {
  return text[0] == 'x' && text[1] == 'm' && text[2] == 'l' && text[3] == '\0';
}

#define PROTOCOL                                                                                   \
  {                                                                                                \
    .name = "protocol", .description = "xml: that of S3; json is not built in",                    \
    .kind = OPTION_TEXT, .text = "xml", .accepts = is_xml,                                         \
    .valid = "xml alone: json is built in where libcjson-dev is installed"                         \
  }
#endif

static const option_known known[GS_OPTIONS] = {
    OBJECTS_COMMON_OPTIONS,
    [OBJECTS_ENDPOINT] = {.name = "endpoint",
                          .description = "URL of the server: https://host[:port]",
                          .kind = OPTION_TEXT,
                          .text = "https://storage.googleapis.com",
                          .accepts = gs_address_is_server,
                          .valid = VALID_SERVER,
                          .variables = "STORAGE_EMULATOR_HOST"},
    [OBJECTS_CA_FILE] = {.name = "ca_file",
                         .description = "file of trusted certificates, PEM; \"\": the system's",
                         .kind = OPTION_TEXT},
    [OBJECTS_PART_BYTES] = {.name = "part_bytes",
                            .description = "size of the chunks of a large upload",
                            .initial = 16LL * MIB,
                            .least = 5LL * MIB,
                            .most = 1LL << 30},
    [OBJECTS_COPY_BYTES] = {.name = "copy_bytes",
                            .description = XML "size of the parts of a copy within the server",
                            .initial = 1LL << 30,
                            .least = 10LL * MIB,
                            .most = 5LL << 30},
    [S3_SIGN_CONTENT] = {.name = "sign_content",
                         .description = XML "0: uploaded content is not signed",
                         .initial = 1,
                         .most = 1},
    [S3_CHECKSUM] = {.name = "checksum",
                     .description = XML "which checksum uploads carry",
                     .kind = OPTION_TEXT,
                     .text = "none",
                     .choices = "auto crc32c none"},
    [S3_REQUEST_PAYER] = {.name = "request_payer",
                          .description = XML "1: the requester pays, not the bucket's owner",
                          .most = 1},
    [S3_ANONYMOUS] = {.name = "anonymous",
                      .description = "1: requests carry no credentials, for public buckets",
                      .most = 1},
    [S3_METADATA] = {.name = "metadata",
                     .description = "1: requests a token from the machine's metadata server",
                     .most = 1},
    [S3_VERSIONS] = {.name = "versions", .description = "not supported by gs", .most = 0},
    [S3_REGION] = {.name = "region",
                   .description = "location of new buckets; auto: the server's default",
                   .kind = OPTION_TEXT,
                   .text = "auto",
                   .accepts = s3_address_is_region,
                   .valid = "a location such as europe-west3"},
    [S3_ADDRESSING] = {.name = "addressing",
                       .description =
                           XML "position of the bucket in the URL: path, virtual (host) or auto",
                       .kind = OPTION_TEXT,
                       .text = "auto",
                       .choices = "auto path virtual"},
    [S3_STORAGE_CLASS] = {.name = "storage_class",
                          .description = "storage class of new objects; \"\": the bucket's default",
                          .kind = OPTION_TEXT},
    [S3_ENCRYPTION] = {.name = "encryption",
                       .description = XML "encryption of new objects: AES256 or aws:kms",
                       .kind = OPTION_TEXT,
                       .choices = " AES256 aws:kms"},
    [S3_ENCRYPTION_KEY] = {.name = "encryption_key",
                           .description = "name of the Cloud KMS key for new objects",
                           .kind = OPTION_TEXT},
    [S3_PROFILE] = {.name = "profile",
                    .description = XML "section of the credentials file",
                    .kind = OPTION_TEXT,
                    .text = "default"},
    [S3_CREDENTIALS_FILE] = {.name = "credentials_file",
                             .description =
                                 "file of a service account or a user, in Google's JSON; " XML
                                 "file with keys in sections",
                             .kind = OPTION_TEXT},
    [S3_CONFIG_FILE] = {.name = "config_file",
                        .description = XML "another file with keys in sections",
                        .kind = OPTION_TEXT},
    [S3_ROLE_ARN] = {.name = "role_arn", .description = "not supported by gs", .kind = OPTION_TEXT},
    [S3_ROLE_SESSION_NAME] = {.name = "role_session_name",
                              .description = "not supported by gs",
                              .kind = OPTION_TEXT},
    [S3_WEB_IDENTITY_TOKEN_FILE] = {.name = "web_identity_token_file",
                                    .description = "not supported by gs",
                                    .kind = OPTION_TEXT},
    [S3_STS_ENDPOINT] = {.name = "sts_endpoint",
                         .description = "not supported by gs",
                         .kind = OPTION_TEXT},
    [S3_TOKEN_FILE] = {.name = "token_file",
                       .description = "file with an access token, read for each request",
                       .kind = OPTION_TEXT,
                       .variables = "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"},
    [S3_ACCESS_KEY_ID] = {.name = "access_key_id",
                          .description = XML "id of the HMAC key that signs requests",
                          .kind = OPTION_SECRET},
    [S3_SECRET_ACCESS_KEY] = {.name = "secret_access_key",
                              .description = XML "HMAC key that signs requests",
                              .kind = OPTION_SECRET},
    [S3_SESSION_TOKEN] = {.name = "session_token",
                          .description = XML "session token of temporary credentials",
                          .kind = OPTION_SECRET},
    [GS_PROTOCOL] = PROTOCOL,
    [GS_PROJECT] = {.name = "project",
                    .description = "project whose buckets are listed and created",
                    .kind = OPTION_TEXT,
                    .variables = "GOOGLE_CLOUD_PROJECT CLOUDSDK_CORE_PROJECT"},
    [GS_USER_PROJECT] = {.name = "user_project",
                         .description = "project that pays for requests; \"\": the bucket's",
                         .kind = OPTION_TEXT,
                         .variables = "GOOGLE_CLOUD_QUOTA_PROJECT"},
    [GS_SCOPE] = {.name = "scope",
                  .description = "scope of the tokens of service accounts",
                  .kind = OPTION_TEXT,
                  .text = "https://www.googleapis.com/auth/devstorage.full_control"},
    [GS_METADATA_HOST] = {.name = "metadata_host",
                          .description = "host[:port] of the metadata server; setting it asks for "
                                         "its token",
                          .kind = OPTION_TEXT,
                          .variables = "GCE_METADATA_HOST"},
    [GS_ACCESS_TOKEN] = {.name = "access_token",
                         .description = "access token that is sent with requests",
                         .kind = OPTION_SECRET,
                         .variables = "CLOUDSDK_AUTH_ACCESS_TOKEN GOOGLE_OAUTH_ACCESS_TOKEN"},
};

const option_table gs_options = {known, GS_OPTIONS, "MODFS_GS_", "plugins/gs/README.md"};
