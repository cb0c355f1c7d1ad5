/* sources: plugins/archive/base.c plugins/archive/content.c plugins/archive/decode.c plugins/common/fail/fail.c plugins/archive/har.c plugins/archive/index.c plugins/archive/name.c plugins/archive/package.c plugins/archive/tar.c plugins/archive/tar_header.c plugins/archive/zip.c plugins/archive/zip_entry.c plugins/archive/zip_name.c plugins/archive/options.c
 * libraries: -DMODFS_WITH_ZLIB -DMODFS_WITH_ZSTD -DMODFS_PACKAGE_ZLIB="z" -DMODFS_PACKAGE_ZSTD="zstd" -lz -lzstd -pthread
 *
 * Archives of each format: the directory is read, and then every member. What is read has the length
 * that the directory says, and lies in the limits. */
#include "../../plugins/archive/archive.h"

#include <string.h>

#include "../../plugins/archive/content.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"PK\1\2",
                                  "PK\3\4",
                                  "PK\5\6",
                                  "PK\6\6",
                                  "PK\6\7",
                                  "\x75\x70",
                                  "\xff\xff\xff\xff",
                                  "\x01",
                                  "../",
                                  "a/",
                                  "ustar",
                                  "ustar  ",
                                  "12 path=",
                                  "GNU.sparse.",
                                  "\x1f\x8b",
                                  "\x28\xb5\x2f\xfd",
                                  "memmapped_package://",
                                  NULL};

typedef struct input {
  const uint8_t *bytes;
  size_t n;
} input;

static input all;

/* In the place of the host. */
static void *open_reader(const char *path, TF_Status *status) {
  (void)path, (void)status;
  return &all;
}

static int64_t read_input(void *reader, uint64_t offset, size_t n, char *buffer,
                          TF_Status *status) {
  const input *self = reader;
  (void)status;
  size_t left = offset < self->n ? self->n - (size_t)offset : 0;
  if (n > left) n = left;
  if (n > 0) memcpy(buffer, self->bytes + offset, n);
  return (int64_t)n;
}

static void close_reader(void *reader) {
  (void)reader;
}

static const modfs_host host = {.struct_size = sizeof host,
                                .open_reader = open_reader,
                                .read = read_input,
                                .close_reader = close_reader};

static void read_members(const archive *self, const option_values *options, TF_Status *status) {
  for (uint32_t i = 1; i < self->index.count; i++) {
    const index_entry *entry = &self->index.entries[i];
    MUST(index_find(&self->index, entry->name, strlen(entry->name)) == entry);
    MUST(strstr(entry->name, "..") != entry->name || entry->name[2] != '/');
    TF_SetStatus(status, TF_OK, "");
    if (entry->kind != MODFS_KIND_FILE || !content_check(self, entry, options, status)) continue;
    if (entry->length > 1 << 20) continue;
    char *content = content_whole(self, entry, status);
    MUST((content != NULL) == (TF_GetCode(status) == TF_OK));
    if (content) MUST(content[entry->length] == '\0');
    free(content);
  }
}

static void run(archive_format format, const option_values *options) {
  const index_limits limits = {.entries = 1000, .bytes = 1 << 20, .skips_unsafe = all.n % 2};
  TF_Status *status = TF_NewStatus();
  archive *self = calloc(1, sizeof *self + 1);
  self->format = format;
  self->length = all.n;
  self->file = base_open(&host, "", status);
  bool good = index_init(&self->index, &limits, status);
  good = good && (format == ARCHIVE_TAR       ? tar_load(self, options, status)
                  : format == ARCHIVE_PACKAGE ? package_load(self, status)
                                              : zip_load(self, status));
  MUST(good == (TF_GetCode(status) == TF_OK));
  MUST(self->index.bytes <= limits.bytes);
  if (good) read_members(self, options, status);
  base_close(self->file);
  index_fini(&self->index);
  free(self);
  TF_DeleteStatus(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  static option_values *options;
  if (!options) {
    options = calloc(1, sizeof *options + ARCHIVE_OPTIONS * sizeof *options->items);
    MUST(options);
    options->items[ARCHIVE_MEMBER_BYTES].number = 1 << 22;
    options->items[ARCHIVE_SPOOL_BYTES].number = 1 << 22;
    options->items[ARCHIVE_RATIO].number = 1000;
  }
  all = (input){bytes, n};
  run(ARCHIVE_ZIP, options);
  run(ARCHIVE_TAR, options);
  run(ARCHIVE_PACKAGE, options);
  return 0;
}
