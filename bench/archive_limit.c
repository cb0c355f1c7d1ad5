/* What creating and reading many small files costs in plain C, as a program like the archivers that
 * archive_cases.lua runs beside it.
 *   archive_limit COUNT unpack DIR        creates so many files of 1 KiB in ten directories
 *   archive_limit COUNT pack DIR ARCHIVE  writes all of these files into one tar */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS = 10, LENGTH = 1024, BLOCK = 512, PATH = 512 };

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

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 0;
  bool fine = argc == 5   ? strcmp(argv[2], "pack") == 0 && pack(count, argv[3], argv[4])
              : argc == 4 ? strcmp(argv[2], "unpack") == 0 && unpack(count, argv[3])
                          : false;
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
