/* sources: plugins/archive/base.c plugins/archive/content.c plugins/archive/decode.c plugins/common/fail/fail.c plugins/archive/har.c plugins/archive/index.c plugins/archive/name.c plugins/archive/zip.c plugins/archive/zip_entry.c plugins/archive/zip_name.c plugins/archive/options.c
 * libraries: -DMODFS_WITH_ZLIB -DMODFS_WITH_ZSTD -DMODFS_PACKAGE_ZLIB="z" -DMODFS_PACKAGE_ZSTD="zstd" -lz -lzstd -pthread
 *
 * The lists of Hadoop's archives: the members lie within their parts. Names of archives are split as well. */
#include "../../plugins/archive/archive.h"

#include <string.h>

#include "../../plugins/archive/content.h"
#include "../../plugins/archive/name.h"
#include "fuzz.h"

const char *const fuzz_words[] = {" file ",
                                  " dir ",
                                  "part-0 0 5 ",
                                  "part-1 ",
                                  "%2F",
                                  "%2Fdir",
                                  "..",
                                  "\n",
                                  " 0 0 ",
                                  "1500000000000+420+a+b",
                                  "%2e%2e%2F",
                                  "+",
                                  "18446744073709551615",
                                  NULL};

enum { PART = 1000 };

static const uint8_t *all;
static size_t all_length;
static const char master[] = "3 \n0 1 0 1 \n";

/* In the place of the host: the list is the input, a part has PART bytes. */
static void *open_reader(const char *path, TF_Status *status) {
  (void)status;
  return strdup(path);
}

static bool ends(const char *path, const char *end) {
  size_t n = strlen(path), m = strlen(end);
  return n >= m && strcmp(path + n - m, end) == 0;
}

static size_t length_of(const char *path) {
  if (ends(path, "/_index")) return all_length;
  return ends(path, "/_masterindex") ? sizeof master - 1 : PART;
}

static int64_t read_file(void *reader, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
  size_t length = length_of(reader), left = offset < length ? length - (size_t)offset : 0;
  (void)status;
  if (n > left) n = left;
  if (ends(reader, "/_index"))
    memcpy(buffer, all + offset, n);
  else if (ends(reader, "/_masterindex"))
    memcpy(buffer, master + offset, n);
  else
    memset(buffer, 'p', n);
  return (int64_t)n;
}

static void close_reader(void *reader) {
  free(reader);
}

static void get_attributes(const char *path, modfs_attributes *attributes, TF_Status *status) {
  (void)status;
  MUST(!strstr(path, "/../"));
  attributes->kind = MODFS_KIND_FILE;
  attributes->length = (int64_t)length_of(path);
}

static const modfs_host host = {.struct_size = sizeof host,
                                .open_reader = open_reader,
                                .read = read_file,
                                .close_reader = close_reader,
                                .get_attributes = get_attributes};

static void read_members(const archive *self, TF_Status *status) {
  for (uint32_t i = 1; i < self->index.count; i++) {
    const index_entry *entry = &self->index.entries[i];
    if (entry->kind != MODFS_KIND_FILE) continue;
    MUST(entry->length <= PART && entry->offset <= PART - entry->length);
    TF_SetStatus(status, TF_OK, "");
    char *content = content_whole(self, entry, status);
    MUST(content && content[entry->length] == '\0');
    free(content);
  }
}

static void split(const uint8_t *bytes, size_t n) {
  char uri[300];
  archive_name name = {NULL, NULL};
  TF_Status *status = TF_NewStatus();
  snprintf(uri, sizeof uri, "har://%.*s", (int)(n < 200 ? n : 200), (const char *)bytes);
  char *clean = archive_name_clean(uri);
  if (archive_name_init(&name, uri, status)) {
    MUST(*name.base && !strstr(name.inner, "//") && name.inner[0] != '/');
    char *again = archive_name_clean(clean);
    MUST(strcmp(clean, again) == 0);
    free(again);
  }
  archive_name_fini(&name);
  free(clean);
  TF_DeleteStatus(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  const index_limits limits = {.entries = 1000, .bytes = 1 << 20, .skips_unsafe = n % 2};
  TF_Status *status = TF_NewStatus();
  archive *self = calloc(1, sizeof *self + 8);
  all = bytes;
  all_length = n;
  memcpy(self->path, "a.har", 6);
  self->format = ARCHIVE_HAR;
  self->length = n;
  self->file = base_open(&host, "a.har/_index", status);
  bool good = index_init(&self->index, &limits, status) && har_load(self, &host, status);
  MUST(good == (TF_GetCode(status) == TF_OK));
  MUST(self->index.bytes <= limits.bytes);
  if (good) read_members(self, status);
  base_close(self->file);
  har_fini(self);
  index_fini(&self->index);
  free(self);
  TF_DeleteStatus(status);
  split(bytes, n);
  return 0;
}
