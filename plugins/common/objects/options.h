/* The options that every store has. A plugin's table begins with them, in this order; its own follow from
 * OBJECTS_OPTIONS on. OBJECTS_COMMON_OPTIONS fills in those that are alike everywhere; the plugin adds the
 * others: endpoint, ca_file, part_bytes and copy_bytes (with most 0 where there is no such limit). */
#ifndef OBJECTS_OPTIONS_H
#define OBJECTS_OPTIONS_H

#include "../options/options.h"

typedef enum objects_option {
  OBJECTS_CONNECT_TIMEOUT_MS,
  OBJECTS_IDLE_TIMEOUT_MS,
  OBJECTS_TOTAL_TIMEOUT_MS,
  OBJECTS_RETRIES,
  OBJECTS_CACHE_BYTES,
  OBJECTS_PART_BYTES,
  OBJECTS_PARALLEL,
  OBJECTS_COPY_BYTES,
  OBJECTS_CHECK_NAMES,
  OBJECTS_IF_NONE_MATCH,
  OBJECTS_ENDPOINT,
  OBJECTS_CA_FILE,
  OBJECTS_USER_AGENT,
  OBJECTS_CONTENT_TYPE,
  OBJECTS_OPTIONS
} objects_option;

enum { OBJECTS_DAY_MS = 24 * 3600 * 1000 };

#define OBJECTS_COMMON_OPTIONS                                                                     \
  [OBJECTS_CONNECT_TIMEOUT_MS] = {"connect_timeout_ms", "timeout for connecting", .initial = 5000, \
                                  .least = 1, .most = OBJECTS_DAY_MS},                             \
  [OBJECTS_IDLE_TIMEOUT_MS] = {"idle_timeout_ms", "timeout without data to or from the server",    \
                               .initial = 30000, .least = 1, .most = OBJECTS_DAY_MS},              \
  [OBJECTS_TOTAL_TIMEOUT_MS] = {"total_timeout_ms",                                                \
                                "timeout for one request with its retries and pauses",             \
                                .initial = 300000, .least = 1, .most = OBJECTS_DAY_MS},            \
  [OBJECTS_RETRIES] = {"retries", "number of attempts after the first one", .initial = 3,          \
                       .most = 100},                                                               \
  [OBJECTS_CACHE_BYTES] = {"cache_bytes", "size of the cache that all open files share",           \
                           .initial = 32LL << 20, .most = 1LL << 40},                              \
  [OBJECTS_PARALLEL] = {"parallel", "parallel requests for one file", .initial = 4, .least = 1,    \
                        .most = 64},                                                               \
  [OBJECTS_CHECK_NAMES] = {"check_names",                                                          \
                           "0: creates files without checking for directories of that name",       \
                           .initial = 1, .most = 1},                                               \
  [OBJECTS_IF_NONE_MATCH] = {"if_none_match", "1: never replaces an existing object", .most = 1},  \
  [OBJECTS_USER_AGENT] = {"user_agent", "value of the User-Agent header", .kind = OPTION_TEXT,     \
                          .text = "modfs"},                                                        \
  [OBJECTS_CONTENT_TYPE] = {"content_type",                                                        \
                            "type of new objects; auto: that of the name's "                       \
                            "extension",                                                           \
                            .kind = OPTION_TEXT}

#endif
