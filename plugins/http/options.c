#include "options.h"

enum { DAY_MS = 86400000 };

static const option_known known[HTTP_OPTIONS] = {
    [HTTP_CONNECT_TIMEOUT_MS] = {"connect_timeout_ms", "timeout for connecting", .initial = 5000,
                                 .least = 1, .most = DAY_MS},
    [HTTP_IDLE_TIMEOUT_MS] = {"idle_timeout_ms", "timeout without data from the server",
                              .initial = 30000, .least = 1, .most = DAY_MS},
    [HTTP_TOTAL_TIMEOUT_MS] = {"total_timeout_ms",
                               "timeout for one request with its redirects, retries and pauses",
                               .initial = 300000, .least = 1, .most = DAY_MS},
    [HTTP_RETRIES] = {"retries", "number of attempts after the first one", .initial = 3,
                      .most = 100},
    [HTTP_CACHE_BYTES] = {"cache_bytes", "size of the cache that all open files share",
                          .initial = 32 << 20, .most = 1LL << 40},
    [HTTP_WHOLE_BYTES] = {"whole_bytes", "largest file read from a server without range requests",
                          .initial = 64 << 20, .most = 1LL << 40},
    [HTTP_CA_FILE] = {"ca_file", "file of trusted certificates, PEM; \"\": the system's",
                      .kind = OPTION_TEXT},
    [HTTP_USER_AGENT] = {"user_agent", "value of the User-Agent header", .kind = OPTION_TEXT,
                         .text = "modfs"},
};

const option_table http_options = {known, HTTP_OPTIONS, "MODFS_HTTP_", "plugins/http/README.md"};
