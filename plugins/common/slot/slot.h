/* Declares a function that fills a slot, with the parameters that the contract gives it:
 * FS_SLOT(stat) posix_stat; */
#ifndef SLOT_SLOT_H
#define SLOT_SLOT_H

#include <modfs/extension.h>
#include <modfs/filesystem.h>

#define FS_SLOT(slot) __typeof__(*((TF_FilesystemOps *)0)->slot)
#define EXTENSION_SLOT(slot) __typeof__(*((modfs_extension_ops *)0)->slot)

#endif
