/* Faults of opening, reading, writing and mapping. */
#include "mutant.h"

#include <stdlib.h>
#include <unistd.h>

/* Opening ------------------------------------------------------------------------ */

#define OPEN(name, type, ...)                                                                      \
  static void name(FS, const char *path, type *file, TF_Status *status) {                          \
    __VA_ARGS__;                                                                                   \
  }

OPEN(open_directory, TF_RandomAccessFile,
     if (!mutant_is_directory(fs, path)) good.new_random_access_file(fs, path, file, status))
OPEN(open_invalid, TF_RandomAccessFile, {
  good.new_random_access_file(fs, path, file, status);
  if (TF_GetCode(status) == TF_FAILED_PRECONDITION && !mutant_is_directory(fs, path))
    TF_SetStatus(status, TF_NOT_FOUND, "no such file");
})
OPEN(open_leaks, TF_RandomAccessFile, {
  (void)!dup(0);
  good.new_random_access_file(fs, path, file, status);
})
OPEN(map_leaks, TF_ReadOnlyMemoryRegion, {
  (void)!dup(0);
  good.new_read_only_memory_region_from_file(fs, path, file, status);
})
OPEN(map_empty, TF_ReadOnlyMemoryRegion, {
  good.new_read_only_memory_region_from_file(fs, path, file, status);
  if (TF_GetCode(status) == TF_INVALID_ARGUMENT)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "empty");
})
OPEN(write_keeps, TF_WritableFile, good.new_appendable_file(fs, path, file, status))
OPEN(append_truncates, TF_WritableFile, good.new_writable_file(fs, path, file, status))
OPEN(write_makes_parents, TF_WritableFile, {
  char *parent = strdup(path);
  *strrchr(parent, '/') = '\0';
  TF_Status *ignored = TF_NewStatus();
  good.recursively_create_dir(fs, *parent ? parent : "/", ignored);
  TF_DeleteStatus(ignored);
  free(parent);
  good.new_writable_file(fs, path, file, status);
})

static void close_nothing(TF_RandomAccessFile *file) {
  if (file->plugin_file) good_reader.cleanup(file);
}

/* Reading ------------------------------------------------------------------------ */

#define READ(name, ...)                                                                            \
  static int64_t name(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,    \
                      TF_Status *status) {                                                         \
    __VA_ARGS__;                                                                                   \
  }

READ(read_more, {
  int64_t got = good_reader.read(file, offset, n, buffer, status);
  return TF_GetCode(status) == TF_OK ? got + 1 : got;
})
READ(read_end_ok, {
  int64_t got = good_reader.read(file, offset, n, buffer, status);
  TF_SetStatus(status, TF_OK, "");
  return got;
})
READ(read_end_none, {
  int64_t got = good_reader.read(file, offset, n, buffer, status);
  return TF_GetCode(status) == TF_OUT_OF_RANGE ? 0 : got;
})
READ(read_32_bits, return good_reader.read(file, (uint32_t)offset, n, buffer, status))
READ(read_signed, {
  if (offset > INT32_MAX) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "negative offset");
    return -1;
  }
  return good_reader.read(file, offset, n, buffer, status);
})
READ(read_63_bits, {
  if (offset > INT64_MAX - n) {
    TF_SetStatus(status, TF_INTERNAL, "overflow");
    return -1;
  }
  return good_reader.read(file, offset, n, buffer, status);
})
READ(read_text, {
  int64_t got = good_reader.read(file, offset, n, buffer, status);
  for (int64_t i = 0; i < got; i++)
    if (buffer[i] == '\r') buffer[i] = '\n';
  return got;
})
READ(read_position, {
  static uint64_t position;
  position = offset ? position : 0;
  int64_t got = good_reader.read(file, position, n, buffer, status);
  position += got > 0 ? (uint64_t)got : 0;
  return got;
})

/* Writing ------------------------------------------------------------------------ */

static void append_cut(const TF_WritableFile *file, const char *buffer, size_t n,
                       TF_Status *status) {
  good_writer.append(file, buffer, n > 65536 ? 65536 : n, status);
}

static void append_string(const TF_WritableFile *file, const char *buffer, size_t n,
                          TF_Status *status) {
  good_writer.append(file, buffer, strnlen(buffer ? buffer : "", n), status);
}

/* Counts what was appended through any handle since the last opening. */
static int64_t told;

OPEN(append_opens, TF_WritableFile, {
  told = 0;
  good.new_appendable_file(fs, path, file, status);
})

static void append_counts(const TF_WritableFile *file, const char *buffer, size_t n,
                          TF_Status *status) {
  told += (int64_t)n;
  good_writer.append(file, buffer, n, status);
}

static int64_t tell_since_opening(const TF_WritableFile *file, TF_Status *status) {
  (void)file, (void)status;
  return told;
}

#define WRITER_CALL(name, ...)                                                                     \
  static void name(const TF_WritableFile *file, TF_Status *status) {                               \
    (void)file;                                                                                    \
    __VA_ARGS__;                                                                                   \
  }

WRITER_CALL(close_fails, good_writer.close(file, status);
            TF_SetStatus(status, TF_UNAVAILABLE, "later"))
WRITER_CALL(flush_fails, TF_SetStatus(status, TF_INTERNAL, "no buffer"))
WRITER_CALL(sync_fails, TF_SetStatus(status, TF_INTERNAL, "no descriptor"))

/* Buffers one handle's bytes until flush or close; sync forgets to hand them on. */
static char held[1 << 20];
static size_t held_size;

OPEN(write_holds, TF_WritableFile, {
  held_size = 0;
  good.new_writable_file(fs, path, file, status);
})

OPEN(append_afresh, TF_WritableFile, {
  held_size = 0;
  good.new_appendable_file(fs, path, file, status);
})

static void append_holds(const TF_WritableFile *file, const char *buffer, size_t n,
                         TF_Status *status) {
  if (held_size + n > sizeof held) {
    good_writer.append(file, held, held_size, status);
    held_size = 0;
  }
  if (n) memcpy(held + held_size, buffer, n);
  held_size += n;
}

WRITER_CALL(flush_held, good_writer.append(file, held, held_size, status); held_size = 0)
WRITER_CALL(sync_held, (void)status)
WRITER_CALL(close_held, flush_held(file, status); good_writer.close(file, status))

/* A file that nobody closed is gone with its handle. */
static const TF_Filesystem *owner_of_unclosed;
static void *unclosed;
static char *unclosed_path;

OPEN(write_loses, TF_WritableFile, {
  good.new_writable_file(fs, path, file, status);
  free(unclosed_path);
  owner_of_unclosed = fs;
  unclosed = file->plugin_file;
  unclosed_path = strdup(path);
})

WRITER_CALL(close_keeps, good_writer.close(file, status);
            if (file->plugin_file == unclosed) unclosed = NULL)

static void cleanup_loses(TF_WritableFile *file) {
  TF_Status *ignored = TF_NewStatus();
  if (unclosed && file->plugin_file == unclosed)
    good.delete_file(owner_of_unclosed, unclosed_path, ignored);
  TF_DeleteStatus(ignored);
  good_writer.cleanup(file);
}

/* Regions ------------------------------------------------------------------------ */

static uint64_t region_longer(const TF_ReadOnlyMemoryRegion *region) {
  return good_region.length(region) + 1;
}

static uint64_t region_pages(const TF_ReadOnlyMemoryRegion *region) {
  uint64_t length = good_region.length(region);
  return length > 4096 ? length / 4096 * 4096 : length;
}

bool file_fault_apply(mutant_tables *t, const char *name) {
  ON("open.directory", t->fs->new_random_access_file = open_directory;
     t->reader->cleanup = close_nothing)
  ON("open.invalid", t->fs->new_random_access_file = open_invalid)
  ON("open.leaks", t->fs->new_random_access_file = open_leaks)
  ON("map.leaks", t->fs->new_read_only_memory_region_from_file = map_leaks)
  ON("map.empty", t->fs->new_read_only_memory_region_from_file = map_empty)
  ON("write.keeps", t->fs->new_writable_file = write_keeps)
  ON("write.makes.parents", t->fs->new_writable_file = write_makes_parents)
  ON("append.truncates", t->fs->new_appendable_file = append_truncates)
  ON("read.more", t->reader->read = read_more)
  ON("read.end.ok", t->reader->read = read_end_ok)
  ON("read.end.none", t->reader->read = read_end_none)
  ON("read.offset.32", t->reader->read = read_32_bits)
  ON("read.offset.signed", t->reader->read = read_signed)
  ON("read.offset.63", t->reader->read = read_63_bits)
  ON("read.text", t->reader->read = read_text)
  ON("read.position", t->reader->read = read_position)
  ON("append.cut", t->writer->append = append_cut)
  ON("append.string", t->writer->append = append_string)
  ON("tell.since.opening", t->fs->new_appendable_file = append_opens;
     t->writer->append = append_counts; t->writer->tell = tell_since_opening)
  ON("close.fails", t->writer->close = close_fails)
  ON("flush.fails", t->writer->flush = flush_fails)
  ON("sync.fails", t->writer->sync = sync_fails)
  ON("sync.forgets", t->fs->new_writable_file = write_holds;
     t->fs->new_appendable_file = append_afresh; t->writer->append = append_holds;
     t->writer->flush = flush_held; t->writer->sync = sync_held; t->writer->close = close_held)
  ON("close.alone.keeps", t->fs->new_writable_file = write_loses; t->writer->close = close_keeps;
     t->writer->cleanup = cleanup_loses)
  ON("region.longer", t->region->length = region_longer)
  ON("region.pages", t->region->length = region_pages)
  return false;
}
