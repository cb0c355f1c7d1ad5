/* The whole process: its descriptors, and child processes. */
#ifndef MODFS_RUNNER_PROCESS_H
#define MODFS_RUNNER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Counts the open descriptors; *loose, unless NULL: those without close-on-exec. */
size_t runner_descriptors(size_t *loose);

/* Counts those of files, directories and devices: no sockets, pipes or kernel objects without a name. */
size_t runner_open_files(void);

/* Starts a program; words end with NULL. Returns its process id, or -1. */
long runner_start(char *const words[]);
/* Kills it with SIGKILL. */
void runner_kill(long process);
/* Waits for it; returns the exit status, 256 plus the signal, or -1. */
int runner_wait(long process);

void runner_rest(double seconds);

/* Makes a directory the working directory, or returns false. */
bool runner_enter_directory(const char *path);

/* Sets the size of a local file; what it grows by is a hole. */
bool runner_stretch(const char *path, long long size);

#endif
