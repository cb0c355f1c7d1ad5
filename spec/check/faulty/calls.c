/* The posix plugin with system calls whose failures, or short answers, are not minded. */
#include "faulty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reading ---------------------------------------------------------------------------- */

READ(read_partial) {
  size_t done = 0;
  ssize_t got = 1;
  while (done < n && got > 0) {
    got = pread(reader_fd(file), buffer + done, n - done, (off_t)(offset + done));
    if (got > 0) done += (size_t)got;
  }
  TF_SetStatus(status, got < 0 ? TF_UNKNOWN : done < n ? TF_OUT_OF_RANGE : TF_OK, "");
  return (int64_t)done;
}

READ(read_once) {
  ssize_t got = pread(reader_fd(file), buffer, n, (off_t)offset);
  if (got < 0)
    TF_SetStatusFromIOError(status, errno, "");
  else
    TF_SetStatus(status, (size_t)got < n ? TF_OUT_OF_RANGE : TF_OK, "");
  return got;
}

READ(read_again) {
  int64_t got;
  do {
    TF_SetStatus(status, TF_OK, "");
    got = good_reader.read(file, offset, n, buffer, status);
  } while (got < 0 && TF_GetCode(status) == TF_UNAVAILABLE);
  return got;
}

READ(read_int) {
  if (n > INT32_MAX) n = (size_t)(int)n;
  if ((ssize_t)n < 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "");
    return -1;
  }
  return good_reader.read(file, offset, n, buffer, status);
}

READ(read_30_bits) {
  return good_reader.read(file, offset & 0x3fffffff, n, buffer, status);
}

READ(read_offset_int) {
  return good_reader.read(file, (uint64_t)(int)offset, n, buffer, status);
}

static uint64_t length_int(const TF_ReadOnlyMemoryRegion *region) {
  return (uint64_t)(int)good_region.length(region);
}

static int64_t size_30_bits(FS, const char *path, TF_Status *status) {
  int64_t size = good.get_file_size(fs, path, status);
  return size < 0 ? size : size & 0x3fffffff;
}

static int64_t size_int(FS, const char *path, TF_Status *status) {
  return (int)good.get_file_size(fs, path, status);
}

static int64_t tell_int(const TF_WritableFile *file, TF_Status *status) {
  return (int)good_writer.tell(file, status);
}

/* Maps a page of nothing when fstat fails. */
static void map_unasked(FS, const char *path, TF_ReadOnlyMemoryRegion *region, TF_Status *status) {
  good.new_read_only_memory_region_from_file(fs, path, region, status);
  if (TF_GetCode(status) != TF_UNKNOWN) return;
  struct {
    void *data;
    size_t length;
  } *made = malloc(sizeof *made);
  made->length = 4096;
  made->data = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  region->plugin_memory_region = made;
  TF_SetStatus(status, TF_OK, "");
}

/* Writing ---------------------------------------------------------------------------- */

APPEND(append_ignores) {
  good_writer.append(file, buffer, n, status);
  TF_SetStatus(status, TF_OK, "");
}

APPEND(append_misreports) {
  good_writer.append(file, buffer, n, status);
  if (TF_GetCode(status) != TF_OK) TF_SetStatus(status, TF_INTERNAL, "");
}

APPEND(append_once) {
  if (write(writer_fd(file), buffer, n) < 0) TF_SetStatusFromIOError(status, errno, "");
}

APPEND(append_quota) {
  size_t done = 0;
  while (done < n) {
    ssize_t put = write(writer_fd(file), buffer + done, n - done);
    if (put < 0) {
      TF_SetStatus(status, errno == ENOSPC ? TF_RESOURCE_EXHAUSTED : TF_UNKNOWN, "");
      return;
    }
    done += (size_t)put;
  }
}

APPEND(append_again) {
  do {
    TF_SetStatus(status, TF_OK, "");
    good_writer.append(file, buffer, n, status);
  } while (TF_GetCode(status) == TF_UNAVAILABLE);
}

WRITER(close_ignores) {
  good_writer.close(file, status);
  TF_SetStatus(status, TF_OK, "");
}

WRITER(sync_flushes) {
  good_writer.flush(file, status);
}

WRITER(sync_ignores) {
  good_writer.sync(file, status);
  TF_SetStatus(status, TF_OK, "");
}

/* Asking ----------------------------------------------------------------------------- */

static void stat_ignores(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {
  good.stat(fs, path, stats, status);
  if (TF_GetCode(status) != TF_UNKNOWN) return;
  memset(stats, 0, sizeof *stats);
  TF_SetStatus(status, TF_OK, "");
}

static int64_t size_ignores(FS, const char *path, TF_Status *status) {
  int64_t size = good.get_file_size(fs, path, status);
  if (TF_GetCode(status) != TF_UNKNOWN) return size;
  TF_SetStatus(status, TF_OK, "");
  return 0;
}

static void exists_by_stat(FS, const char *path, TF_Status *status) {
  struct stat info;
  good.path_exists(fs, path, status);
  if (TF_GetCode(status) == TF_OK && stat(path, &info) != 0)
    TF_SetStatus(status, TF_NOT_FOUND, "no such file");
}

static int children_ignore(FS, const char *path, char ***entries, TF_Status *status) {
  int count = good.get_children(fs, path, entries, status);
  if (TF_GetCode(status) != TF_UNKNOWN) return count;
  *entries = NULL;
  TF_SetStatus(status, TF_OK, "");
  return 0;
}

/* Changing --------------------------------------------------------------------------- */

PAIR(rename_removes) {
  good.rename_file(fs, src, dst, status);
  if (TF_GetCode(status) == TF_UNKNOWN || TF_GetCode(status) == TF_RESOURCE_EXHAUSTED) unlink(dst);
}

/* Writes into the target itself; once: no more than one piece. */
static void copy_into(const char *src, const char *dst, size_t piece, TF_Status *status) {
  char bytes[4096];
  ssize_t got, put = 0;
  int from = open(src, O_RDONLY | O_CLOEXEC), to = -1;
  if (from >= 0) to = open(dst, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (to < 0) TF_SetStatusFromIOError(status, errno, "");
  while (to >= 0 && put >= 0 && (got = read(from, bytes, piece)) != 0) {
    put = got < 0 ? -1 : write(to, bytes, (size_t)got);
    if (put < 0) TF_SetStatusFromIOError(status, errno, "");
  }
  if (from >= 0) close(from);
  if (to >= 0) close(to);
}

PAIR(copy_in_place) {
  struct stat a, b;
  if (stat(src, &a) != 0 || S_ISDIR(a.st_mode) || (stat(dst, &b) == 0 && S_ISDIR(b.st_mode)))
    good.copy_file(fs, src, dst, status);
  else
    copy_into(src, dst, 4096, status);
}

static void rmtree_no_counts(FS, const char *path, uint64_t *files, uint64_t *dirs,
                             TF_Status *status) {
  good.delete_recursively(fs, path, files, dirs, status);
  if (TF_GetCode(status) == TF_UNKNOWN) *files = *dirs = 0;
}

static void rmtree_follows(FS, const char *path, uint64_t *files, uint64_t *dirs,
                           TF_Status *status) {
  char link[4096], target[4096];
  snprintf(link, sizeof link, "%s/link", path);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length > 0) {
    target[length] = '\0';
    good.delete_recursively(fs, target, files, dirs, status);
  }
  good.delete_recursively(fs, path, files, dirs, status);
}

static void open_waits(FS, const char *path, TF_RandomAccessFile *file, TF_Status *status) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) close(fd);
  good.new_random_access_file(fs, path, file, status);
}

static bool write_fault_apply(faulty_tables *t, const char *name) {
  ON("append.ignores", t->writer->append = append_ignores)
  ON("append.misreports", t->writer->append = append_misreports)
  ON("append.once", t->writer->append = append_once)
  ON("append.quota", t->writer->append = append_quota)
  ON("append.again", t->writer->append = append_again)
  ON("close.ignores", t->writer->close = close_ignores)
  ON("sync.flushes", t->writer->sync = sync_flushes)
  ON("sync.ignores", t->writer->sync = sync_ignores)
  ON("tell.int", t->writer->tell = tell_int)
  return false;
}

static bool read_fault_apply(faulty_tables *t, const char *name) {
  ON("read.partial", t->reader->read = read_partial)
  ON("read.once", t->reader->read = read_once)
  ON("read.again", t->reader->read = read_again)
  ON("read.int", t->reader->read = read_int)
  ON("read.30.bits", t->reader->read = read_30_bits)
  ON("read.offset.int", t->reader->read = read_offset_int)
  ON("map.unasked", t->fs->new_read_only_memory_region_from_file = map_unasked)
  ON("map.int", t->region->length = length_int)
  return false;
}

bool call_fault_apply(faulty_tables *t, const char *name) {
  ON("stat.ignores", t->fs->stat = stat_ignores)
  ON("size.ignores", t->fs->get_file_size = size_ignores)
  ON("size.30.bits", t->fs->get_file_size = size_30_bits)
  ON("size.int", t->fs->get_file_size = size_int)
  ON("exists.by.stat", t->fs->path_exists = exists_by_stat)
  ON("children.ignore", t->fs->get_children = children_ignore)
  ON("rename.removes", t->fs->rename_file = rename_removes)
  ON("copy.in.place", t->fs->copy_file = copy_in_place)
  ON("rmtree.no.counts", t->fs->delete_recursively = rmtree_no_counts)
  ON("rmtree.follows", t->fs->delete_recursively = rmtree_follows)
  ON("open.waits", t->fs->new_random_access_file = open_waits)
  return write_fault_apply(t, name) || read_fault_apply(t, name);
}
