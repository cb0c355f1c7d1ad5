/* Deleting a tree of any depth and width.
 *
 * Each directory is read to its end once: what is no directory goes at once, the
 * names of subdirectories are put on a stack. Going down opens relative to the
 * directory above and never through a link; going up leads back through "..",
 * checked by device and inode, where the descriptor had to be given up. */
#ifndef POSIX_DELETE_H
#define POSIX_DELETE_H

#include <modfs/filesystem.h>

void posix_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                              uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                              TF_Status *status);

#endif
