/* What archives cost in plain C, as a program like the archivers that archive_cases.lua runs beside it.
 *   archive_limit COUNT unpack DIR        creates so many files of 1 KiB in ten directories
 *   archive_limit COUNT pack DIR ARCHIVE  writes all of these files into one tar
 *   archive_limit LENGTH keep ARCHIVE FILE  decompresses all of a tar.gz or tar.zst into a temporary
 *     file without a name, so that nothing is given out before it is checked, and then copies LENGTH
 *     bytes, the content of its second member
 *   archive_limit 0 compress FILE ARCHIVE   compresses a file by zstd, with a checksum */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef MODFS_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef MODFS_WITH_ZSTD
#include <zstd.h>
#endif

enum { FOLDERS = 10, LENGTH = 1024, BLOCK = 512, PATH = 512 };
enum { IN = 128 * 1024, OUT = 256 * 1024 };

static void name_file(char *path, const char *directory, int i) {
  snprintf(path, PATH, "%s/%d/file%04d", directory, i % FOLDERS, i);
}

static bool unpack(int count, const char *directory) {
  char path[PATH], content[LENGTH];
  memset(content, 'x', sizeof content);
  for (int i = 0; i < FOLDERS; i++) {
    snprintf(path, PATH, "%s/%d", directory, i);
    if (mkdir(path, 0755) != 0) return false;
  }
  for (int i = 0; i < count; i++) {
    name_file(path, directory, i);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (file < 0 || write(file, content, LENGTH) != LENGTH || close(file) != 0) return false;
  }
  return true;
}

/* A header as old programs read it, without the owner. */
static void fill_header(char *header, const char *name, const struct stat *from) {
  unsigned sum = 8 * ' ';
  memset(header, 0, BLOCK);
  snprintf(header, 100, "%s", name);
  snprintf(header + 100, 8, "%07o", from->st_mode & 07777U);
  snprintf(header + 124, 12, "%011llo", (unsigned long long)from->st_size);
  snprintf(header + 136, 12, "%011llo", (unsigned long long)from->st_mtime);
  header[156] = '0';
  for (int i = 0; i < BLOCK; i++)
    sum += (unsigned char)header[i];
  snprintf(header + 148, 8, "%06o", sum);
}

static bool pack_file(const char *path, const char *name, FILE *archive) {
  char header[BLOCK], content[LENGTH];
  struct stat from;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &from) != 0 || read(file, content, LENGTH) != LENGTH) return false;
  close(file);
  fill_header(header, name, &from);
  return fwrite(header, BLOCK, 1, archive) == 1 && fwrite(content, LENGTH, 1, archive) == 1;
}

static bool pack(int count, const char *directory, const char *to) {
  static const char end[2 * BLOCK];
  char path[PATH];
  FILE *archive = fopen(to, "w");
  bool fine = archive != NULL;
  for (int i = 0; fine && i < count; i++) {
    name_file(path, directory, i);
    fine = pack_file(path, path + strlen(directory) + 1, archive);
  }
  return fine && fwrite(end, sizeof end, 1, archive) == 1 && fclose(archive) == 0;
}

/* Large files ------------------------------------------------------------------------------- */

static char in[IN], out[OUT];

static bool write_all(int file, size_t n) {
  return write(file, out, n) == (ssize_t)n;
}

#ifdef MODFS_WITH_ZLIB
static bool gunzip(int from, int to) {
  z_stream z = {0};
  int result = inflateInit2(&z, MAX_WBITS + 16);
  for (ssize_t got = 1; result == Z_OK && got > 0;) {
    z.next_in = (Bytef *)in;
    z.avail_in = (uInt)(got = read(from, in, IN));
    while (result == Z_OK && (z.avail_in > 0 || z.avail_out == 0)) {
      z.next_out = (Bytef *)out;
      z.avail_out = OUT;
      result = inflate(&z, Z_NO_FLUSH);
      if (result == Z_BUF_ERROR) result = Z_OK; /* there was no more output */
      if (!write_all(to, OUT - z.avail_out)) return false;
    }
  }
  return inflateEnd(&z) == Z_OK && result == Z_STREAM_END;
}
#else
static bool gunzip(int from, int to) {
  return from < 0 && to < 0;
}
#endif

#ifdef MODFS_WITH_ZSTD
static bool unzstd(int from, int to) {
  ZSTD_DCtx *zstd = ZSTD_createDCtx();
  size_t left = 1;
  ssize_t got;
  while (zstd && (got = read(from, in, IN)) > 0)
    for (ZSTD_inBuffer bytes = {in, (size_t)got, 0}; bytes.pos < bytes.size;) {
      ZSTD_outBuffer room = {out, OUT, 0};
      left = ZSTD_decompressStream(zstd, &room, &bytes);
      if (ZSTD_isError(left) || !write_all(to, room.pos)) return false;
    }
  ZSTD_freeDCtx(zstd);
  return left == 0;
}

static bool compress_file(const char *path, const char *to) {
  ZSTD_CCtx *zstd = ZSTD_createCCtx();
  int from = open(path, O_RDONLY), made = open(to, O_WRONLY | O_CREAT | O_EXCL, 0644);
  size_t left = 1;
  if (!zstd || from < 0 || made < 0) return false;
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
  for (ssize_t got = 1; got > 0;) {
    ZSTD_inBuffer bytes = {in, (size_t)(got = read(from, in, IN)), 0};
    do {
      ZSTD_outBuffer room = {out, OUT, 0};
      left = ZSTD_compressStream2(zstd, &room, &bytes, got > 0 ? ZSTD_e_continue : ZSTD_e_end);
      if (ZSTD_isError(left) || !write_all(made, room.pos)) return false;
    } while (bytes.pos < bytes.size || (got == 0 && left > 0));
  }
  ZSTD_freeCCtx(zstd);
  return close(made) == 0;
}
#else
static bool unzstd(int from, int to) {
  return from < 0 && to < 0;
}

static bool compress_file(const char *path, const char *to) {
  return !path && !to;
}
#endif

/* Behind the headers of the directory and of the file. */
static bool copy_out(int from, size_t length, const char *path) {
  int to = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
  off_t at = 2 * BLOCK;
  bool fine = to >= 0;
  for (size_t n; fine && length > 0; length -= n, at += (off_t)n) {
    n = length < IN ? length : IN;
    fine = pread(from, out, n, at) == (ssize_t)n && write_all(to, n);
  }
  return fine && close(to) == 0;
}

static bool keep(size_t length, const char *archive, const char *path) {
  const char *directory = getenv("TMPDIR");
  int from = open(archive, O_RDONLY);
  int kept = open(directory ? directory : "/tmp", O_TMPFILE | O_RDWR, 0600);
  bool is_zstd = strstr(archive, ".zst") != NULL;
  return from >= 0 && kept >= 0 && (is_zstd ? unzstd(from, kept) : gunzip(from, kept)) &&
         copy_out(kept, length, path);
}

static bool run(long n, char **argv) {
  const char *what = argv[2];
  if (strcmp(what, "pack") == 0) return pack((int)n, argv[3], argv[4]);
  if (strcmp(what, "keep") == 0) return keep((size_t)n, argv[3], argv[4]);
  return strcmp(what, "compress") == 0 && compress_file(argv[3], argv[4]);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  bool fine = argc == 5   ? run(n, argv)
              : argc == 4 ? strcmp(argv[2], "unpack") == 0 && unpack((int)n, argv[3])
                          : false;
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
