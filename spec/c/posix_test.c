/* The posix plugin through its tables: posix_test posix.so. Works in a fresh directory, which it
 * deletes. The functions of libc under "Faults" stand before libc's own, also for the plugin. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filesystem_ops.h"

enum { DEEP = 20000, PATH = 2 * DEEP + 4096 };

static char root[64];

/* Faults -------------------------------------------------------------------- */

/* An error that copying knows: it finds no bytes, as older kernels do in /proc. */
enum { NOTHING = 9999 };

/* The next `times` calls of `call`, after `skip` of them, fail with `error`. */
static struct {
  const char *call;
  const char *name; /* only for this file name, unless NULL */
  int error, skip, times, hits;
} fault;

static atomic_int without_cloexec;
static atomic_bool hide_types;
static void (*before_parent)(void); /* runs before a "..", once */

static void arm(const char *call, int error, int skip, int times) {
  fault.call = call;
  fault.name = NULL;
  fault.error = error;
  fault.skip = skip;
  fault.times = times;
  fault.hits = 0;
}

static int disarm(void) {
  fault.call = NULL;
  return fault.hits;
}

static bool fails(const char *call, const char *name) {
  if (fault.call == NULL || strcmp(call, fault.call) != 0) return false;
  if (fault.name != NULL && (name == NULL || strcmp(name, fault.name) != 0)) return false;
  if (fault.skip-- > 0) return false;
  if (fault.times <= 0) return false;
  fault.times--;
  fault.hits++;
  errno = fault.error;
  return true;
}

#pragma GCC visibility push(default)

int openat(int dir, const char *name, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
  va_end(args);
  if ((flags & O_CLOEXEC) == 0) atomic_fetch_add(&without_cloexec, 1);
  if (before_parent != NULL && strcmp(name, "..") == 0) {
    before_parent();
    before_parent = NULL;
  }
  return fails("openat", name) ? -1 : (int)syscall(SYS_openat, dir, name, flags, mode);
}

int unlinkat(int dir, const char *name, int flags) {
  return fails("unlinkat", name) ? -1 : (int)syscall(SYS_unlinkat, dir, name, flags);
}

int renameat(int from, const char *source, int to, const char *target) {
  if (fails("renameat", NULL)) return -1;
  return (int)syscall(SYS_renameat2, from, source, to, target, 0);
}

int fsync(int fd) {
  return fails("fsync", NULL) ? -1 : (int)syscall(SYS_fsync, fd);
}

int close(int fd) {
  int result = (int)syscall(SYS_close, fd);
  return fails("close", NULL) ? -1 : result;
}

ssize_t pread(int fd, void *buffer, size_t n, off_t offset) {
  return n > 0 && fails("pread", NULL) ? -1 : syscall(SYS_pread64, fd, buffer, n, offset);
}

/* A fault without an error does a part: five bytes here, a thousand below. */
ssize_t write(int fd, const void *buffer, size_t n) {
  if (fails("write", NULL)) {
    if (errno != 0) return -1;
    n = n < 5 ? n : 5;
  }
  return syscall(SYS_write, fd, buffer, n);
}

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *put, size_t n, unsigned flags) {
  if (fails("copy", NULL)) {
    if (errno == NOTHING) return 0;
    if (errno != 0) return -1;
    n = 1000;
  }
  return syscall(SYS_copy_file_range, from, at, to, put, n, flags);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t n) {
  return fails("copy", NULL) ? -1 : syscall(SYS_sendfile, to, from, offset, n);
}

ssize_t getdents64(int fd, void *buffer, size_t n) {
  if (fails("getdents", NULL)) return -1;
  long got = syscall(SYS_getdents64, fd, buffer, n);
  for (long at = 0; atomic_load(&hide_types) && at < got;) {
    struct dirent64 *entry = (struct dirent64 *)(void *)((char *)buffer + at);
    entry->d_type = DT_UNKNOWN;
    at += entry->d_reclen;
  }
  return got;
}

/* ThreadSanitizer starts before it could be asked for the next malloc. */
#ifndef __SANITIZE_THREAD__
void *malloc(size_t n) {
  static __typeof__(&malloc) next;
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "malloc");
  return fails("memory", NULL) ? NULL : next(n);
}

void *realloc(void *old, size_t n) {
  static __typeof__(&realloc) next;
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "realloc");
  return fails("memory", NULL) ? NULL : next(old, n);
}

void *calloc(size_t n, size_t size) {
  static __typeof__(&calloc) next;
  if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "calloc");
  return fails("memory", NULL) ? NULL : next(n, size);
}
#endif

#pragma GCC visibility pop

/* Tools --------------------------------------------------------------------- */

/* What op did: its code. */
#define CALL(op, ...) (fs.op(&here, __VA_ARGS__, fresh()), TF_GetCode(status))
#define EXTEND(op, ...) (ext->op(&here, __VA_ARGS__, fresh()), TF_GetCode(status))

/* A path below root; good for some calls. */
__attribute__((format(printf, 1, 2))) static char *at(const char *format, ...) {
  static char rooms[16][512];
  static unsigned turn;
  char *room = rooms[turn++ % 16];
  int length = snprintf(room, sizeof rooms[0], "%s/", root);
  va_list args;
  va_start(args, format);
  vsnprintf(room + length, sizeof rooms[0] - (size_t)length, format, args);
  va_end(args);
  return room;
}

/* The operating system's own view, for comparison and preparation. */
static void os_write(const char *path, const char *text, mode_t mode) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0 || write(fd, text, strlen(text)) < 0 || fchmod(fd, mode) != 0) perror(path);
  close(fd);
}

static const char *os_read(const char *path) {
  static char content[4096];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, content, sizeof content - 1);
  if (fd >= 0) close(fd);
  if (got < 0) return NULL;
  content[got] = '\0';
  return content;
}

static struct stat os_stat(const char *path) {
  struct stat found = {0};
  if (lstat(path, &found) != 0) found.st_mode = 0;
  return found;
}

static int os_count(const char *path) {
  int count = 0;
  DIR *dir = opendir(path);
  while (dir != NULL && readdir(dir) != NULL)
    count++;
  if (dir != NULL) closedir(dir);
  return count - 2;
}

static int os_remove(const char *path, const struct stat *found, int kind, struct FTW *at_level) {
  (void)found;
  (void)kind;
  return at_level->level > 0 ? remove(path) : 0;
}

static void os_fresh(void) {
  if (nftw(root, os_remove, 20, FTW_DEPTH | FTW_PHYS) != 0) perror(root);
}

static int open_descriptors(void) {
  return os_count("/proc/self/fd");
}

enum { OK, NF = TF_NOT_FOUND, AE = TF_ALREADY_EXISTS, FP = TF_FAILED_PRECONDITION };

static TF_Code copy_from(const char *path) {
  return CALL(copy_file, path, at("target"));
}

static TF_Code copy_to(const char *path) {
  os_write(at("source"), "s", 0644);
  return CALL(copy_file, at("source"), path);
}

static TF_Code replace(const char *path) {
  return write_by(path, MODFS_OPEN_ATOMIC, "data");
}

static TF_Code replace_durable(const char *path) {
  return write_by(path, MODFS_OPEN_ATOMIC | MODFS_OPEN_DURABLE, "data");
}

static TF_Code write_entry(const modfs_directory *directory, const char *name, uint32_t flags) {
  TF_WritableFile file = {0};
  TF_Code code = EXTEND(open_writer, directory, name, flags, &file);
  return code ? code : finish_with(&file, "new");
}

static void test_translate(void) {
  static const char *const vectors[][2] = {
      {"", ""},
      {"/", "/"},
      {"//", "/"},
      {"a_file", "a_file"},
      {"a_dir/..", "."},
      {"./te*", "te*"},
      {"//a//b/", "/a/b"},
      {"/..", "/"},
      {"/a/b/../../..", "/"},
      {"//a//../x//", "/x"},
      {"../../a/b/../c", "../../a/c"},
      {"../../a/b/../c/../..", "../.."},
      {"foo/../../../bar", "../../bar"},
      {"/a/b/c/d/*", "/a/b/c/d/*"},
      {"a/...", "a/..."},
      {"file://", "/"},
      {"file:///", "/"},
      {"file:////", "/"},
      {"file:///a/./b/../c", "/a/c"},
      {"file://localhost", "/"},
      {"file://localhost/a", "/a"},
      {"file://far", "file://far"},
      {"file://far/../a", "file://far/../a"},
      {"file:/a//b", "file:/a/b"},
  };
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    char *got = fs.translate_name(&here, vectors[i][0]);
    CHECK_STR(got, vectors[i][1], "translates \"%s\"", vectors[i][0]);
    info.plugin_memory_free(got);
  }
}

/* Reading ------------------------------------------------------------------- */

static int64_t read_at(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer) {
  return file_ops.read(file, offset, n, buffer, fresh());
}

static void test_read_faults(void) {
  char buffer[16] = {0};
  TF_RandomAccessFile file = {0};
  os_fresh();
  os_write(at("f"), "abcdefgh", 0644);
  CHECK_INT(open_file(at("f"), &file), TF_OK, "open a file");
  arm("pread", EINTR, 0, 3);
  CHECK_INT(read_at(&file, 0, 8, buffer), 8, "interrupted reads go on");
  CHECK_INT(disarm(), 3, "three were interrupted");
  arm("pread", EIO, 1, 1);
  CHECK_INT(read_at(&file, 4, 8, buffer), -1, "a read that fails half way is -1");
  CHECK(disarm() == 1 && TF_GetCode(status) == TF_UNKNOWN, "and not OK");
  arm("pread", EAGAIN, 0, 1);
  CHECK_INT(read_at(&file, 0, 8, buffer), -1, "a read that would block does not wait");
  CHECK(disarm() == 1 && TF_GetCode(status) == TF_UNAVAILABLE, "it is unavailable");
  file_ops.cleanup(&file);
}

static int make_socket(const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && bind(fd, (const struct sockaddr *)&name, sizeof name) != 0) perror("bind");
  return fd;
}

static void test_special_files(void) {
  char buffer[64 * 1024];
  TF_RandomAccessFile file = {0};
  os_fresh();
  mkfifo(at("fifo"), 0644);
  int listener = make_socket(at("socket"));
  int reader = open(at("fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  static const char *const odd[] = {"fifo", "socket"};
  for (int i = 0; i < 2; i++) {
    const char *path = at("%s", odd[i]);
    CHECK_INT(try_read(path), FP, "read a %s", odd[i]);
    CHECK_INT(put(path, "data"), FP, "write a %s", odd[i]);
    CHECK_INT(put_end(path, "x"), FP, "append to a %s", odd[i]);
    CHECK_INT(try_region(path), FP, "map a %s", odd[i]);
    CHECK_INT(copy_from(path), FP, "copy a %s", odd[i]);
    CHECK_INT(copy_to(path), FP, "copy onto a %s", odd[i]);
    CHECK_INT(replace(path), FP, "replace a %s", odd[i]);
    CHECK_INT(exists(path), OK, "find a %s", odd[i]);
    CHECK_INT(try_delete(path), OK, "delete a %s", odd[i]);
  }
  close(reader);
  close(listener);
  CHECK_INT(CALL(new_random_access_file, "/dev/zero", &file), TF_OK, "/dev/zero opens");
  memset(buffer, 1, sizeof buffer);
  CHECK_INT(read_at(&file, 7, sizeof buffer, buffer), (int)sizeof buffer,
            "and gives what is asked");
  CHECK(buffer[0] == 0 && buffer[sizeof buffer - 1] == 0, "zeros");
  file_ops.cleanup(&file);
  CHECK_INT(CALL(new_random_access_file, "/proc/self/status", &file), TF_OK, "/proc opens");
  int64_t got = read_at(&file, 0, sizeof buffer, buffer);
  CHECK(got > 100 && TF_GetCode(status) == TF_OUT_OF_RANGE, "and is read to its end");
  file_ops.cleanup(&file);
  CHECK_INT(copy_from("/proc/self/status"), OK, "copy a file of /proc");
  CHECK(os_read(at("target")) != NULL && strstr(os_read(at("target")), "Pid:"), "with its content");
  CHECK_INT(put("/dev/null", "data"), OK, "/dev/null takes all");
  if (mknod(at("null"), S_IFCHR | 0666, makedev(1, 3)) == 0) {
    CHECK_INT(copy_to(at("null")), FP, "no copy in the place of a device");
    CHECK_INT(replace(at("null")), FP, "nor a replacement");
    CHECK(S_ISCHR(os_stat(at("null")).st_mode), "it is still a device");
  } else {
    check_note("skipped: no device can be made here, and the system's are left alone");
  }
  CHECK_INT(copy_from("/dev/zero"), FP, "no endless copy");
  CHECK_INT(try_region("/dev/zero"), FP, "no endless region");
  CHECK_INT(put("/dev/full", "data"), TF_RESOURCE_EXHAUSTED, "/dev/full");
  CHECK(strstr(TF_Message(status), "0 of 4 bytes") != NULL, "says how much it took");
}

/* Writing ------------------------------------------------------------------- */

static void test_write(void) {
  TF_WritableFile file = {0};
  os_fresh();
  os_write(at("f"), "a longer content", 0600);
  if (link(at("f"), at("other")) != 0) perror("link");
  CHECK_INT(CALL(new_writable_file, at("f"), &file), TF_OK, "write over a file");
  CHECK_INT(os_stat(at("f")).st_size, 0, "it is empty at once");
  CHECK_INT(append(&file, "1234"), TF_OK, "append");
  arm("fsync", EINTR, 0, 2);
  writable_ops.sync(&file, status);
  CHECK(disarm() == 2 && TF_GetCode(status) == TF_OK, "sync, interrupted twice");
  writable_ops.close(&file, fresh());
  CHECK_INT(TF_GetCode(status), TF_OK, "close");
  check_closed(&file);
  writable_ops.cleanup(&file);
  CHECK_STR(os_read(at("other")), "1234", "the other name sees it");
  CHECK_INT(os_stat(at("f")).st_mode & 0777, 0600, "its permissions stay");
}

static void test_write_faults(void) {
  TF_WritableFile file = {0};
  os_fresh();
  CHECK_INT(CALL(new_writable_file, at("f"), &file), TF_OK, "a file for faults");
  arm("write", 0, 0, 2);
  CHECK_INT(append(&file, "0123456789abc"), TF_OK, "short writes go on");
  CHECK_INT(disarm(), 2, "two were short");
  arm("write", EINTR, 0, 3);
  CHECK_INT(append(&file, "def"), TF_OK, "interrupted writes go on");
  CHECK_INT(disarm(), 3, "three were interrupted");
  arm("write", ENOSPC, 0, 1);
  CHECK_INT(append(&file, "lost"), TF_RESOURCE_EXHAUSTED, "a full disk");
  disarm();
  CHECK_INT(writable_ops.tell(&file, status), 16, "tell counts what was written");
  CHECK_INT(append(&file, "!"), TF_OK, "and it can go on");
  CHECK_STR(os_read(at("f")), "0123456789abcdef!", "nothing lost, nothing twice");
  arm("fsync", EIO, 0, 1);
  writable_ops.sync(&file, status);
  CHECK(disarm() == 1 && TF_GetCode(status) != TF_OK, "a failed sync");
  writable_ops.sync(&file, status);
  CHECK(TF_GetCode(status) != TF_OK, "stays failed");
  CHECK(append(&file, "x") != TF_OK, "and nothing more is written");
  CHECK(finish(&file) != TF_OK, "close says it again");
  CHECK_INT(CALL(new_writable_file, at("g"), &file), TF_OK, "a file whose close fails");
  arm("close", ENOSPC, 0, 1);
  CHECK_INT(finish(&file), TF_RESOURCE_EXHAUSTED, "the error of close is told");
  CHECK_INT(disarm(), 1, "it was the only close");
}

/* A limit on the size of files stands for a full disk: part of the bytes fit. */
static void test_limit(void) {
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  struct rlimit small = {.rlim_cur = 6, .rlim_max = old.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  os_fresh();
  os_write(at("big"), "0123456789", 0644);
  os_write(at("target"), "old", 0644);
  TF_WritableFile file = {0};
  CHECK_INT(CALL(new_writable_file, at("f"), &file), TF_OK, "a file for six bytes");
  setrlimit(RLIMIT_FSIZE, &small);
  TF_Code written = append(&file, "0123456789");
  bool told = strstr(TF_Message(status), "6 of 10 bytes") != NULL;
  TF_Code copied = CALL(copy_file, at("big"), at("target"));
  setrlimit(RLIMIT_FSIZE, &old);
  CHECK_INT(written, TF_RESOURCE_EXHAUSTED, "ten do not fit");
  CHECK(told, "the message counts");
  CHECK_INT(writable_ops.tell(&file, status), 6, "six did");
  CHECK_INT(finish(&file), TF_OK, "and can be kept");
  CHECK_INT(copied, TF_RESOURCE_EXHAUSTED, "a copy that does not fit");
  CHECK_STR(os_read(at("target")), "old", "leaves the target alone");
  CHECK_INT(os_count(root), 3, "and nothing beside it");
}

static void test_two_appenders(void) {
  enum { RECORDS = 2000 };
  os_fresh();
  pid_t child = fork();
  TF_WritableFile file = {0};
  bool good = CALL(new_appendable_file, at("log"), &file) == TF_OK;
  for (int i = 0; i < RECORDS && good; i++) {
    good = append(&file, child == 0 ? "child...\n" : "parent..\n") == TF_OK;
  }
  if (child == 0) _exit(!good);
  int result = 1;
  waitpid(child, &result, 0);
  CHECK(good && result == 0, "two processes append");
  CHECK_INT(os_stat(at("log")).st_size, 2 * RECORDS * 9, "all records are there");
  finish(&file);
}

/* Directories --------------------------------------------------------------- */

static void test_make(void) {
  os_fresh();
  CHECK_INT(try_make_all(at("a/b/c/d")), OK, "make four levels");
  if (symlink("a/b", at("link")) != 0 || symlink("nowhere", at("broken")) != 0) perror("symlink");
  CHECK_INT(try_make_all(at("link/z")), OK, "through a link");
  CHECK_INT(try_make_all(at("link")), OK, "a link to a directory is one");
  CHECK_INT(try_make_all(at("broken/z")), FP, "a broken link is in the way");
  CHECK_INT(make(at("broken")), AE, "anything is there already");
  CHECK_INT(try_delete_dir(at("a")), FP, "a full directory stays");
  CHECK_INT(try_delete_dir(at("link")), FP, "a link is no directory to delete");
  CHECK_INT(try_delete(at("link")), OK, "but a name to delete");
  CHECK(S_ISDIR(os_stat(at("a/b/z")).st_mode), "what it led to stays");
}

/* Counts entries by kind. */
static bool count_kinds(const char *path, int kinds[5]) {
  modfs_directory directory = {0};
  modfs_directory_entry entry;
  memset(kinds, 0, 5 * sizeof *kinds);
  if (EXTEND(open_directory, path, &directory) != TF_OK) return false;
  while (ext->next_entry(&directory, &entry, status)) {
    kinds[entry.kind]++;
    if (strchr(entry.name, '/') != NULL || entry.name[0] == '.') kinds[MODFS_KIND_UNKNOWN] += 1000;
  }
  ext->close_directory(&directory);
  return TF_GetCode(status) == TF_OK;
}

static void test_iterate(void) {
  int kinds[5];
  os_fresh();
  for (int i = 0; i < 1500; i++)
    os_write(at("a file with a longer name %d", i), "", 0644);
  mkdir(at("dir"), 0755);
  mkfifo(at("fifo"), 0644);
  if (symlink("dir", at("link")) != 0) perror("symlink");
  CHECK(count_kinds(root, kinds), "iterate");
  CHECK_INT(kinds[MODFS_KIND_FILE], 1500, "files");
  CHECK_INT(kinds[MODFS_KIND_DIRECTORY], 1, "directories");
  CHECK_INT(kinds[MODFS_KIND_LINK], 1, "links");
  CHECK_INT(kinds[MODFS_KIND_OTHER], 1, "others");
  atomic_store(&hide_types, true);
  CHECK(count_kinds(root, kinds), "iterate where kinds are not listed");
  atomic_store(&hide_types, false);
  CHECK_INT(kinds[MODFS_KIND_UNKNOWN], 1503, "all unknown");
  arm("getdents", EIO, 1, 1);
  CHECK(!count_kinds(root, kinds), "an iteration that breaks off fails");
  disarm();
  arm("getdents", ENOENT, 1, 1);
  CHECK(count_kinds(root, kinds), "the end of a deleted directory is an end");
  disarm();
}

/* Attributes ---------------------------------------------------------------- */

static void set_time(const char *path, int64_t seconds, long nanoseconds) {
  struct timespec times[2] = {{.tv_sec = seconds, .tv_nsec = nanoseconds},
                              {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  if (utimensat(AT_FDCWD, path, times, 0) != 0) perror("utimensat");
}

static void test_stat(void) {
  TF_FileStatistics stats = {0};
  modfs_attributes attributes = {.struct_size = sizeof attributes};
  os_fresh();
  os_write(at("f"), "12345", 0640);
  set_time(at("f"), 1234567890, 123456789);
  CHECK_INT(CALL(stat, at("f"), &stats), TF_OK, "stat a file");
  CHECK_INT(stats.length, 5, "its length");
  CHECK_INT(stats.mtime_nsec, INT64_C(1234567890123456789), "its time, to the nanosecond");
  CHECK(!stats.is_directory, "no directory");
  set_time(at("f"), -2, 500000000);
  CHECK_INT(CALL(stat, at("f"), &stats), TF_OK, "stat a file of 1969");
  CHECK_INT(stats.mtime_nsec, -1500000000, "its time");
  set_time(at("f"), 10000000000, 0);
  CHECK_INT(CALL(stat, at("f"), &stats), TF_OK, "stat a file of 2286");
  if (os_stat(at("f")).st_mtim.tv_sec == 10000000000) {
    CHECK_INT(stats.mtime_nsec, INT64_MAX, "its time is the last there is");
  } else {
    check_note("skipped: this storage holds no time after 2262");
  }
  CHECK_INT(CALL(stat, root, &stats), TF_OK, "stat a directory");
  CHECK(stats.is_directory, "a directory");
  CHECK_INT(fs.get_file_size(&here, at("f"), status), 5, "the size of a file");
  if (symlink("f", at("link")) != 0) perror("symlink");
  CHECK_INT(EXTEND(lstat, at("link"), &attributes), TF_OK, "lstat a link");
  CHECK(attributes.kind == MODFS_KIND_LINK && attributes.length == 1, "is the link itself");
  CHECK_INT(EXTEND(lstat, at("f"), &attributes), TF_OK, "lstat a file");
  struct stat same = os_stat(at("f"));
  CHECK(attributes.kind == MODFS_KIND_FILE && attributes.mode == 0640 && attributes.links == 1 &&
            attributes.owner == same.st_uid && attributes.group == same.st_gid &&
            attributes.device == same.st_dev && attributes.inode == same.st_ino,
        "has the system's attributes");
}

/* What is in the way of operations on two paths, and of files that replace one another. */
static void test_obstacles(void) {
  static const char *const where[] = {"absent", "absent/x", "dir", "file/x", "loop"};
  static const int from[] = {NF, NF, FP, FP, FP}, to[] = {OK, NF, FP, FP, FP};
  os_fresh();
  os_write(at("source"), "s", 0644);
  char too_long[400];
  snprintf(too_long, sizeof too_long, "%s", at("%0300d", 0));
  const char *const bad[] = {"", too_long, "file://far/x"};
  static const int codes[] = {NF, TF_INVALID_ARGUMENT, TF_INVALID_ARGUMENT};
  for (int i = 0; i < 3; i++) {
    CHECK_INT(CALL(rename_file, bad[i], at("target")), codes[i], "rename from bad path %d", i);
    CHECK_INT(CALL(rename_file, at("source"), bad[i]), codes[i], "rename to bad path %d", i);
    CHECK_INT(copy_from(bad[i]), codes[i], "copy from bad path %d", i);
    CHECK_INT(copy_to(bad[i]), codes[i], "copy to bad path %d", i);
    CHECK_INT(replace(bad[i]), codes[i], "an atomic file at bad path %d", i);
    CHECK_INT(write_by(bad[i], MODFS_OPEN_ATOMIC | MODFS_OPEN_NEW, "x"), codes[i],
              "a new one at bad path %d", i);
  }
  for (int i = 0; i < 5; i++) {
    os_fresh();
    os_write(at("file"), "data", 0644);
    mkdir(at("dir"), 0755);
    if (symlink("loop", at("loop")) != 0) perror("symlink");
    const char *path = at("%s", where[i]);
    bool link = i == 4; /* rename moves the link itself */
    CHECK_INT(copy_from(path), from[i], "copy from %s", where[i]);
    CHECK_INT(copy_to(path), to[i], "copy to %s", where[i]);
    CHECK_INT(replace(path), to[i], "an atomic file at %s", where[i]);
    CHECK_INT(replace_durable(path), to[i], "a durable one at %s", where[i]);
    CHECK_INT(write_by(path, MODFS_OPEN_DURABLE, "x"), to[i], "a synced one at %s", where[i]);
    CHECK_INT(write_by(path, MODFS_OPEN_NEW, "x"), i == 1 || i == 3 ? to[i] : AE,
              "a file of nobody's name at %s", where[i]);
    CHECK_INT(write_by(path, MODFS_OPEN_ATOMIC | MODFS_OPEN_NEW, "x"),
              i == 1 || i == 3 ? to[i] : AE, "a new one at %s", where[i]);
    CHECK_INT(try_read(path), i == 0 ? OK : from[i], "read %s", where[i]);
    CHECK_INT(CALL(rename_file, path, at("target")), link || i == 0 ? OK : from[i],
              "rename from %s", where[i]);
    CHECK_INT(CALL(rename_file, at("source"), path), link ? OK : to[i], "rename to %s", where[i]);
  }
}

/* Renaming and copying ------------------------------------------------------ */

static void test_rename(void) {
  os_fresh();
  os_write(at("b"), "new", 0644);
  if (link(at("b"), at("c")) != 0 || symlink("b", at("link")) != 0) perror("link");
  CHECK_INT(CALL(rename_file, at("b"), at("c")), TF_OK, "rename onto another name of it");
  CHECK_INT(os_stat(at("b")).st_nlink, 2, "changes nothing");
  CHECK_INT(CALL(rename_file, at("link"), at("b")), TF_OK, "rename a link onto what it leads to");
  CHECK_STR(os_read(at("b")), "new", "loses nothing");
  CHECK_INT(CALL(rename_file, at("link"), at("moved")), TF_OK, "rename a link");
  CHECK(S_ISLNK(os_stat(at("moved")).st_mode), "moves the link itself");
  mkdir(at("dir"), 0755);
  if (symlink("dir", at("to_dir")) != 0) perror("symlink");
  CHECK_INT(CALL(rename_file, at("b"), at("to_dir")), FP, "a link to a directory is one");
}

/* renameat says once that the names are on different mounts. */
static void test_rename_across(void) {
  os_fresh();
  os_write(at("a"), "content", 0751);
  set_time(at("a"), 1000, 7);
  os_write(at("b"), "old", 0600);
  arm("renameat", EXDEV, 0, 1);
  CHECK_INT(CALL(rename_file, at("a"), at("b")), TF_OK, "rename across mounts");
  CHECK_INT(disarm(), 1, "there were two mounts");
  CHECK_STR(os_read(at("b")), "content", "brings the content");
  CHECK_INT(os_stat(at("b")).st_mode & 07777, 0751, "the permissions");
  CHECK_INT(os_stat(at("b")).st_mtim.tv_nsec, 7, "and the time");
  CHECK_INT(os_count(root), 1, "and leaves nothing behind");
  if (symlink("b", at("link")) != 0) perror("symlink");
  arm("renameat", EXDEV, 0, 1);
  CHECK_INT(CALL(rename_file, at("link"), at("moved")), TF_OK, "rename a link across mounts");
  disarm();
  CHECK(S_ISLNK(os_stat(at("moved")).st_mode) && os_count(root) == 2, "moves the link itself");
  arm("renameat", EXDEV, 0, 2);
  CHECK(CALL(rename_file, at("b"), at("c")) != TF_OK, "a rename across mounts that fails");
  disarm();
  CHECK(os_count(root) == 2 && os_stat(at("c")).st_mode == 0, "changes nothing");
  mkfifo(at("fifo"), 0644);
  arm("renameat", EXDEV, 0, 1);
  CHECK_INT(CALL(rename_file, at("fifo"), at("c")), FP, "a FIFO stays on its mount");
  disarm();
}

static void test_real_mounts(void) {
  char there[64];
  bool in_memory = strncmp(root, "/dev/shm", 8) == 0;
  snprintf(there, sizeof there, "%s/modfs-posix-XXXXXX", in_memory ? "/tmp" : "/dev/shm");
  os_fresh();
  os_write(at("a"), "content", 0644);
  int fd = mkstemp(there);
  if (fd < 0 || os_stat(there).st_dev == os_stat(root).st_dev) {
    check_note("skipped: /tmp and /dev/shm are one mount");
  } else {
    CHECK_INT(CALL(copy_file, at("a"), there), TF_OK, "copy to another mount");
    CHECK_STR(os_read(there), "content", "arrives");
    CHECK_INT(CALL(rename_file, there, at("b")), TF_OK, "rename from another mount");
    CHECK_STR(os_read(at("b")), "content", "arrives, too");
    CHECK(os_stat(there).st_mode == 0, "and is gone there");
  }
  if (fd >= 0) close(fd);
  unlink(there);
}

static bool same_content(const char *a, const char *b, size_t size) {
  bool same = false;
  char *first = malloc(size + 1);
  char *second = malloc(size + 1);
  int fd_a = open(a, O_RDONLY | O_CLOEXEC);
  int fd_b = open(b, O_RDONLY | O_CLOEXEC);
  if (read(fd_a, first, size + 1) == (ssize_t)size && read(fd_b, second, size + 1) == (ssize_t)size)
    same = memcmp(first, second, size) == 0;
  close(fd_a);
  close(fd_b);
  free(first);
  free(second);
  return same;
}

static void test_copy(void) {
  enum { SIZE = 3 * 1024 * 1024 + 5 };
  os_fresh();
  char *bytes = malloc(SIZE);
  for (size_t i = 0; i < SIZE; i++)
    bytes[i] = (char)(1 + (i * 31 + i / 4096) % 255);
  bytes[SIZE - 1] = '\0';
  os_write(at("a"), bytes, 0754);
  free(bytes);
  /* copy_file_range; parts of it; sendfile; read and write; the same at once; interrupted */
  static const struct {
    int error, times;
  } ways[] = {{0, 0}, {0, 3}, {EXDEV, 1}, {EINVAL, 2}, {NOTHING, 1}, {EINTR, 4}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    arm("copy", ways[i].error, 0, ways[i].times);
    CHECK_INT(CALL(copy_file, at("a"), at("b%zu", i)), TF_OK, "copy in way %zu", i);
    CHECK_INT(disarm(), ways[i].times, "it was way %zu", i);
    CHECK(same_content(at("a"), at("b%zu", i), SIZE - 1), "the same content in way %zu", i);
    CHECK_INT(os_stat(at("b%zu", i)).st_mode & 0777, 0754, "and permissions in way %zu", i);
  }
  arm("copy", ENOSPC, 0, 1);
  CHECK_INT(CALL(copy_file, at("a"), at("new")), TF_RESOURCE_EXHAUSTED, "a copy that fails");
  disarm();
  arm("copy", ENOSPC, 0, 1);
  CHECK_INT(CALL(copy_file, at("a"), at("b0")), TF_RESOURCE_EXHAUSTED, "over a file, too");
  disarm();
  CHECK(same_content(at("a"), at("b0"), SIZE - 1), "leaves its target alone");
  CHECK_INT(os_count(root), 7, "and nothing beside it");
}

static void test_copy_onto(void) {
  os_fresh();
  os_write(at("a"), "content", 0644);
  os_write(at("b"), "old", 0600);
  if (chown(at("b"), 12345, 12345) != 0) check_note("not root: the owner is not changed");
  struct stat before = os_stat(at("b"));
  CHECK_INT(CALL(copy_file, at("a"), at("b")), TF_OK, "copy over a file");
  struct stat after = os_stat(at("b"));
  CHECK_STR(os_read(at("b")), "content", "replaces its content");
  CHECK(after.st_mode == before.st_mode && after.st_uid == before.st_uid, "not its permissions");
  if (symlink("b", at("link")) != 0 || link(at("a"), at("hard")) != 0) perror("link");
  os_write(at("a"), "more", 0644);
  CHECK_INT(CALL(copy_file, at("a"), at("link")), TF_OK, "copy through a link");
  CHECK(S_ISLNK(os_stat(at("link")).st_mode), "the link stays");
  CHECK_STR(os_read(at("b")), "more", "what it leads to changes");
  static const char *const same[] = {"a", "hard", "to_a"};
  if (symlink("a", at("to_a")) != 0) perror("symlink");
  for (int i = 0; i < 3; i++) {
    CHECK_INT(CALL(copy_file, at("a"), at("%s", same[i])), TF_OK, "copy onto itself as %s",
              same[i]);
    CHECK_STR(os_read(at("a")), "more", "loses nothing as %s", same[i]);
  }
  CHECK_INT(os_stat(at("a")).st_nlink, 2, "and both names stay");
  if (symlink("nowhere", at("broken")) != 0) perror("symlink");
  CHECK_INT(CALL(copy_file, at("a"), at("broken")), FP, "copy onto a broken link");
  char *coming = strdup(at("coming"));
  arm("openat", EEXIST, 0, 3);
  fault.name = coming;
  CHECK_INT(CALL(copy_file, at("a"), coming), TF_OK, "copy onto what others make and delete");
  CHECK_INT(disarm(), 3, "three times");
  CHECK_STR(os_read(coming), "more", "comes there all the same");
  free(coming);
  os_write(at("empty"), "", 0644);
  CHECK_INT(CALL(copy_file, at("empty"), at("b")), TF_OK, "copy an empty file");
  CHECK_INT(os_stat(at("b")).st_size, 0, "is empty");
}

static void test_replace(void) {
  os_fresh();
  os_write(at("f"), "old", 0755);
  CHECK_INT(replace(at("f")), TF_OK, "replace a file");
  CHECK_STR(os_read(at("f")), "data", "has the new content");
  CHECK_INT(os_stat(at("f")).st_mode & 0777, 0755, "and the old permissions");
  mkdir(at("dir"), 0755);
  if (symlink("../f", at("dir/link")) != 0) perror("symlink");
  CHECK_INT(write_by(at("dir/link"), MODFS_OPEN_ATOMIC, "newer"), TF_OK, "replace through a link");
  CHECK_STR(os_read(at("f")), "newer", "reaches the file");
  CHECK(S_ISLNK(os_stat(at("dir/link")).st_mode), "the link stays");
  CHECK_INT(os_count(at("dir")), 1, "and nothing beside it");
  for (int i = 1; i <= 2; i++) {
    TF_WritableFile file = {0};
    os_write(at("f"), "old", 0644);
    EXTEND(open_writer, NULL, at("f"), MODFS_OPEN_ATOMIC | MODFS_OPEN_DURABLE, &file);
    arm("fsync", EIO, i - 1, 1);
    writable_ops.close(&file, status);
    CHECK(TF_GetCode(status) != TF_OK, "failed sync %d is told", i);
    disarm();
    writable_ops.cleanup(&file);
    CHECK_STR(os_read(at("f")), i == 1 ? "old" : "", "before the rename the old content stays");
    CHECK_INT(os_count(root), 2, "and nothing is left beside it");
  }
}

/* What changes between opening and closing an atomic file, and what is at its name then. */
static void test_replace_meanwhile(void) {
  static const uint32_t ways[] = {MODFS_OPEN_ATOMIC, MODFS_OPEN_ATOMIC | MODFS_OPEN_NEW};
  for (int i = 0; i < 2; i++) {
    TF_WritableFile file = {0};
    os_fresh();
    mkdir(at("dir"), 0755);
    CHECK_INT(EXTEND(open_writer, NULL, at("dir/f"), ways[i], &file), TF_OK, "way %d opens", i);
    if (rename(at("dir"), at("moved")) != 0 || mkdir(at("dir"), 0755) != 0) perror("rename");
    writable_ops.close(&file, status);
    CHECK_INT(TF_GetCode(status), TF_OK, "way %d closes", i);
    writable_ops.cleanup(&file);
    CHECK(os_count(at("dir")) == 0 && os_count(at("moved")) == 1,
          "the file stays in its directory");
    CHECK_INT(EXTEND(open_writer, NULL, at("g"), ways[i], &file), TF_OK, "way %d opens", i);
    if (symlink("moved/f", at("g")) != 0) perror("symlink");
    writable_ops.close(&file, status);
    CHECK_INT(TF_GetCode(status), i == 0 ? FP : AE, "a link that came is not replaced");
    writable_ops.cleanup(&file);
    CHECK_STR(os_read(at("g")), "", "nor followed");
    CHECK_INT(os_count(root), 3, "and nothing is left beside it");
  }
}

/* Writing to entries of an open directory. */
static void test_write_entries(void) {
  static const struct {
    uint32_t flags;
    int file, absent, link, directory;
  } rows[] = {
      {0, OK, OK, FP, FP},
      {MODFS_OPEN_DURABLE, OK, OK, FP, FP},
      {MODFS_OPEN_ATOMIC, OK, OK, FP, FP},
      {MODFS_OPEN_ATOMIC | MODFS_OPEN_DURABLE, OK, OK, FP, FP},
      {MODFS_OPEN_NEW, AE, OK, AE, AE},
      {MODFS_OPEN_NEW | MODFS_OPEN_ATOMIC, AE, OK, AE, AE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    modfs_directory directory = {0};
    os_fresh();
    mkdir(at("d"), 0755);
    mkdir(at("d/sub"), 0755);
    os_write(at("victim"), "safe", 0644);
    os_write(at("d/file"), "old", 0640);
    if (symlink("../victim", at("d/link")) != 0) perror("symlink");
    if (!CHECK_INT(EXTEND(open_directory, at("d"), &directory), OK, "a directory opens")) return;
    if (rename(at("d"), at("e")) != 0 || symlink(root, at("d")) != 0) perror("rename");
    CHECK_INT(write_entry(&directory, "file", rows[i].flags), rows[i].file, "row %zu: a file", i);
    CHECK_INT(write_entry(&directory, "absent", rows[i].flags), OK, "row %zu: nothing", i);
    CHECK_INT(write_entry(&directory, "link", rows[i].flags), rows[i].link, "row %zu: a link", i);
    CHECK_INT(write_entry(&directory, "sub", rows[i].flags), rows[i].directory,
              "row %zu: a directory", i);
    ext->create_subdirectory(&directory, "link", fresh());
    CHECK_INT(TF_GetCode(status), AE, "row %zu: no directory is made in the place of a link", i);
    ext->delete_entry(&directory, "link", true, fresh());
    CHECK_INT(TF_GetCode(status), FP, "row %zu: nor is a link deleted as one", i);
    ext->close_directory(&directory);
    CHECK_STR(os_read(at("victim")), "safe", "row %zu: what a link leads to stays", i);
    CHECK_STR(os_read(at("e/file")), rows[i].file == TF_OK ? "new" : "old", "row %zu: the file", i);
    CHECK_INT(os_stat(at("e/file")).st_mode & 0777, 0640, "row %zu: its permissions", i);
    CHECK_STR(os_read(at("e/absent")), "new", "row %zu: the new file", i);
    CHECK_INT(os_count(at("e")), 4, "row %zu: nothing else is left", i);
  }
}

/* Deleting trees ------------------------------------------------------------ */

static uint64_t files, dirs;

static TF_Code delete_all(const char *path) {
  return delete_tree(path, &files, &dirs);
}

static void make_tree(void) {
  os_fresh();
  try_make_all(at("tree/a/b/c"));
  mkdir(at("outside"), 0755);
  os_write(at("outside/canary"), "alive", 0644);
  os_write(at("tree/f"), "", 0444);
  os_write(at("tree/a/b/stuck"), "", 0644);
  if (symlink("../outside", at("tree/link")) != 0 || symlink(".", at("tree/a/self")) != 0)
    perror("symlink");
}

static void test_delete_tree(void) {
  for (int hidden = 0; hidden < 2; hidden++) {
    make_tree();
    atomic_store(&hide_types, hidden == 1);
    CHECK_INT(delete_all(at("tree")), TF_OK, "delete a tree (%d)", hidden);
    atomic_store(&hide_types, false);
    CHECK(files == 0 && dirs == 0 && os_count(root) == 1, "all of it (%d)", hidden);
    CHECK_STR(os_read(at("outside/canary")), "alive", "and nothing else (%d)", hidden);
  }
  if (symlink("outside", at("link")) != 0) perror("symlink");
  CHECK_INT(delete_all(at("link")), TF_OK, "delete a link to a directory");
  CHECK_STR(os_read(at("outside/canary")), "alive", "deletes the link");
  for (int i = 0; i < 1500; i++)
    mkdir(at("outside/%d", i), 0755);
  CHECK_INT(delete_all(at("outside")), TF_OK, "delete a wide tree");
  CHECK_INT(os_count(root), 0, "all of it");
}

static void test_delete_refused(void) {
  make_tree();
  arm("unlinkat", EPERM, 0, 1);
  fault.name = "stuck";
  CHECK_INT(delete_all(at("tree")), TF_PERMISSION_DENIED, "a file that stays");
  disarm();
  CHECK(files == 1 && dirs == 3, "counts with the three directories above it");
  CHECK(os_stat(at("tree/a/b/stuck")).st_mode != 0 && os_stat(at("tree/f")).st_mode == 0,
        "and all else is gone");
  make_tree();
  arm("openat", EACCES, 0, 1);
  fault.name = "b";
  CHECK_INT(delete_all(at("tree")), TF_PERMISSION_DENIED, "a directory that cannot be read");
  disarm();
  CHECK(files == 0 && dirs == 3, "counts with the two above it");
  make_tree();
  arm("getdents", EIO, 1, 1);
  CHECK(delete_all(at("tree")) == TF_OK ? dirs == 0 : files + dirs > 0,
        "a listing that breaks off");
  disarm();
  make_tree();
  char home[PATH_MAX];
  if (getcwd(home, sizeof home) == NULL || chdir(at("tree")) != 0) perror("chdir");
  CHECK(delete_all(".") != TF_OK && files == 0 && dirs == 1, "\".\" cannot be deleted");
  CHECK(delete_all("..") != TF_OK && files == 0 && dirs == 1, "nor can \"..\"");
  CHECK_INT(os_count(at("tree")), 3, "and nothing below them is");
  if (chdir(home) != 0) perror("chdir");
}

/* A path of n levels, each one letter, below name. */
static char *deep_path(const char *name, int n) {
  char *path = malloc(PATH);
  int length = snprintf(path, PATH, "%s", at("%s", name));
  for (int i = 0; i < n; i++) {
    path[length++] = '/';
    path[length++] = 'd';
  }
  path[length] = '\0';
  return path;
}

static void test_deep(void) {
  os_fresh();
  char *path = deep_path("deep", DEEP);
  CHECK_INT(try_make_all(path), OK, "make a tree %d deep", DEEP);
  CHECK(is_directory(path), "it is there");
  strcat(path, "/file");
  CHECK_INT(put(path, "deep"), TF_OK, "write in it");
  CHECK_INT(fs.get_file_size(&here, path, status), 4, "it has four bytes");
  char *other = deep_path("deep", DEEP);
  strcat(other, "/other");
  CHECK_INT(CALL(copy_file, path, other), TF_OK, "copy in it");
  CHECK_INT(CALL(rename_file, other, at("up")), TF_OK, "rename out of it");
  CHECK_STR(os_read(at("up")), "deep", "the content comes up");
  char **names = NULL;
  path[strlen(path) - 5] = '\0';
  CHECK_INT(fs.get_children(&here, path, &names, status), 1, "list it");
  CHECK_STR(names[0], "file", "the name");
  info.plugin_memory_free(names[0]);
  info.plugin_memory_free(names);
  int before = open_descriptors();
  CHECK_INT(delete_all(at("deep")), TF_OK, "delete it");
  CHECK(files == 0 && dirs == 0 && os_count(root) == 1, "all of it");
  CHECK_INT(open_descriptors(), before, "no descriptor is left");
  free(path);
  free(other);
}

static void test_few_descriptors(void) {
  struct rlimit old;
  os_fresh();
  char *path = deep_path("deep", 100);
  CHECK_INT(try_make_all(path), OK, "make a tree 100 deep");
  free(path);
  getrlimit(RLIMIT_NOFILE, &old);
  int next = dup(0);
  close(next);
  struct rlimit few = {.rlim_cur = (rlim_t)next + 2, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  TF_Code code = delete_all(at("deep"));
  TF_WritableFile file[3] = {{0}};
  TF_Code opened[3];
  for (int i = 0; i < 3; i++)
    opened[i] = CALL(new_writable_file, at("f%d", i), &file[i]);
  setrlimit(RLIMIT_NOFILE, &old);
  CHECK_INT(code, TF_OK, "two descriptors are enough to delete it");
  CHECK(files == 0 && dirs == 0, "all of it");
  CHECK(opened[0] == TF_OK && opened[1] == TF_OK, "two files open");
  CHECK_INT(opened[2], TF_RESOURCE_EXHAUSTED, "the third is one too many");
  finish(&file[0]);
  finish(&file[1]);
}

/* Twelve levels down, the directory worked on is taken elsewhere: ".." leads to a stranger. */
static void move_away(void) {
  if (rename(at("deep/d/d/d"), at("stranger/d")) != 0) perror("rename");
}

static void test_moved(void) {
  os_fresh();
  char *path = deep_path("deep", 14);
  try_make_all(path);
  free(path);
  mkdir(at("stranger"), 0755);
  os_write(at("stranger/canary"), "alive", 0644);
  before_parent = move_away;
  TF_Code code = delete_all(at("deep"));
  CHECK(before_parent == NULL, "the way back led through \"..\"");
  before_parent = NULL;
  CHECK_INT(code, TF_ABORTED, "a tree that is moved meanwhile");
  CHECK(files == 0 && dirs > 0, "is not deleted further");
  CHECK_STR(os_read(at("stranger/canary")), "alive", "nor is what stands where it went");
}

/* Options ------------------------------------------------------------------- */

static void check_bad_options(void) {
  TF_Filesystem_Option_Value_Union numbers[2] = {{.int_val = 0700}, {.int_val = 1}};
  TF_Filesystem_Option_Value good = {TF_Filesystem_Option_Type_Int, 1, numbers};
  TF_Filesystem_Option_Value two = {TF_Filesystem_Option_Type_Int, 2, numbers};
  TF_Filesystem_Option_Value none = {TF_Filesystem_Option_Type_Int, 1, NULL};
  TF_Filesystem_Option_Value real = {TF_Filesystem_Option_Type_Real, 1, numbers};
  TF_Filesystem_Option bad[] = {
      {.name = "file_mode", .value = &two},  {.name = "file_mode", .value = &none},
      {.name = "file_mode", .value = &real}, {.name = "file_mode", .value = NULL},
      {.name = NULL, .value = &good},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    TF_Filesystem_Option pair[2] = {{.name = "directory_mode", .value = &good}, bad[i]};
    CHECK_INT(CALL(set_filesystem_configuration, pair, 2), TF_INVALID_ARGUMENT, "bad value %zu", i);
  }
  TF_Filesystem_Option unknown[2] = {{.name = "directory_mode", .value = &good},
                                     {.name = "colour", .value = &good}};
  CHECK_INT(CALL(set_filesystem_configuration, unknown, 2), NF, "an unknown option");
  CHECK_INT(get_option("directory_mode"), 0777, "none was set");
  CHECK_INT(CALL(set_filesystem_configuration, unknown, -1), TF_INVALID_ARGUMENT, "-1 options");
  CHECK_INT(CALL(set_filesystem_configuration, NULL, 1), TF_INVALID_ARGUMENT, "NULL options");
  CHECK_INT(CALL(set_filesystem_configuration, NULL, 0), TF_OK, "no options");
}

static void test_options(void) {
  int count = 0;
  os_fresh();
  list_options(&count);
  CHECK_INT(count, 3, "there are three options");
  check_bad_options();
  CHECK_INT(get_option("colour"), -1, "ask for an unknown option");
  CHECK_INT(set_option("file_mode", TF_Filesystem_Option_Type_Int, 01000), TF_INVALID_ARGUMENT,
            "a mode too large");
  CHECK_INT(set_option("file_mode", TF_Filesystem_Option_Type_Int, -1), TF_INVALID_ARGUMENT,
            "a mode below 0");
  CHECK_INT(set_option("sync_on_close", TF_Filesystem_Option_Type_Int, 2), TF_INVALID_ARGUMENT,
            "neither 0 nor 1");
  CHECK_INT(set_option("file_mode", TF_Filesystem_Option_Type_Int, 0604), TF_OK, "set file_mode");
  CHECK_INT(set_option("directory_mode", TF_Filesystem_Option_Type_Int, 0705), TF_OK,
            "set directory_mode");
  CHECK_INT(get_option("file_mode"), 0604, "and get it");
  mode_t mask = umask(0004);
  put(at("f"), "");
  make(at("d"));
  umask(mask);
  CHECK_INT(os_stat(at("f")).st_mode & 0777, 0600, "a file has the mode less the umask");
  CHECK_INT(os_stat(at("d")).st_mode & 0777, 0701, "a directory, too");
  CHECK_INT(set_option("sync_on_close", TF_Filesystem_Option_Type_Int, 1), TF_OK,
            "set sync_on_close");
  arm("fsync", EIO, 0, 1);
  CHECK(put(at("f"), "x") != TF_OK, "close syncs");
  CHECK_INT(disarm(), 1, "once");
  CHECK_INT(put("/dev/null", "data"), OK, "a device needs no sync");
  set_option("sync_on_close", TF_Filesystem_Option_Type_Int, 0);
  set_option("file_mode", TF_Filesystem_Option_Type_Int, 0666);
  set_option("directory_mode", TF_Filesystem_Option_Type_Int, 0777);
}

/* Memory, threads ----------------------------------------------------------- */

/* One of everything that takes memory. */
static TF_Code exercise(void) {
  TF_Code result = put(at("m"), "x");
  if (result == TF_OK) result = try_region(at("m"));
  if (result == TF_OK) result = replace_durable(at("m"));
  if (result == TF_OK) result = try_list(root);
  if (result == TF_OK) result = try_iterate(root);
  if (result == TF_OK) result = get_option("file_mode") == 0666 ? TF_OK : TF_RESOURCE_EXHAUSTED;
  if (result == TF_OK) result = try_make_all(at("t/a"));
  return result == TF_OK ? delete_all(at("t")) : result;
}

static bool memory_can_fail(void) {
  arm("memory", ENOMEM, 0, 1);
  void *(*volatile take)(size_t) = malloc;
  free(take(1));
  return disarm() == 1;
}

static void test_memory(void) {
  if (!memory_can_fail()) {
    check_note("skipped: this tool has a malloc of its own, which does not fail");
    return;
  }
  os_fresh();
  for (int i = 0; i < 40; i++)
    os_write(at("%d", i), "", 0644);
  int before = open_descriptors();
  TF_Code code = TF_INTERNAL;
  int k = 0;
  int odd = 0;
  for (; k < 1000 && code != TF_OK; k++) {
    arm("memory", ENOMEM, k, 1);
    code = exercise();
    if (disarm() == 0) break;
    odd += code != TF_OK && code != TF_RESOURCE_EXHAUSTED;
    if (code == TF_OK) code = TF_INTERNAL; /* it was a status that went short */
  }
  CHECK(code == TF_OK && k > 10, "every allocation failed once (%d)", k);
  CHECK_INT(odd, 0, "each time RESOURCE_EXHAUSTED");
  CHECK_INT(open_descriptors(), before, "no descriptor is lost");
  CHECK_INT(os_count(root), 41, "and no file left beside another");
}

enum { THREADS = 4, ROUNDS = 50 };
static atomic_int thread_failures;

static void expect(bool good) {
  if (!good) atomic_fetch_add(&thread_failures, 1);
}

/* Makes files and directories whose modes other threads set meanwhile. */
static void *work(void *argument) {
  char path[128];
  for (int i = 0; i < ROUNDS; i++) {
    expect(set_option("file_mode", TF_Filesystem_Option_Type_Int, 0600 + i % 8) == TF_OK);
    snprintf(path, sizeof path, "%s/common/%d/a/b/c", root, i % 3);
    expect(try_make_all(path) == TF_OK);
    snprintf(path, sizeof path, "%s/file%d", root, *(int *)argument);
    expect(put(path, "data") == TF_OK);
    expect(try_list(root) == TF_OK);
  }
  host_leave();
  return NULL;
}

static void test_threads(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  os_fresh();
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  CHECK_INT(atomic_load(&thread_failures), 0, "%d threads set options and write", THREADS);
}

static void run_all(void) {
  test_read_faults();
  test_special_files();
  test_write();
  test_write_faults();
  test_limit();
  test_two_appenders();
  test_make();
  test_iterate();
  test_stat();
  test_obstacles();
  test_rename();
  test_rename_across();
  test_real_mounts();
  test_copy();
  test_copy_onto();
  test_replace();
  test_replace_meanwhile();
  test_write_entries();
  test_delete_tree();
  test_delete_refused();
  test_deep();
  test_few_descriptors();
  test_moved();
  test_options();
  test_memory();
  test_threads();
}

/* In memory where there is such a place: the deep trees are hard work for a disk. */
static bool make_root(void) {
  const char *const places[] = {getenv("TMPDIR"), "/dev/shm", "/tmp"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (places[i] == NULL || strlen(places[i]) > 40) continue;
    snprintf(root, sizeof root, "%.40s/modfs-posix-XXXXXX", places[i]);
    if (mkdtemp(root) != NULL) return true;
  }
  perror("mkdtemp");
  return false;
}

int main(int argc, char **argv) {
  if (!make_root() || !host_open(argc, argv, 2, "")) return 2;
  int before = open_descriptors();
  CHECK(!fs.translate_name, "plain paths are left to the host's default");
  run_all();
  CHECK_INT(open_descriptors(), before, "no descriptor is left");
  host_stop();
  host_start(1, "file");
  test_translate();
  CHECK_INT(atomic_load(&without_cloexec), 0, "every descriptor is closed by exec");
  os_fresh();
  if (rmdir(root) != 0) perror(root);
  return host_close();
}
