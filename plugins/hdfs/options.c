#include "options.h"

#include <string.h>

enum { MIB = 1024 * 1024, DAY_MS = 86400000 };

/* A name that goes into a URL as it is. */
static bool is_user(const char *text) {
  return !text[strcspn(text, "/?#&=%: \t\"\\<>")] && strlen(text) < 256;
}

static const option_known known[HDFS_OPTIONS] = {
    [HDFS_CONNECT_TIMEOUT_MS] = {"connect_timeout_ms", "timeout for connecting", .initial = 5000,
                                 .least = 1, .most = DAY_MS},
    [HDFS_IDLE_TIMEOUT_MS] = {"idle_timeout_ms", "timeout without data to or from the server",
                              .initial = 60000, .least = 1, .most = DAY_MS},
    [HDFS_TOTAL_TIMEOUT_MS] = {"total_timeout_ms",
                               "timeout for one operation with its retries and pauses",
                               .initial = 300000, .least = 1, .most = DAY_MS},
    [HDFS_RETRIES] = {"retries", "number of attempts after the first one", .initial = 5,
                      .most = 100},
    [HDFS_CACHE_BYTES] = {"cache_bytes", "size of the cache that all open files share",
                          .initial = 32LL * MIB, .most = 1LL << 40},
    [HDFS_PARALLEL] = {"parallel", "parallel requests that read one file", .initial = 4, .least = 1,
                       .most = 64},
    [HDFS_BUFFER_BYTES] = {"buffer_bytes", "size of the buffer of a file that is written",
                           .initial = 4LL * MIB, .least = 64 * 1024, .most = 1LL << 30},
    [HDFS_HTTP_PORT] = {"http_port", "WebHDFS port of name nodes; 0: as configured, or 9870",
                        .most = 65535},
    [HDFS_REPLICATION] = {"replication", "replicas of new files; 0: the server's default",
                          .most = 32767},
    [HDFS_BLOCK_BYTES] = {"block_bytes", "block size of new files; 0: the server's default",
                          .most = 1LL << 40},
    [HDFS_NEGOTIATE] = {"negotiate",
                        "1: authenticates by SPNEGO, with the Kerberos ticket; -1: as configured",
                        .initial = -1, .least = -1, .most = 1},
    [HDFS_CONF_DIR] = {"conf_dir", "folder of core-site.xml and hdfs-site.xml", .kind = OPTION_TEXT,
                       .variables = "HADOOP_CONF_DIR"},
    [HDFS_USER] = {"user", "user name; \"\": that of the process", .kind = OPTION_TEXT,
                   .accepts = is_user, .valid = "a user name", .variables = "HADOOP_USER_NAME"},
    [HDFS_DO_AS] = {"do_as", "user on whose behalf requests are made", .kind = OPTION_TEXT,
                    .accepts = is_user, .valid = "a user name", .variables = "HADOOP_PROXY_USER"},
    [HDFS_TOKEN_FILE] = {"token_file", "file with a delegation token, read for each request",
                         .kind = OPTION_TEXT},
    [HDFS_CA_FILE] = {"ca_file", "file of trusted certificates, PEM; \"\": the system's",
                      .kind = OPTION_TEXT},
    [HDFS_USER_AGENT] = {"user_agent", "value of the User-Agent header", .kind = OPTION_TEXT,
                         .text = "modfs"},
    [HDFS_TOKEN] = {"token", "delegation token, in its text form", .kind = OPTION_SECRET},
};

const option_table hdfs_options = {known, HDFS_OPTIONS, "MODFS_HDFS_", "plugins/hdfs/README.md"};
