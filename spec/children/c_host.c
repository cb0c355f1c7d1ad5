/* Writes a file, reads it, and tells where the plugins came from: c_host [path [plugin path]]. C, and
 * C++. */
#include <modfs/device.h>
#include <stdio.h>
#include <string.h>

static int fail(const TF_Status *status) {
  fprintf(stderr, "%s\n", TF_Message(status));
  return 1;
}

int main(int argc, char **argv) {
  TF_Status *status = TF_NewStatus();
  const char *path = argc > 1 ? argv[1] : "mem://greeting";
  char text[16] = "";
  modfs_start(status);
  if (TF_GetCode(status) != TF_OK) return fail(status);
  const modfs_fs *fs = modfs_fs_of(path);
  modfs_writable *out = modfs_writable_open(fs, path, MODFS_WRITE_REPLACE, status);
  if (!out) return fail(status);
  modfs_writable_append(out, "Hello", 5, status);
  modfs_writable_close(out, status);
  modfs_file *file = modfs_file_open(fs, path, status);
  if (!file) return fail(status);
  int64_t n = modfs_file_read(file, 0, sizeof text - 1, text, status);
  modfs_file_close(file);
  const modfs_platform *platform =
      modfs_platform_search("REFERENCE", argv[2] ? argv[2] : "", status);
  printf("%s %d %s\n%s\n", text, (int)n, modfs_plugin_directory(),
         platform ? modfs_platform_name(platform) : TF_Message(status));
  TF_DeleteStatus(status);
  return 0;
}
