/* Codecs and records when memory is short (short.h). */
#include <modfs/async.h>

#include "short.h"

static const char *codec_name;

static void encode(modfs_writable *below) {
  const modfs_codec *codec = modfs_codec_find(codec_name);
  modfs_writable *file = modfs_codec_writable(codec, NULL, below, true, status);
  if (!file) {
    TF_Code code = TF_GetCode(status);
    modfs_writable_discard(below, status);
    TF_SetStatus(status, code, "");
    return;
  }
  for (int i = 0; i < 10 && is_ok(); i++)
    modfs_record_append(file, "a record", 8, status);
  TF_Code code = TF_GetCode(status);
  if (code == TF_OK)
    modfs_writable_close(file, status);
  else
    modfs_writable_discard(file, status);
  if (code != TF_OK) TF_SetStatus(status, code, "");
}

static TF_Code try_encode(void) {
  modfs_writable *below =
      modfs_writable_open(mem, "mem://short/copied", MODFS_WRITE_REPLACE, status);
  if (below) encode(below);
  return TF_GetCode(status);
}

static modfs_records *open_records(bool detect) {
  const modfs_codec *codec = detect ? NULL : modfs_codec_find(codec_name);
  modfs_file *below = modfs_file_open(mem, "mem://short/records", status);
  modfs_file *file = below ? modfs_codec_file(codec, below, 0, status) : NULL;
  modfs_records *records = file ? modfs_records_open(file, status) : NULL;
  if (file && !records) modfs_file_close(file);
  modfs_file_close(below);
  return records;
}

static TF_Code counted_records(modfs_records *records) {
  modfs_record record;
  uint64_t offset = 0, count = 0;
  bool again = !atomic_load(&fails_on); /* what failed once goes on where it was */
  while (records && is_ok()) {
    bool there = modfs_records_read(records, offset, &record, status);
    if (there) {
      offset = record.next;
      count++;
    } else if (again && TF_GetCode(status) == TF_RESOURCE_EXHAUSTED) {
      again = false;
      TF_SetStatus(status, TF_OK, "");
    } else {
      break;
    }
  }
  if (records && is_ok() && count != 10) return TF_INTERNAL;
  if (records && is_ok() && modfs_records_count(records, status) != 10 && is_ok())
    return TF_INTERNAL;
  if (records && is_ok() && !modfs_records_find(records, 9, &offset, status) && is_ok())
    return TF_INTERNAL;
  return TF_GetCode(status);
}

static TF_Code try_decode(void) {
  modfs_records *records = open_records(strcmp(codec_name, "gzip") == 0);
  TF_Code code = counted_records(records);
  if (records) modfs_records_close(records);
  return code;
}

static TF_Code try_prefetch(void) {
  modfs_records *records = open_records(false);
  if (records) modfs_records_prefetch(records, status);
  TF_Code code = counted_records(records);
  if (records) modfs_records_close(records);
  return code;
}

static TF_Code try_salvage(void) {
  static modfs_salvage result;
  modfs_records *records = open_records(false);
  modfs_writable *to =
      records ? modfs_writable_open(mem, "mem://short/copied", MODFS_WRITE_REPLACE, status) : NULL;
  if (to) modfs_records_salvage(records, to, &result, status);
  TF_Code code =
      to && is_ok() && result.records != 10 && !result.cut ? TF_INTERNAL : TF_GetCode(status);
  if (to) modfs_writable_close(to, status);
  if (records) modfs_records_close(records);
  return code;
}

static void test_codecs(void) {
  for (const modfs_codec *codec = modfs_codec_next(NULL); codec; codec = modfs_codec_next(codec)) {
    char name[64];
    codec_name = modfs_codec_name(codec);
    if (!modfs_codec_available(codec, status)) continue;
    modfs_writable *below =
        modfs_writable_open(mem, "mem://short/records", MODFS_WRITE_REPLACE, status);
    if (below) encode(below);
    snprintf(name, sizeof name, "encoding as %s", codec_name);
    test(&(operation){name, try_encode, ALONE});
    snprintf(name, sizeof name, "decoding %s", codec_name);
    test(&(operation){name, try_decode, ALONE});
    snprintf(name, sizeof name, "reading ahead in %s", codec_name);
    test(&(operation){name, try_prefetch, THREADED});
    snprintf(name, sizeof name, "salvaging %s", codec_name);
    test(&(operation){name, try_salvage, ALONE});
  }
}

int main(void) {
  return short_run(is_ok, test_codecs);
}
