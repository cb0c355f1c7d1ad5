/* Loading a plugin, in this order:
 *
 * path made canonical · file opened, its device and inode noted · ownership checked, unless the
 * caller trusts it · ELF headers checked · identity claimed in the registry · shared object opened
 * · file compared with what was noted · entry points called · tables copied and checked · one
 * scheme kept and renamed, if asked for · schemes checked to be free · each filesystem initialized,
 * its tables completed · all published. From the claim on other threads that want this plugin wait.
 *
 * No lock is held here. A plugin's pointers are never followed directly: its answer and tables are
 * copied (probe.c), and only the copies are used. Until it is published the modfs_plugin belongs to
 * the loading thread, and a failure undoes what was done: filesystems that were initialized are
 * cleaned up, last first; blocks that the plugin allocated go back to it, unless its answer cannot
 * be read; then plugin_free and registry_give_up. The shared object is never closed, whether
 * loading succeeds or not.
 *
 * A fork during loading leaves the child's copy of the loading thread to go on by itself. */
#include <modfs/modfs.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/dylib.h"
#include "core/fs/fs.h"
#include "core/fs/fs_defaults.h"
#include "core/base/path.h"
#include "core/device/platform.h"
#include "core/base/probe.h"
#include "core/base/status.h"
#include "core/base/ownership.h"
#include "services.h"

enum { SCHEMES_MAX = 64 };

typedef void (*init_plugin)(TF_FilesystemPluginInfo *info);
typedef const modfs_extension_ops *(*find_extension)(const char *scheme);

/* What the plugin fills, with room for members that a later contract may add. */
typedef union plugin_answer {
  TF_FilesystemPluginInfo info;
  char room[512];
} plugin_answer;

static bool still_same(const char *path, const struct stat *before) {
  struct stat now;
  return stat(path, &now) == 0 && now.st_dev == before->st_dev && now.st_ino == before->st_ino;
}

static bool is_code(const void *function_pointer) {
  const void *address;
  memcpy(&address, function_pointer, sizeof address);
  return address && dylib_owns(address);
}

static void check_answer(const TF_FilesystemPluginInfo *info, TF_Status *status) {
  if (!is_code(&info->plugin_memory_allocate))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "plugin_memory_allocate is missing");
  else if (!is_code(&info->plugin_memory_free))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "plugin_memory_free is missing");
  else if (info->num_schemes == 0 || info->num_schemes > SCHEMES_MAX)
    modfs_set_status(status, TF_INVALID_ARGUMENT, "the plugin offers %zu schemes; expected 1 to %d",
                     info->num_schemes, SCHEMES_MAX);
}

/* Frees a plugin that was never published, its filesystems and its platform. */
static void plugin_free(modfs_plugin *plugin) {
  if (!plugin) return;
  for (size_t i = 0; i < plugin->count; i++) {
    if (plugin->filesystems[i]) pthread_mutex_destroy(&plugin->filesystems[i]->lock);
    free(plugin->filesystems[i]);
  }
  platform_free(plugin->platform);
  free(plugin->filesystems);
  free(plugin->warning);
  free(plugin->path);
  free((char *)(size_t)plugin->who.symbol);
  free(plugin);
}

static modfs_plugin *new_plugin(const char *path, const identity *who, TF_Status *status) {
  modfs_plugin *plugin = calloc(1, sizeof *plugin);
  if (plugin) {
    plugin->who = *who;
    plugin->who.symbol = strdup(who->symbol);
    plugin->who.renaming = NULL;
    plugin->path = strdup(path);
    if (plugin->path && plugin->who.symbol) return plugin;
  }
  plugin_free(plugin);
  status_no_memory(status);
  return NULL;
}

static void make_filesystems(modfs_plugin *plugin, size_t count, TF_Status *status) {
  plugin->filesystems = calloc(count, sizeof *plugin->filesystems);
  while (plugin->filesystems && plugin->count < count) {
    modfs_fs *fs = calloc(1, sizeof *fs);
    if (!fs) break;
    fs->plugin = plugin;
    pthread_mutex_init(&fs->lock, NULL);
    plugin->filesystems[plugin->count++] = fs;
  }
  if (plugin->count < count) status_no_memory(status);
}

/* Returns a block to the plugin that allocated it for the registration. NULL is passed on, too; an
 * unreadable pointer cannot have come from its allocator and is not. was_read: it is known to be none. */
static void give_back(memory_free release, void *block, bool was_read) {
  char byte;
  if (!block || was_read || probe_copy(&byte, block, 1)) release(block);
}

static void free_entry(memory_free release, const TF_FilesystemPluginOps *entry, bool was_read) {
  give_back(release, entry->scheme, was_read);
  give_back(release, entry->filesystem_ops, was_read);
  give_back(release, entry->random_access_file_ops, was_read);
  give_back(release, entry->writable_file_ops, was_read);
  give_back(release, entry->read_only_memory_region_ops, was_read);
}

static void check_twins(const modfs_plugin *plugin, size_t index, TF_Status *status) {
  const char *scheme = plugin->filesystems[index]->tables.scheme;
  for (size_t i = 0; i < index; i++)
    if (strcmp(plugin->filesystems[i]->tables.scheme, scheme) == 0)
      modfs_set_status(status, TF_INVALID_ARGUMENT, "the plugin offers the scheme \"%s\" twice",
                       scheme);
}

/* Copies and checks the entries, up to the first that fails, and frees what the plugin allocated.
 */
static void take_entries(modfs_plugin *plugin, const TF_FilesystemPluginInfo *info,
                         TF_Status *status) {
  TF_FilesystemPluginOps *entries = calloc(plugin->count, sizeof *entries);
  bool unreadable = false;
  if (!entries) {
    status_no_memory(status);
    return;
  }
  if (!info->ops || !probe_copy(entries, info->ops, plugin->count * sizeof *entries)) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the plugin's array of schemes cannot be read");
    unreadable = true;
  }
  for (size_t i = 0; i < plugin->count && status_ok(status); i++) {
    tables *copy = &plugin->filesystems[i]->tables;
    tables_copy(copy, &entries[i], status);
    unreadable = unreadable || copy->unreadable;
    if (status_ok(status)) check_twins(plugin, i, status);
  }
  for (size_t i = 0; i < plugin->count && !unreadable; i++)
    free_entry(info->plugin_memory_free, &entries[i], status_ok(status));
  if (!unreadable) info->plugin_memory_free(info->ops);
  free(entries);
}

/* Keeps only the filesystem that is to be registered under another scheme. */
static void rename_scheme(modfs_plugin *plugin, const modfs_renaming *renaming, TF_Status *status) {
  size_t at = 0;
  while (at < plugin->count &&
         strcmp(plugin->filesystems[at]->tables.scheme, renaming->scheme) != 0)
    at++;
  size_t length = strlen(renaming->as);
  if (at == plugin->count) {
    modfs_set_status(status, TF_INVALID_ARGUMENT,
                     "the plugin does not offer the scheme \"%s\"; it offers \"%s\"",
                     renaming->scheme, plugin->filesystems[0]->tables.scheme);
  } else if (length == 0 || length >= SCHEME_MAX || !path_scheme_valid(renaming->as, length)) {
    modfs_set_status(status, TF_INVALID_ARGUMENT, "\"%s\" is not a valid scheme", renaming->as);
  } else {
    modfs_fs *kept = plugin->filesystems[at];
    plugin->filesystems[at] = plugin->filesystems[0];
    plugin->filesystems[0] = kept;
    while (plugin->count > 1) {
      modfs_fs *dropped = plugin->filesystems[--plugin->count];
      pthread_mutex_destroy(&dropped->lock);
      free(dropped);
    }
    kept->renamed = true;
    memcpy(kept->served, kept->tables.scheme, SCHEME_MAX);
    memcpy(kept->tables.scheme, renaming->as, length + 1);
  }
}

static void stop_fs(modfs_fs *fs) {
  fs->tables.fs.cleanup(&fs->handle);
}

static void start_fs(modfs_fs *fs, find_extension extension, TF_Status *status) {
  fs->tables.fs.init(&fs->handle, status);
  if (!status_ok(status)) return;
  if (extension)
    tables_copy_extension(&fs->extension, extension(fs->renamed ? fs->served : fs->tables.scheme),
                          &fs->tables, status);
  if (status_ok(status)) {
    defaults_fill(fs);
    extension_settle(fs);
    fs_let_interrupt(fs);
    fs_pass_host(fs, &host_services);
  } else {
    stop_fs(fs);
  }
}

/* Initializes all filesystems and publishes the plugin; on a failure cleans up those initialized.
 */
static void start_plugin(modfs_plugin *plugin, void *library, TF_Status *status) {
  void *address = dylib_symbol(library, "modfs_extension");
  find_extension extension = NULL;
  size_t started = 0;
  memcpy(&extension, &address, sizeof extension);
  while (started < plugin->count && status_ok(status)) {
    start_fs(plugin->filesystems[started], extension, status);
    started += status_ok(status);
  }
  if (status_ok(status)) {
    for (size_t i = 0; i < plugin->count && !plugin->warning; i++)
      plugin->warning = tables_warning(&plugin->filesystems[i]->tables);
    registry_publish(&plugin->who, plugin, status);
  }
  while (!status_ok(status) && started > 0)
    stop_fs(plugin->filesystems[--started]);
}

/* Fills in the plugin's filesystems; a fault in one of them fails the whole plugin. */
static void ask_for_filesystems(modfs_plugin *plugin, void *address, TF_Status *status) {
  plugin_answer answer = {.room = {0}};
  init_plugin entry;
  memcpy(&entry, &address, sizeof entry);
  entry(&answer.info);
  check_answer(&answer.info, status);
  if (status_ok(status)) make_filesystems(plugin, answer.info.num_schemes, status);
  if (!status_ok(status)) return;
  plugin->allocate = answer.info.plugin_memory_allocate;
  plugin->free = answer.info.plugin_memory_free;
  take_entries(plugin, &answer.info, status);
}

static void ask_for_platform(modfs_plugin *plugin, void *address, TF_Status *status) {
  abi_init entry;
  memcpy(&entry, &address, sizeof entry);
  plugin->platform = platform_new(entry, plugin, status);
}

/* A plugin offers filesystems, a platform, or both. A symbol other than the usual one is the entry
 * point for filesystems, and no platform is looked for, nor where one filesystem alone is wanted. */
static modfs_plugin *ask_plugin(const char *path, const identity *who, void *library,
                                TF_Status *status) {
  bool usual = strcmp(who->symbol, "TF_InitPlugin") == 0;
  void *filesystems = dylib_symbol(library, who->symbol);
  bool whole = usual && !(filesystems && who->renaming);
  void *platform = whole ? dylib_symbol(library, "SE_InitPlugin") : NULL;
  if (!filesystems && !platform) {
    modfs_set_status(status, TF_NOT_FOUND, "not a plugin: it does not define %s%s", who->symbol,
                     usual ? " or SE_InitPlugin" : "");
    return NULL;
  }
  modfs_plugin *plugin = new_plugin(path, who, status);
  if (plugin && filesystems) ask_for_filesystems(plugin, filesystems, status);
  if (status_ok(status) && platform) ask_for_platform(plugin, platform, status);
  if (status_ok(status) && filesystems && who->renaming)
    rename_scheme(plugin, who->renaming, status);
  if (status_ok(status)) registry_check_free(plugin, status);
  if (status_ok(status)) start_plugin(plugin, library, status);
  if (status_ok(status)) return plugin;
  plugin_free(plugin);
  return NULL;
}

static const modfs_plugin *load_claimed(const char *path, const identity *who,
                                        const struct stat *file, TF_Status *status) {
  void *library = dylib_open(path, status);
  modfs_plugin *plugin = NULL;
  if (library && !still_same(path, file))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the file was replaced while it was being loaded");
  else if (library)
    plugin = ask_plugin(path, who, library, status);
  if (!plugin) registry_give_up(who);
  return plugin;
}

/* path is canonical. */
static const modfs_plugin *load_file(const char *path, const char *symbol, bool trust,
                                     const modfs_renaming *renaming, TF_Status *status) {
  const modfs_plugin *plugin = NULL;
  struct stat file;
  /* O_NONBLOCK: the path may name a FIFO that nobody writes to. */
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0 || fstat(descriptor, &file) != 0)
    TF_SetStatusFromIOError(status, errno, "cannot be opened");
  if (status_ok(status) && !trust) ownership_check(path, status);
  if (status_ok(status)) dylib_check(descriptor, status);
  if (status_ok(status)) {
    identity who = {file.st_dev, file.st_ino, symbol, renaming};
    plugin = registry_claim(&who, status);
    if (!plugin && status_ok(status)) plugin = load_claimed(path, &who, &file, status);
  }
  if (descriptor >= 0) close(descriptor);
  return plugin;
}

const modfs_plugin *modfs_plugin_load_as(const char *file, const char *symbol, bool trust,
                                         const modfs_renaming *renaming, TF_Status *status) {
  const modfs_plugin *plugin = NULL;
  bool named = !renaming || (status_takes(status, "the scheme", renaming->scheme) &&
                             status_takes(status, "the other scheme", renaming->as));
  if (!named || !status_takes(status, "the file", file)) {
    status_locate(status, "load", file);
    return NULL;
  }
  char *path = realpath(file, NULL);
  if (path)
    plugin = load_file(path, symbol ? symbol : "TF_InitPlugin", trust, renaming, status);
  else
    TF_SetStatusFromIOError(status, errno, "cannot be found");
  free(path);
  status_locate(status, "load", file);
  return plugin;
}

const modfs_plugin *modfs_plugin_load(const char *file, const char *symbol, bool trust,
                                      TF_Status *status) {
  return modfs_plugin_load_as(file, symbol, trust, NULL, status);
}
