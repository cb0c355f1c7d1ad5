/* The core as a C host has it: no Lua, the plugins beside the program. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"
#include "core/fs/fs_defaults.h"
#include "core/base/probe.h"

static TF_Status *status;
static const modfs_fs *mem;
static const modfs_fs *posix;

static bool ok(void) {
  if (TF_GetCode(status) != TF_OK)
    check_note("%s: %s", modfs_code_name(TF_GetCode(status)), TF_Message(status));
  return TF_GetCode(status) == TF_OK;
}

static bool failed_with(TF_Code code, const char *fragment) {
  bool right = TF_GetCode(status) == code && strstr(TF_Message(status), fragment);
  if (!right) check_note("%s: %s", modfs_code_name(TF_GetCode(status)), TF_Message(status));
  return right;
}

static void test_probe(void) {
  char here[4] = "abc", copy[4];
  CHECK(probe_copy(copy, here, 4) && strcmp(copy, "abc") == 0, "readable memory is copied");
  CHECK(!probe_copy(copy, (void *)16, 4) && !probe_copy(copy, NULL, 1), "other memory is refused");
  CHECK(!probe_string(copy, 3, here) && probe_string(copy, 4, here), "a string is bounded");
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && munmap(pages, page) == 0 && munmap(pages + 2 * page, page) == 0,
        "a page between two that are not there");
  char *middle = pages + page, *last = middle + page - 4, room[64];
  memcpy(last, "abc", 4);
  CHECK(probe_string(room, sizeof room, last) && strcmp(room, "abc") == 0,
        "a string may end where its page does");
  last[3] = 'd';
  CHECK(!probe_string(room, sizeof room, last), "none may go on behind it");
  CHECK(probe_ends(middle, 1) && probe_ends(middle, page), "both ends can be read");
  CHECK(!probe_ends(middle, page + 1), "the last byte cannot");
  CHECK(!probe_ends(middle - 1, 2) && !probe_ends(middle - 1, 1), "the first byte cannot");
  munmap(pages + page, page);
}

static void write_text(const modfs_fs *fs, const char *path, const char *text) {
  modfs_writable *writable = modfs_writable_open(fs, path, MODFS_WRITE_REPLACE, status);
  if (!CHECK(writable && ok(), "%s opens for writing", path)) return;
  modfs_writable_append(writable, text, strlen(text), status);
  modfs_writable_close(writable, status);
  CHECK(ok(), "%s closes", path);
}

static bool reads(const modfs_fs *fs, const char *path, const char *want) {
  char text[64] = "";
  modfs_file *file = modfs_file_open(fs, path, status);
  int64_t got = file ? modfs_file_read(file, 0, sizeof text - 1, text, status) : -1;
  modfs_file_close(file);
  return got >= 0 && ok() && strcmp(text, want) == 0;
}

static void test_transfer(const char *folder) {
  char path[300];
  snprintf(path, sizeof path, "%s/copy", folder);
  write_text(mem, "mem://a", "hello");
  CHECK(reads(mem, "mem:///a", "hello"), "one file, two spellings");
  modfs_copy(mem, "mem://a", posix, path, status);
  CHECK(ok() && reads(posix, path, "hello"), "a copy between two filesystems");
  modfs_rename(posix, path, mem, "mem://b", status);
  CHECK(ok() && reads(mem, "mem://b", "hello"), "a move between two filesystems");
  modfs_fs_path_exists(posix, path, status);
  CHECK(failed_with(TF_NOT_FOUND, path), "the source of a move is gone");
  modfs_copy(mem, "mem://none", posix, path, status);
  CHECK(failed_with(TF_NOT_FOUND, "mem://none"), "a missing source");
  modfs_copy(mem, "mem://a", posix, folder, status);
  CHECK(failed_with(TF_FAILED_PRECONDITION, "directory"), "a directory as target");
}

/* Asks with the status of the copy; context: whether the copy goes on. */
static bool heard(void *context, uint64_t done, uint64_t total) {
  CHECK(done == 5 && total == 5, "told of %d of %d bytes", (int)done, (int)total);
  modfs_fs_path_exists(mem, "mem://none", status);
  return *(bool *)context;
}

static void test_telling(const char *folder) {
  char path[300];
  bool goes_on = false;
  modfs_copy_progress progress = {heard, &goes_on};
  snprintf(path, sizeof path, "%s/told", folder);
  write_text(mem, "mem://a", "hello");
  modfs_copy_with(mem, "mem://a", posix, path, &progress, status);
  CHECK(failed_with(TF_CANCELLED, path), "a copy is cancelled");
  modfs_fs_path_exists(posix, path, status);
  CHECK(failed_with(TF_NOT_FOUND, path), "nothing is left of it");
  modfs_copy_with(mem, "mem://a", mem, "mem://told", &progress, status);
  CHECK(ok() && reads(mem, "mem://told", "hello"), "what is done is not cancelled");
  goes_on = true;
  modfs_copy_with(mem, "mem://a", posix, path, &progress, status);
  CHECK(ok() && reads(posix, path, "hello"), "a copy is told of");
}

/* A child that is forked meanwhile cancels; context: the target. */
static bool heard_twice(void *context, uint64_t done, uint64_t total) {
  pid_t child = fork();
  int ended = 0;
  if (child == 0) return false;
  waitpid(child, &ended, 0);
  CHECK(WIFSIGNALED(ended) && done == total, "a child comes back from the copy");
  CHECK(access(context, F_OK) == 0, "and leaves its parent's target alone");
  return true;
}

/* Where a file cannot be replaced in one step, the target itself is written to. */
static void test_fork(const char *folder) {
  char path[300];
  modfs_copy_progress progress = {heard_twice, path};
  modfs_extension_ops *extension = &((modfs_fs *)(size_t)posix)->extension, kept = *extension;
  pid_t parent = getpid();
  snprintf(path, sizeof path, "%s/forked", folder);
  extension->open_writer = default_open_writer;
  modfs_copy_with(mem, "mem://a", posix, path, &progress, status);
  if (getpid() != parent) raise(SIGKILL); /* a leak checker would look at an exit */
  *extension = kept;
  CHECK(ok() && reads(posix, path, "hello"), "which is complete in the end");
}

/* A filesystem that publishes a file when it is closed. */
static modfs_fs kept;
static char target[300], upload[320];

static void late_open(const TF_Filesystem *fs, const modfs_directory *directory, const char *path,
                      uint32_t flags, TF_WritableFile *file, TF_Status *opening) {
  (void)path;
  CHECK(!directory && (flags & MODFS_OPEN_ATOMIC), "every file is opened as an atomic one");
  kept.tables.fs.new_writable_file(fs, upload, file, opening);
}

static void late_close(const TF_WritableFile *file, TF_Status *closing) {
  kept.tables.writable.close(file, closing);
  CHECK(rename(upload, target) == 0, "a file is published");
}

static int64_t read_badly(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                          TF_Status *reading) {
  (void)file, (void)offset, (void)n, (void)buffer;
  TF_SetStatus(reading, TF_DATA_LOSS, "as the test wants it");
  return -1;
}

/* How a file is opened and ended, and what there is afterwards. */
static void test_late_ends(const char *path) {
  static const struct {
    modfs_write_mode mode;
    void (*end)(modfs_writable *writable, TF_Status *status);
    const char *left;
  } ends[] = {{MODFS_WRITE_REPLACE, modfs_writable_abort, "old"},
              {MODFS_WRITE_REPLACE, modfs_writable_discard, "new"},
              {MODFS_WRITE_ATOMIC, modfs_writable_abort, "old"},
              {MODFS_WRITE_ATOMIC, modfs_writable_discard, "old"},
              {MODFS_WRITE_ATOMIC_FAST, modfs_writable_close, "new"}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    write_text(posix, path, "old");
    modfs_writable *writable = modfs_writable_open(posix, path, ends[i].mode, status);
    modfs_writable_append(writable, "new", 3, status);
    ends[i].end(writable, status);
    CHECK(ok() && reads(posix, path, ends[i].left), "end %zu leaves what is %s", i, ends[i].left);
  }
}

static void test_late(const char *folder) {
  modfs_fs *late = (modfs_fs *)(size_t)posix, *source = (modfs_fs *)(size_t)mem;
  bool goes_on = false;
  modfs_copy_progress progress = {heard, &goes_on};
  int64_t (*read)(const TF_RandomAccessFile *, uint64_t, size_t, char *, TF_Status *) =
      source->tables.file.read;
  snprintf(target, sizeof target, "%s/late", folder);
  snprintf(upload, sizeof upload, "%s.upload", target);
  write_text(posix, target, "old");
  memcpy(&kept, late, sizeof kept);
  late->extension.open_writer = late_open;
  late->anew = MODFS_OPEN_ATOMIC;
  late->tables.writable.close = late_close;
  modfs_copy_with(mem, "mem://a", posix, target, &progress, status);
  CHECK(failed_with(TF_CANCELLED, target) && reads(posix, target, "old"), "nothing is published");
  source->tables.file.read = read_badly;
  modfs_copy(mem, "mem://a", posix, target, status);
  CHECK(failed_with(TF_DATA_LOSS, target) && reads(posix, target, "old"), "nor after a failure");
  source->tables.file.read = read;
  modfs_copy(mem, "mem://a", posix, target, status);
  CHECK(ok() && reads(posix, target, "hello"), "but all at the end");
  test_late_ends(target);
  late->extension = kept.extension;
  late->anew = kept.anew;
  late->tables = kept.tables;
}

static void test_atomic(const char *folder) {
  char path[300];
  snprintf(path, sizeof path, "%s/atomic", folder);
  write_text(posix, path, "old");
  modfs_writable *writable = modfs_writable_open(posix, path, MODFS_WRITE_ATOMIC, status);
  if (!CHECK(writable, "an atomic file opens")) return;
  modfs_writable_append(writable, "new", 3, status);
  modfs_writable_flush(writable, status);
  CHECK(reads(posix, path, "old"), "before the end the old content stands");
  modfs_writable_abort(writable, status);
  CHECK(ok() && reads(posix, path, "old"), "abort leaves the old content");
  writable = modfs_writable_open(posix, path, MODFS_WRITE_ATOMIC, status);
  modfs_writable_append(writable, "new", 3, status);
  modfs_writable_close(writable, status);
  CHECK(ok() && reads(posix, path, "new"), "close puts the new content in its place");
  modfs_string_list names = {0};
  modfs_fs_get_children(posix, folder, &names, status);
  CHECK_INT((intmax_t)names.count, 1, "no temporary file is left");
  modfs_string_list_fini(&names);
}

static void test_messages(void) {
  modfs_fs_stat(mem, "posix.x://a", &(TF_FileStatistics){0, 0, false}, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "stat posix.x://a: "), "another filesystem's path");
  modfs_fs_delete_file(mem, "mem://line\nbreak", status);
  CHECK(failed_with(TF_NOT_FOUND, "line\\x0abreak"), "control characters are written out");
  CHECK(!modfs_fs_search("meme://x", "/nowhere/?.so", "open", status), "an unknown scheme");
  CHECK(failed_with(TF_UNIMPLEMENTED, "open meme://x: no filesystem"), "the operation is named");
  CHECK(failed_with(TF_UNIMPLEMENTED, "did you mean mem://"), "the nearest scheme is named");
  CHECK(failed_with(TF_UNIMPLEMENTED, "/nowhere/meme.so"), "and where it was looked for");
}

/* A plugin of before, which does not know the member known. */
static void lstat_of_before(const TF_Filesystem *fs, const char *path, modfs_attributes *attributes,
                            TF_Status *asking) {
  (void)fs, (void)path, (void)asking;
  attributes->kind = MODFS_KIND_FILE;
  attributes->mode = 0600;
  attributes->group = 7;
}

static void test_attributes(const char *folder) {
  char path[300], link[300];
  modfs_attributes wish = {.mode = 0604, .mtime_nsec = -1}, found = {.struct_size = sizeof found};
  snprintf(path, sizeof path, "%s/attributes", folder);
  snprintf(link, sizeof link, "%s/link", folder);
  write_text(posix, path, "hello");
  modfs_fs_create_link(posix, link, "", status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "create_link"), "a link needs a target");
  modfs_fs_create_link(posix, link, "attributes", status);
  char *leads = modfs_fs_read_link(posix, link, status);
  CHECK(ok() && leads && strcmp(leads, "attributes") == 0, "a link keeps its target");
  free(leads);
  CHECK(!modfs_fs_read_link(posix, path, status) && failed_with(TF_FAILED_PRECONDITION, path),
        "a file has none");
  modfs_fs_set_attributes(posix, link, &wish, MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_MTIME, status);
  modfs_fs_get_attributes(posix, link, &found, status);
  CHECK(ok() && found.kind == MODFS_KIND_FILE && found.mode == 0604 && found.mtime_nsec == -1,
        "attributes are set behind a link");
  CHECK(found.known & MODFS_ATTRIBUTE_OWNER, "and there are more");
  wish.owner = (uint64_t)1 << 32;
  modfs_fs_set_attributes(posix, path, &wish, MODFS_ATTRIBUTE_OWNER, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "set_attributes"), "an owner is not cut to 32 bits");
  wish.mode = 010000;
  modfs_fs_set_attributes(posix, path, &wish, MODFS_ATTRIBUTE_MODE, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "010000"), "nor a mode to 12");
  modfs_extension_ops *extension = &((modfs_fs *)(size_t)posix)->extension, before = *extension;
  extension->lstat = lstat_of_before;
  modfs_fs_lstat(posix, path, &found, status);
  *extension = before;
  CHECK(ok() &&
            found.known == (MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_GROUP | MODFS_ATTRIBUTE_MTIME),
        "what a plugin of before has is what is not 0");
}

/* Plugins may write before they fail. */
static void spoil_stats(const TF_Filesystem *fs, const char *path, TF_FileStatistics *out,
                        TF_Status *failure) {
  (void)fs, (void)path;
  out->length = 77;
  TF_SetStatus(failure, TF_NOT_FOUND, "gone");
}

static void spoil_attributes(const TF_Filesystem *fs, const char *path, modfs_attributes *out,
                             TF_Status *failure) {
  (void)fs, (void)path;
  out->length = 77;
  TF_SetStatus(failure, TF_NOT_FOUND, "gone");
}

static void spoil_space(const TF_Filesystem *fs, const char *path, modfs_space *out,
                        TF_Status *failure) {
  (void)fs, (void)path;
  memset((char *)out + sizeof out->struct_size, 7, sizeof *out - sizeof out->struct_size);
  TF_SetStatus(failure, TF_NOT_FOUND, "gone");
}

/* What modfs.h says of a failure: outputs are unchanged. */
static void test_outputs(void) {
  modfs_fs *fs = (modfs_fs *)(size_t)posix, was = *fs;
  union {
    TF_FileStatistics stats;
    modfs_attributes attributes;
    modfs_space space;
    unsigned char bytes[256];
  } out, before;
  memset(&before, 0x5a, sizeof before);
  fs->tables.fs.stat = spoil_stats;
  fs->extension.lstat = fs->extension.get_attributes = spoil_attributes;
  fs->extension.get_space = spoil_space;
  for (int call = 0; call < 4; call++) {
    out = before;
    if (call == 0) modfs_fs_stat(fs, "/", &out.stats, status);
    if (call == 1) modfs_fs_lstat(fs, "/", &out.attributes, status);
    if (call == 2) modfs_fs_get_attributes(fs, "/", &out.attributes, status);
    if (call == 3) modfs_fs_get_space(fs, "/", &out.space, status);
    CHECK(failed_with(TF_NOT_FOUND, "gone"), "call %d fails", call);
    CHECK(memcmp(&out, &before, sizeof out) == 0, "and leaves its output alone");
  }
  fs->tables = was.tables;
  fs->extension = was.extension;
}

static bool is_zeroed(const char *data, size_t length) {
  size_t at = 0;
  while (at < length && data[at] == 0)
    at++;
  return at == length;
}

static void test_bytes(void) {
  const size_t lengths[] = {0, 1, 4095, 4096, 100000, 3000001};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    modfs_bytes *bytes = modfs_bytes_new(lengths[i], status);
    if (!CHECK(bytes && ok(), "%zu bytes", lengths[i])) continue;
    char *data = modfs_bytes_data(bytes);
    CHECK(modfs_bytes_length(bytes) == lengths[i] && is_zeroed(data, lengths[i]), "are zero");
    CHECK(lengths[i] < 4096 || (uintptr_t)data % 64 == 0, "many are aligned for copies");
    memset(data, 1, lengths[i]);
    modfs_bytes_drop(bytes);
  }
  CHECK(!modfs_bytes_new(SIZE_MAX - 1, status) &&
            failed_with(TF_RESOURCE_EXHAUSTED, "cannot allocate"),
        "too many bytes are refused");
}

int main(void) {
  char folder[] = "/tmp/modfs-core-XXXXXX";
  status = TF_NewStatus();
  modfs_start(status);
  if (!CHECK(ok(), "the core starts") || !CHECK(mkdtemp(folder), "a folder")) return check_end();
  mem = modfs_fs_of("mem://");
  posix = modfs_fs_of(folder);
  CHECK(mem && posix && modfs_fs_of("file:///"), "mem, posix and file are there");
  test_probe();
  test_transfer(folder);
  test_telling(folder);
  test_fork(folder);
  test_late(folder);
  test_messages();
  test_attributes(folder);
  test_outputs();
  test_bytes();
  uint64_t files, directories;
  modfs_fs_delete_recursively(posix, folder, &files, &directories, status);
  CHECK(mkdir(folder, 0700) == 0, "the folder was deleted with all in it");
  test_atomic(folder);
  modfs_fs_delete_recursively(posix, folder, &files, &directories, status);
  TF_DeleteStatus(status);
  return check_end();
}
