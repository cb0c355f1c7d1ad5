#include "options.h"

#include "address.h"
#include "../s3/address.h"

enum { MIB = 1024 * 1024 };

#define XML "with protocol xml: "
#define VALID_SERVER "a URL such as https://host or http://host:port, or host:port for http"

#ifndef MODFS_WITH_CJSON
static bool is_xml(const char *text) {
  return text[0] == 'x' && text[1] == 'm' && text[2] == 'l' && text[3] == '\0';
}
#endif

static const option_known known[GS_OPTIONS] = {
    OBJECTS_COMMON_OPTIONS,
    [OBJECTS_ENDPOINT] = {"endpoint", "URL of the server: https://host[:port]", .kind = OPTION_TEXT,
                          .text = "https://storage.googleapis.com", .accepts = gs_address_is_server,
                          .valid = VALID_SERVER, .variables = "STORAGE_EMULATOR_HOST"},
    [OBJECTS_CA_FILE] = {"ca_file", "file of trusted certificates, PEM; \"\": the system's",
                         .kind = OPTION_TEXT},
    [OBJECTS_PART_BYTES] = {"part_bytes", "least size of the chunks of a large upload",
                            .initial = 16LL * MIB, .least = 5LL * MIB, .most = 1LL << 30},
    [OBJECTS_COPY_BYTES] = {"copy_bytes", XML "size of the parts of a copy within the server",
                            .initial = 1LL << 30, .least = 10LL * MIB, .most = 5LL << 30},
    [S3_SIGN_CONTENT] = {"sign_content", XML "0: uploaded content is not signed", .initial = 1,
                         .most = 1},
    [S3_CHECKSUM] = {"checksum", XML "which checksum uploads carry", .kind = OPTION_TEXT,
                     .text = "none", .choices = "auto crc32c none"},
    [S3_REQUEST_PAYER] = {"request_payer", XML "1: the requester pays, not the bucket's owner",
                          .most = 1},
    [S3_ANONYMOUS] = {"anonymous", "1: requests carry no credentials, for public buckets",
                      .most = 1},
    [S3_METADATA] = {"metadata", "1: requests a token from the machine's metadata server",
                     .most = 1},
    [S3_VERSIONS] = {"versions", "not supported by gs", .most = 0},
    [S3_REGION] = {"region", "location of new buckets; auto: the server's default",
                   .kind = OPTION_TEXT, .text = "auto", .accepts = s3_address_is_region,
                   .valid = "a location such as europe-west3"},
    [S3_ADDRESSING] = {"addressing",
                       XML "position of the bucket in the URL: path, virtual (host) or auto",
                       .kind = OPTION_TEXT, .text = "auto", .choices = "auto path virtual"},
    [S3_STORAGE_CLASS] = {"storage_class",
                          "storage class of new objects; \"\": the bucket's default",
                          .kind = OPTION_TEXT},
    [S3_ENCRYPTION] = {"encryption", XML "encryption of new objects: AES256 or aws:kms",
                       .kind = OPTION_TEXT, .choices = " AES256 aws:kms"},
    [S3_ENCRYPTION_KEY] = {"encryption_key", "name of the Cloud KMS key for new objects",
                           .kind = OPTION_TEXT},
    [S3_PROFILE] = {"profile", XML "section of the credentials file", .kind = OPTION_TEXT,
                    .text = "default"},
    [S3_CREDENTIALS_FILE] = {"credentials_file",
                             "file of a service account or a user, in Google's JSON; " XML
                             "file with keys in sections",
                             .kind = OPTION_TEXT},
    [S3_CONFIG_FILE] = {"config_file", XML "another file with keys in sections",
                        .kind = OPTION_TEXT},
    [S3_ROLE_ARN] = {"role_arn", "not supported by gs", .kind = OPTION_TEXT},
    [S3_ROLE_SESSION_NAME] = {"role_session_name", "not supported by gs", .kind = OPTION_TEXT},
    [S3_WEB_IDENTITY_TOKEN_FILE] = {"web_identity_token_file", "not supported by gs",
                                    .kind = OPTION_TEXT},
    [S3_STS_ENDPOINT] = {"sts_endpoint", "not supported by gs", .kind = OPTION_TEXT},
    [S3_TOKEN_FILE] = {"token_file", "file with an access token, read for each request",
                       .kind = OPTION_TEXT, .variables = "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"},
    [S3_ACCESS_KEY_ID] = {"access_key_id", XML "id of the HMAC key that signs requests",
                          .kind = OPTION_SECRET},
    [S3_SECRET_ACCESS_KEY] = {"secret_access_key", XML "HMAC key that signs requests",
                              .kind = OPTION_SECRET},
    [S3_SESSION_TOKEN] = {"session_token", XML "session token of temporary credentials",
                          .kind = OPTION_SECRET},
#ifdef MODFS_WITH_CJSON
    [GS_PROTOCOL] = {"protocol", "json: Google's own; xml: that of S3", .kind = OPTION_TEXT,
                     .text = "json", .choices = "json xml"},
#else
    [GS_PROTOCOL] = {"protocol", "xml: that of S3; json is not built in", .kind = OPTION_TEXT,
                     .text = "xml", .accepts = is_xml,
                     .valid = "xml alone: json is built in where libcjson-dev is installed"},
#endif
    [GS_PROJECT] = {"project", "project whose buckets are listed and created", .kind = OPTION_TEXT,
                    .variables = "GOOGLE_CLOUD_PROJECT CLOUDSDK_CORE_PROJECT"},
    [GS_USER_PROJECT] = {"user_project", "project that pays for requests; \"\": the bucket's",
                         .kind = OPTION_TEXT, .variables = "GOOGLE_CLOUD_QUOTA_PROJECT"},
    [GS_SCOPE] = {"scope", "scope of the tokens of service accounts", .kind = OPTION_TEXT,
                  .text = "https://www.googleapis.com/auth/devstorage.full_control"},
    [GS_METADATA_HOST] = {"metadata_host",
                          "host[:port] of the metadata server; setting it asks for "
                          "its token",
                          .kind = OPTION_TEXT, .variables = "GCE_METADATA_HOST"},
    [GS_ACCESS_TOKEN] = {"access_token", "access token that is sent with requests",
                         .kind = OPTION_SECRET,
                         .variables = "CLOUDSDK_AUTH_ACCESS_TOKEN GOOGLE_OAUTH_ACCESS_TOKEN"},
};

const option_table gs_options = {known, GS_OPTIONS, "MODFS_GS_", "plugins/gs/README.md"};
