/* Records by C alone: the bytes of a file, its reader, its damage. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"

static const modfs_fs *memory;
static TF_Status *status;

static void write_file(const char *path, const char *codec, const char *const *records, size_t n) {
  modfs_writable *file = modfs_writable_open(memory, path, MODFS_WRITE_REPLACE, status);
  const modfs_codec *packing = codec ? modfs_codec_find(codec) : NULL;
  if (packing) file = modfs_codec_writable(packing, NULL, file, true, status);
  for (size_t i = 0; i < n; i++)
    modfs_record_append(file, records[i], strlen(records[i]), status);
  modfs_writable_close(file, status);
  CHECK_INT(TF_GetCode(status), TF_OK, "%s is written", path);
}

static modfs_records *open_records(const char *path, const char *codec) {
  modfs_file *file = modfs_file_open(memory, path, status);
  if (codec) {
    modfs_file *coded = modfs_codec_file(modfs_codec_find(codec), file, 0, status);
    modfs_file_close(file);
    file = coded;
  }
  return modfs_records_open(file, status);
}

static bool is_record(const modfs_record *record, const char *text) {
  return record->length == strlen(text) && memcmp(record->data, text, record->length) == 0;
}

static void test_reading(const char *codec) {
  static const char *const texts[] = {"foo", "", "hello world"};
  write_file("mem://records", codec, texts, 3);
  modfs_records *records = open_records("mem://records", codec);
  modfs_record record;
  uint64_t offset = 0;
  for (int i = 0; i < 3; i++) {
    bool found = modfs_records_read(records, offset, &record, status);
    CHECK(found && is_record(&record, texts[i]), "%s: record %d", codec ? codec : "plain", i);
    offset = record.next;
  }
  CHECK(!modfs_records_read(records, offset, &record, status), "then the end");
  CHECK_INT(TF_GetCode(status), TF_OK, "which is no failure");
  CHECK_INT(modfs_records_count(records, status), 3, "count");
  CHECK(modfs_records_find(records, 2, &offset, status) && offset == 35, "find");
  CHECK(!modfs_records_find(records, 3, &offset, status), "find what is not there");
  offset = 0;
  CHECK_INT(modfs_records_skip(records, &offset, 5, status), 3, "skip");
  CHECK_INT(offset, 62, "skip moves on");
  modfs_records_close(records);
}

static void test_bytes(void) {
  static const unsigned char expected[] = {3,    0,    0,   0,   0,   0,    0,    0,    0xb0, 0x99,
                                           0x49, 0x0e, 'f', 'o', 'o', 0x61, 0x8a, 0xbe, 0xfe};
  static const char *const texts[] = {"foo"};
  char bytes[64];
  write_file("mem://foo", NULL, texts, 1);
  modfs_file *file = modfs_file_open(memory, "mem://foo", status);
  int64_t n = modfs_file_read(file, 0, sizeof bytes, bytes, status);
  CHECK(n == sizeof expected && memcmp(bytes, expected, sizeof expected) == 0,
        "the bytes are TensorFlow's");
  modfs_file_close(file);
}

/* Every byte of a small file, and every length of it. */
static void test_damage(void) {
  static const char *const texts[] = {"foo", "", "hello world"};
  enum { LENGTH = 62 };
  char whole[LENGTH + 1], bytes[LENGTH];
  size_t unseen = 0, read_wrong = 0;
  write_file("mem://whole", NULL, texts, 3);
  modfs_file *file = modfs_file_open(memory, "mem://whole", status);
  CHECK_INT(modfs_file_read(file, 0, sizeof whole, whole, status), LENGTH, "its length");
  modfs_file_close(file);
  for (size_t i = 0; i < 2 * LENGTH; i++) {
    size_t n = i < LENGTH ? LENGTH : i - LENGTH;
    memcpy(bytes, whole, LENGTH);
    if (i < LENGTH) bytes[i] = (char)(bytes[i] ^ 0x10);
    modfs_writable *to = modfs_writable_open(memory, "mem://hurt", MODFS_WRITE_REPLACE, status);
    modfs_writable_append(to, bytes, n, status);
    modfs_writable_close(to, status);
    modfs_records *records = open_records("mem://hurt", NULL);
    modfs_record record;
    uint64_t offset = 0;
    for (size_t k = 0; modfs_records_read(records, offset, &record, status); k++) {
      read_wrong += k > 2 || !is_record(&record, texts[k]);
      offset = record.next;
    }
    bool between = n == 0 || n == 19 || n == 35;
    unseen += TF_GetCode(status) != (between ? TF_OK : TF_DATA_LOSS);
    modfs_records_close(records);
  }
  CHECK_INT(unseen, 0, "damage and cuts are seen");
  CHECK_INT(read_wrong, 0, "nothing wrong is read");
}

/* A thread reads ahead; the reader jumps, stops in the middle, and forks. */
static void test_ahead(void) {
  static char text[100000];
  static const char *texts[40];
  memset(text, 'x', sizeof text - 1);
  for (size_t i = 0; i < 40; i++)
    texts[i] = text + i;
  write_file("mem://ahead", NULL, texts, 40);
  modfs_records *records = open_records("mem://ahead", NULL);
  CHECK(modfs_records_prefetch(records, status), "a thread");
  size_t wrong = 0;
  for (int round = 0; round < 20; round++) {
    modfs_record record = {.next = 0};
    uint64_t offset = 0;
    for (int i = 0; i < 2 * round; i++, offset = record.next)
      wrong +=
          !modfs_records_read(records, offset, &record, status) || !is_record(&record, texts[i]);
    wrong += !modfs_records_find(records, 39, &offset, status);
    wrong += !modfs_records_read(records, offset, &record, status);
    wrong += !is_record(&record, texts[39]);
    wrong += modfs_records_read(records, record.next, &record, status);
  }
  CHECK_INT(wrong, 0, "the records are right");
  pid_t child = fork();
  if (child == 0) {
    modfs_record record;
    bool got = modfs_records_read(records, 0, &record, status);
    for (uint64_t offset = 0; got; offset = record.next)
      got = modfs_records_read(records, offset, &record, status);
    TF_Code code = TF_GetCode(status);
    modfs_records_close(records);
    _exit(code == TF_FAILED_PRECONDITION ? 0 : 1);
  }
  int ended = -1;
  waitpid(child, &ended, 0);
  CHECK_INT(ended, 0, "a forked child is told that the thread is not its own");
  modfs_records_close(records);
  CHECK(true, "and ends");
}

int main(void) {
  status = TF_NewStatus();
  modfs_start(status);
  CHECK_INT(TF_GetCode(status), TF_OK, "start");
  memory = modfs_fs_of("mem://x");
  test_bytes();
  test_reading(NULL);
  for (const modfs_codec *codec = NULL; (codec = modfs_codec_next(codec));)
    if (modfs_codec_available(codec, status)) test_reading(modfs_codec_name(codec));
  test_damage();
  test_ahead();
  TF_DeleteStatus(status);
  return check_end();
}
