#include "options.h"

#include "address.h"

enum { MIB = 1024 * 1024 };

#define VALID_ENDPOINT                                                                             \
  "a URL such as https://host or http://host:port, without user and password, which are the "      \
  "options access_key_id and secret_access_key"

static const option_known amazon[S3_OPTIONS] = {
    OBJECTS_COMMON_OPTIONS,
    [OBJECTS_PART_BYTES] = {"part_bytes", "size of the parts of a multipart upload",
                            .initial = 8LL * MIB, .least = 5LL * MIB, .most = 1LL << 30},
    [OBJECTS_COPY_BYTES] = {"copy_bytes", "size of the parts of a copy within the server",
                            .initial = 1LL << 30, .least = 10LL * MIB, .most = 5LL << 30},
    [S3_SIGN_CONTENT] = {"sign_content", "0: uploaded content is not signed", .initial = 1,
                         .most = 1},
    [S3_REQUEST_PAYER] = {"request_payer", "1: the requester pays, not the bucket's owner",
                          .most = 1},
    [S3_ANONYMOUS] = {"anonymous", "1: requests are not signed, for public buckets", .most = 1},
    [S3_ADDRESSING] = {"addressing",
                       "position of the bucket in the URL: path, virtual (host) or auto",
                       .kind = OPTION_TEXT, .text = "auto", .choices = "auto path virtual"},
    [S3_STORAGE_CLASS] = {"storage_class",
                          "storage class of new objects; \"\": the bucket's default",
                          .kind = OPTION_TEXT},
    [S3_ENCRYPTION] = {"encryption", "server-side encryption of new objects: AES256 or aws:kms",
                       .kind = OPTION_TEXT, .choices = " AES256 aws:kms"},
    [S3_ENCRYPTION_KEY] = {"encryption_key", "key id for aws:kms", .kind = OPTION_TEXT},
    [S3_TOKEN_FILE] = {"token_file", "file with the session token, read for each request",
                       .kind = OPTION_TEXT},
    [S3_ACCESS_KEY_ID] = {"access_key_id", "access key id that signs requests",
                          .kind = OPTION_SECRET},
    [S3_SECRET_ACCESS_KEY] = {"secret_access_key", "secret key that signs requests",
                              .kind = OPTION_SECRET},
    [S3_SESSION_TOKEN] = {"session_token", "session token of temporary credentials",
                          .kind = OPTION_SECRET},
    [S3_CHECKSUM] =
        {"checksum",
         "checksum that uploads carry: crc32c, none, or auto: crc32c where no endpoint is set",
         .kind = OPTION_TEXT, .text = "auto", .choices = "auto crc32c none"},
    [S3_METADATA] = {"metadata", "1: requests credentials from the machine's metadata service",
                     .most = 1},
    [S3_VERSIONS] = {"versions", "1: key?versionId=ID names a version of an object", .most = 1},
    [OBJECTS_ENDPOINT] = {"endpoint", "URL of the server: https://host[:port]", .kind = OPTION_TEXT,
                          .accepts = s3_address_is_endpoint, .valid = VALID_ENDPOINT,
                          .variables = "AWS_ENDPOINT_URL_S3 AWS_ENDPOINT_URL"},
    [S3_REGION] = {"region", "region that requests are signed for", .kind = OPTION_TEXT,
                   .text = "us-east-1", .accepts = s3_address_is_region,
                   .valid = "a region such as eu-central-1",
                   .variables = "AWS_REGION AWS_DEFAULT_REGION"},
    [OBJECTS_CA_FILE] = {"ca_file", "file of trusted certificates, PEM; \"\": the system's",
                         .kind = OPTION_TEXT, .variables = "AWS_CA_BUNDLE"},
    [S3_PROFILE] = {"profile", "section of the credentials file", .kind = OPTION_TEXT,
                    .text = "default", .variables = "AWS_PROFILE"},
    [S3_CREDENTIALS_FILE] = {"credentials_file", "file with credentials in sections",
                             .kind = OPTION_TEXT, .variables = "AWS_SHARED_CREDENTIALS_FILE"},
    [S3_CONFIG_FILE] = {"config_file", "file with the settings of profiles, in sections",
                        .kind = OPTION_TEXT, .variables = "AWS_CONFIG_FILE"},
    [S3_ROLE_ARN] = {"role_arn", "role whose credentials are requested for a web identity",
                     .kind = OPTION_TEXT, .variables = "AWS_ROLE_ARN"},
    [S3_ROLE_SESSION_NAME] = {"role_session_name", "name of the session in such a role",
                              .kind = OPTION_TEXT, .variables = "AWS_ROLE_SESSION_NAME"},
    [S3_WEB_IDENTITY_TOKEN_FILE] =
        {"web_identity_token_file",
         "file with the token of a web identity, read for each request of credentials",
         .kind = OPTION_TEXT, .variables = "AWS_WEB_IDENTITY_TOKEN_FILE"},
    [S3_STS_ENDPOINT] = {"sts_endpoint", "URL of the token service; \"\": Amazon's of the region",
                         .kind = OPTION_TEXT, .accepts = s3_address_is_endpoint,
                         .valid = VALID_ENDPOINT,
                         .variables = "AWS_ENDPOINT_URL_STS AWS_ENDPOINT_URL"},
};

const option_table s3_options = {amazon, S3_OPTIONS, "MODFS_S3_", "plugins/s3/README.md"};
