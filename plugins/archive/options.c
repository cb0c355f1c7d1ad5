#include "options.h"

#define MOST_BYTES (1LL << 50)

static const option_known known[ARCHIVE_OPTIONS] = {
    [ARCHIVE_ARCHIVES] = {"archives", "archives whose directory is kept in memory", .initial = 8,
                          .least = 1, .most = 1000},
    [ARCHIVE_FRESH_MS] = {"fresh_ms", "how long an archive on a server counts as unchanged",
                          .initial = 1000, .most = 86400000},
    [ARCHIVE_ENTRIES] = {"entries", "most entries of an archive, directories included",
                         .initial = 10000000, .least = 1, .most = 4000000000},
    [ARCHIVE_INDEX_BYTES] = {"index_bytes", "most memory for the directory of one archive",
                             .initial = 512LL << 20, .least = 65536, .most = MOST_BYTES},
    [ARCHIVE_MEMBER_BYTES] = {"member_bytes", "longest compressed file that is read",
                              .initial = 1LL << 40, .most = MOST_BYTES},
    [ARCHIVE_RATIO] = {"ratio",
                       "how many times its compressed size a file of more than "
                       "16 MiB may be long",
                       .initial = 500, .least = 1, .most = 1LL << 40},
    [ARCHIVE_SPOOL_BYTES] = {"spool_bytes", "most disk space for the content of a compressed tar",
                             .initial = 16LL << 30, .most = MOST_BYTES},
    [ARCHIVE_UNSAFE_NAMES] = {"unsafe_names",
                              "an entry named with \"..\": refuse the archive, or "
                              "skip the entry",
                              .kind = OPTION_TEXT, .text = "refuse", .choices = "refuse skip"},
};

const option_table archive_options = {known, ARCHIVE_OPTIONS, "MODFS_ARCHIVE_",
                                      "plugins/archive/README.md"};
