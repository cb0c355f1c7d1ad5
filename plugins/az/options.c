#include "options.h"

#include "access.h"
#include "endpoint.h"

enum { MIB = 1024 * 1024 };

static const option_known known[AZ_OPTIONS] = {
    OBJECTS_COMMON_OPTIONS,
    [OBJECTS_PART_BYTES] = {"part_bytes", "size of the blocks that a file is uploaded in",
                            .initial = 8LL * MIB, .least = 1LL * MIB, .most = 1LL << 30},
    [OBJECTS_COPY_BYTES] = {"copy_bytes", "not used by az: the service copies blobs of any size",
                            .most = 0},
    [OBJECTS_ENDPOINT] = {"endpoint", "URL of the account's blob service; \"\": that of Azure",
                          .kind = OPTION_TEXT, .accepts = az_endpoint_is_valid,
                          .valid = "a URL such as https://host or http://host:port/account, "
                                   "without user, password and query",
                          .variables =
                              "AZURE_STORAGE_BLOB_ENDPOINT AZURE_STORAGE_SERVICE_ENDPOINT"},
    [OBJECTS_CA_FILE] = {"ca_file", "file of trusted certificates, PEM; \"\": the system's",
                         .kind = OPTION_TEXT},
    [AZ_ACCOUNT] = {"account", "storage account that the key, the SAS and the endpoint are for",
                    .kind = OPTION_TEXT, .accepts = az_account_is_valid,
                    .valid = "3 to 24 of a-z and 0-9",
                    .variables = "AZURE_STORAGE_ACCOUNT AZURE_STORAGE_ACCOUNT_NAME"},
    [AZ_ENDPOINT_SUFFIX] = {"endpoint_suffix", "domain of the cloud, behind ACCOUNT.blob.",
                            .kind = OPTION_TEXT, .text = "core.windows.net",
                            .accepts = az_suffix_is_valid,
                            .valid = "a domain such as core.windows.net"},
    [AZ_AUTHORITY_HOST] = {"authority_host", "URL of the service that issues tokens",
                           .kind = OPTION_TEXT, .text = "https://login.microsoftonline.com",
                           .accepts = az_authority_is_valid, .valid = "a URL with https, or a host",
                           .variables = "AZURE_AUTHORITY_HOST"},
    [AZ_TENANT_ID] = {"tenant_id", "tenant of the application that requests tokens",
                      .kind = OPTION_TEXT, .variables = "AZURE_TENANT_ID"},
    [AZ_CLIENT_ID] = {"client_id", "id of the application that requests tokens",
                      .kind = OPTION_TEXT, .variables = "AZURE_CLIENT_ID"},
    [AZ_FEDERATED_TOKEN_FILE] = {"federated_token_file",
                                 "file with the token of a workload's identity, "
                                 "read for each request of a token",
                                 .kind = OPTION_TEXT, .variables = "AZURE_FEDERATED_TOKEN_FILE"},
    [AZ_METADATA] = {"metadata", "1: requests tokens from the machine's metadata service",
                     .most = 1},
    [AZ_ANONYMOUS] = {"anonymous", "1: requests carry no credentials, for public containers",
                      .most = 1},
    [AZ_ACCESS_TIER] = {"access_tier", "access tier of new blobs; \"\": the account's default",
                        .kind = OPTION_TEXT, .choices = " Hot Cool Cold Archive"},
    [AZ_APPEND_BLOBS] = {"append_blobs",
                         "1: files that are created by opening them to append are append blobs",
                         .most = 1},
    [AZ_CONNECTION_STRING] =
        {"connection_string",
         "AccountName=...;AccountKey=... and so on, or UseDevelopmentStorage=true",
         .kind = OPTION_SECRET},
    [AZ_ACCOUNT_KEY] = {"account_key", "key of the account, in base64, which signs requests",
                        .kind = OPTION_SECRET},
    [AZ_SAS_TOKEN] = {"sas_token", "shared access signature: sv=...&sig=...",
                      .kind = OPTION_SECRET},
    [AZ_CLIENT_SECRET] = {"client_secret", "secret of the application that requests tokens",
                          .kind = OPTION_SECRET},
};

const option_table az_options = {known, AZ_OPTIONS, "MODFS_AZ_", "plugins/az/README.md"};
