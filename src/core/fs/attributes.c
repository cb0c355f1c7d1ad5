/* Attributes of an entry itself, and of what a path leads to: from the plugin's extension, or else
 * from stat. And setting them. And the room of the storage. */
#include "fs.h"
#include "fs_defaults.h"
#include "core/base/status.h"

enum {
  MODE_BITS = 07777,
  EVERY_ATTRIBUTE = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP |
                    MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME
};

/* What a plugin that was built without the member known has: members that are not 0, and beside a
 * device all that stat(2) tells. */
static uint64_t guess_known(const modfs_attributes *attributes) {
  uint64_t known = MODFS_ATTRIBUTE_MTIME;
  bool has_device = attributes->device != 0;
  if (attributes->mode || has_device) known |= MODFS_ATTRIBUTE_MODE;
  if (attributes->owner || has_device) known |= MODFS_ATTRIBUTE_OWNER;
  if (attributes->group || has_device) known |= MODFS_ATTRIBUTE_GROUP;
  return known;
}

bool fs_check_attributes(const modfs_fs *fs, const char *slot, modfs_attributes *attributes,
                         TF_Status *status) {
  bool is_sound = false;
  if (attributes->kind < MODFS_KIND_FILE || attributes->kind > MODFS_KIND_OTHER)
    fs_breach(fs, status, "%s returned the unknown kind %d", slot, attributes->kind);
  else if (attributes->length < 0)
    fs_breach(fs, status, "%s returned a length of %lld", slot, (long long)attributes->length);
  else if (attributes->mode > MODE_BITS)
    fs_breach(fs, status, "%s returned the mode 0%o", slot, attributes->mode);
  else if (attributes->struct_size != sizeof *attributes)
    fs_breach(fs, status, "%s changed struct_size to %zu", slot, attributes->struct_size);
  else
    is_sound = true;
  if (attributes->known == 0) attributes->known = guess_known(attributes);
  attributes->known &= EVERY_ATTRIBUTE;
  return is_sound;
}

/* Of the entry itself ----------------------------------------------------------------- */

void fs_lstat(const modfs_fs *fs, const char *name, modfs_attributes *attributes,
              TF_Status *status) {
  modfs_attributes answer = {.struct_size = sizeof answer};
  fs->extension.lstat(&fs->handle, name, &answer, status);
  if (status_ok(status) && fs_check_attributes(fs, "lstat", &answer, status)) *attributes = answer;
}

void default_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                   TF_Status *status) {
  TF_FileStatistics stats = {0, 0, false};
  fs_stat(fs_of(filesystem), path, &stats, status);
  if (!status_ok(status)) return;
  *attributes = (modfs_attributes){
      .struct_size = attributes->struct_size,
      .kind = stats.is_directory ? MODFS_KIND_DIRECTORY : MODFS_KIND_FILE,
      .length = stats.length,
      .mtime_nsec = stats.mtime_nsec,
      .known = MODFS_ATTRIBUTE_MTIME,
  };
}

void modfs_fs_lstat(const modfs_fs *fs, const char *path, modfs_attributes *attributes,
                    TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_lstat(fs, name, attributes, status);
  fs_leave(fs, name, "lstat", path, status);
}

/* Of what a path leads to ------------------------------------------------------------- */

void default_get_attributes(const TF_Filesystem *filesystem, const char *path,
                            modfs_attributes *attributes, TF_Status *status) {
  fs_lstat(fs_of(filesystem), path, attributes, status);
  if (status_ok(status) && attributes->kind == MODFS_KIND_LINK)
    default_lstat(filesystem, path, attributes, status);
}

static void get_attributes(const modfs_fs *fs, const char *name, modfs_attributes *attributes,
                           TF_Status *status) {
  modfs_attributes answer = {.struct_size = sizeof answer};
  fs->extension.get_attributes(&fs->handle, name, &answer, status);
  if (!status_ok(status) || !fs_check_attributes(fs, "get_attributes", &answer, status)) return;
  if (answer.kind == MODFS_KIND_LINK)
    fs_breach(fs, status, "get_attributes returned those of a link");
  else
    *attributes = answer;
}

void modfs_fs_get_attributes(const modfs_fs *fs, const char *path, modfs_attributes *attributes,
                             TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) get_attributes(fs, name, attributes, status);
  fs_leave(fs, name, "stat", path, status);
}

/* Setting them ------------------------------------------------------------------------ */

void fs_set_attributes(const modfs_fs *fs, const modfs_directory *in, const char *name,
                       const fs_wanted *wanted, TF_Status *status) {
  modfs_attributes attributes = wanted->attributes;
  attributes.struct_size = sizeof attributes;
  if ((wanted->which & MODFS_ATTRIBUTE_MODE) && attributes.mode > MODE_BITS)
    modfs_set_status(status, TF_INVALID_ARGUMENT, "the mode 0%o has bits beyond 07777",
                     attributes.mode);
  else
    fs->extension.set_attributes(&fs->handle, in, name, &attributes, wanted->which, status);
}

void modfs_fs_set_attributes(const modfs_fs *fs, const char *path,
                             const modfs_attributes *attributes, uint64_t which,
                             TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_set_attributes(fs, NULL, name, &(fs_wanted){*attributes, which}, status);
  fs_leave(fs, name, "set_attributes", path, status);
}

/* Room ---------------------------------------------------------------------------------- */

void modfs_fs_get_space(const modfs_fs *fs, const char *path, modfs_space *space,
                        TF_Status *status) {
  modfs_space answer = {.struct_size = sizeof answer};
  const char *name = fs_enter(fs, path, status);
  if (name) fs->extension.get_space(&fs->handle, name, &answer, status);
  if (name && status_ok(status) && answer.struct_size != sizeof answer)
    fs_breach(fs, status, "get_space changed struct_size to %zu", answer.struct_size);
  if (name && status_ok(status)) *space = answer;
  fs_leave(fs, name, "space", path, status);
}
