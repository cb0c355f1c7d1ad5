/* The entries of an open directory, as the posix plugin offers them: posix_entry_test posix.so.
 * What is asked of a directory stays in it, wherever its path leads meanwhile, and links are not
 * followed. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <modfs/extension.h>
#include <modfs/filesystem.h>

#include "check.h"

static const modfs_extension_ops *ops;
static TF_FilesystemPluginInfo plugin;
static TF_Filesystem fs;
static TF_Status *status;
static char top[] = "/tmp/modfs-entry.XXXXXX";

#define IS(code, ...) CHECK_INT(TF_GetCode(status), code, __VA_ARGS__)

static void load(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  const modfs_extension_ops *(*extension)(const char *) = NULL;
  void (*init)(TF_FilesystemPluginInfo *) = NULL;
  void *symbol = library ? dlsym(library, "modfs_extension") : NULL;
  memcpy(&extension, &symbol, sizeof extension);
  symbol = library ? dlsym(library, "TF_InitPlugin") : NULL;
  memcpy(&init, &symbol, sizeof init);
  if (!extension || !init) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  ops = extension("");
  init(&plugin);
  plugin.ops[0].filesystem_ops->init(&fs, status);
}

static modfs_directory opened(const char *path) {
  modfs_directory directory = {NULL};
  ops->open_directory(&fs, path, &directory, status);
  return directory;
}

static void write_to(const modfs_directory *directory, const char *name, uint32_t flags) {
  TF_WritableFile file = {NULL};
  const TF_WritableFileOps *files = plugin.ops[0].writable_file_ops;
  ops->open_writer(&fs, directory, name, flags, &file, status);
  if (TF_GetCode(status) != TF_OK) return;
  files->append(&file, "new", 3, status);
  files->close(&file, status);
  files->cleanup(&file);
}

static int kind_of(const modfs_directory *directory, const char *name) {
  modfs_attributes attributes = {.struct_size = sizeof attributes};
  ops->entry_attributes(directory, name, &attributes, status);
  return TF_GetCode(status) == TF_OK ? attributes.kind : -1;
}

static bool reads(const modfs_directory *directory, const char *name, const char *content) {
  TF_RandomAccessFile file = {NULL};
  char bytes[16] = "";
  const TF_RandomAccessFileOps *files = plugin.ops[0].random_access_file_ops;
  ops->open_reader(directory, name, &file, status);
  if (TF_GetCode(status) != TF_OK) return false;
  files->read(&file, 0, sizeof bytes - 1, bytes, status);
  files->cleanup(&file);
  TF_SetStatus(status, TF_OK, "");
  return strcmp(bytes, content) == 0;
}

/* All of them where nothing is in the way. */
static void works(const modfs_directory *here) {
  modfs_directory below = {NULL}, above = {NULL};
  modfs_attributes attributes = {.struct_size = sizeof attributes}, same = attributes;
  ops->create_subdirectory(here, "sub", status);
  IS(TF_OK, "a directory is made");
  ops->create_subdirectory(here, "sub", status);
  IS(TF_ALREADY_EXISTS, "once");
  write_to(here, "file", MODFS_OPEN_ATOMIC);
  IS(TF_OK, "a file is written");
  CHECK(reads(here, "file", "new"), "and read");
  CHECK_INT(kind_of(here, "file"), MODFS_KIND_FILE, "it is a file");
  CHECK_INT(kind_of(here, "sub"), MODFS_KIND_DIRECTORY, "the other a directory");
  CHECK_INT(kind_of(here, ""), MODFS_KIND_DIRECTORY, "and so is the one above");
  ops->open_subdirectory(here, "sub", &below, status);
  IS(TF_OK, "it is opened");
  ops->copy_entry(here, "file", &below, "copy", status);
  CHECK(reads(&below, "copy", "new"), "a file is copied into it");
  ops->copy_entry(here, "file", &below, "copy", status);
  IS(TF_OK, "and over itself");
  ops->rename_entry(&below, "copy", here, "moved", status);
  CHECK(reads(here, "moved", "new"), "and renamed out of it");
  CHECK_INT(kind_of(&below, "copy"), -1, "where it is no more");
  ops->open_subdirectory(&below, "..", &above, status);
  ops->entry_attributes(here, "", &attributes, status);
  ops->entry_attributes(&above, "", &same, status);
  CHECK(attributes.inode == same.inode && attributes.device == same.device, "\"..\" leads back");
  ops->close_directory(&above);
  ops->close_directory(&below);
  ops->delete_entry(here, "sub", false, status);
  CHECK(TF_GetCode(status) != TF_OK, "a directory is no file to delete");
  ops->delete_entry(here, "moved", true, status);
  IS(TF_FAILED_PRECONDITION, "nor a file a directory");
  ops->delete_entry(here, "sub", true, status);
  IS(TF_OK, "each is deleted as what it is");
  ops->delete_entry(here, "moved", false, status);
  IS(TF_OK, "each");
  ops->delete_entry(here, "moved", false, status);
  IS(TF_NOT_FOUND, "once");
}

/* victim/file lies outside; here/link leads to victim, here/file_link to the file in it. */
static void follows_no_link(const modfs_directory *here, const modfs_directory *victim) {
  modfs_directory below = {NULL};
  CHECK_INT(kind_of(here, "link"), MODFS_KIND_LINK, "a link is a link");
  ops->open_subdirectory(here, "link", &below, status);
  IS(TF_FAILED_PRECONDITION, "a link to a directory is not opened");
  CHECK(!reads(here, "file_link", "old"), "a link to a file is not read");
  IS(TF_FAILED_PRECONDITION, "and that is told");
  write_to(here, "file_link", MODFS_OPEN_ATOMIC);
  IS(TF_FAILED_PRECONDITION, "nor written to");
  write_to(here, "file_link", MODFS_OPEN_NEW);
  IS(TF_ALREADY_EXISTS, "it is there where something new is wanted");
  ops->copy_entry(here, "file", here, "file_link", status);
  IS(TF_FAILED_PRECONDITION, "nothing is copied over it");
  ops->copy_entry(here, "file_link", here, "copy", status);
  IS(TF_FAILED_PRECONDITION, "nor is it copied");
  ops->create_subdirectory(here, "link", status);
  IS(TF_ALREADY_EXISTS, "it is not a directory");
  ops->delete_entry(here, "link", true, status);
  IS(TF_FAILED_PRECONDITION, "nor deleted as one");
  ops->rename_entry(here, "file_link", here, "other_link", status);
  CHECK_INT(kind_of(here, "other_link"), MODFS_KIND_LINK, "it is renamed as a link");
  ops->delete_entry(here, "link", false, status);
  ops->delete_entry(here, "other_link", false, status);
  IS(TF_OK, "and deleted as such");
  CHECK(reads(victim, "file", "new"), "what they led to is as it was");
}

/* The directory moves away and a link takes its name: what is open is still the directory. */
static void stays(const modfs_directory *here) {
  modfs_directory below = {NULL};
  ops->create_subdirectory(here, "moving", status);
  ops->open_subdirectory(here, "moving", &below, status);
  CHECK(rename("moving", "moved") == 0 && symlink("../victim", "moving") == 0, "it moves away");
  write_to(&below, "late", MODFS_OPEN_ATOMIC);
  IS(TF_OK, "a file is written where it is now");
  CHECK(access("moved/late", F_OK) == 0, "there");
  CHECK(access("../victim/late", F_OK) != 0, "not where its name leads");
  ops->delete_entry(&below, "late", false, status);
  CHECK(access("moved/late", F_OK) != 0, "and deleted there");
  ops->close_directory(&below);
}

int main(int count, char **arguments) {
  status = TF_NewStatus();
  if (count < 2) return 2;
  load(arguments[1]);
  if (!mkdtemp(top) || chdir(top) != 0) return 2;
  CHECK(mkdir("here", 0755) == 0 && mkdir("victim", 0755) == 0 && chdir("here") == 0, "a place");
  modfs_directory here = opened("."), victim = opened("../victim");
  works(&here);
  write_to(&victim, "file", 0);
  CHECK(symlink("../victim", "link") == 0 && symlink("../victim/file", "file_link") == 0, "links");
  follows_no_link(&here, &victim);
  stays(&here);
  ops->close_directory(&victim);
  ops->close_directory(&here);
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", top);
  CHECK(system(command) == 0, "the place is gone");
  plugin.ops[0].filesystem_ops->cleanup(&fs);
  TF_DeleteStatus(status);
  return check_end();
}
