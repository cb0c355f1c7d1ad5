/* The options of each scheme. */
#ifndef ARCHIVE_OPTIONS_H
#define ARCHIVE_OPTIONS_H

#include "../common/options/options.h"

enum {
  ARCHIVE_ARCHIVES,
  ARCHIVE_FRESH_MS,
  ARCHIVE_ENTRIES,
  ARCHIVE_INDEX_BYTES,
  ARCHIVE_MEMBER_BYTES,
  ARCHIVE_RATIO,
  ARCHIVE_SPOOL_BYTES,
  ARCHIVE_UNSAFE_NAMES,
  ARCHIVE_OPTIONS
};

extern const option_table archive_options;

#endif
