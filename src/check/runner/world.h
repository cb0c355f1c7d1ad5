/* The whole process: its descriptors, and child processes. */
#ifndef MODFS_JUDGE_WORLD_H
#define MODFS_JUDGE_WORLD_H

#include <stdbool.h>
#include <stddef.h>

/* Counts the open descriptors; *loose, unless NULL: those without close-on-exec. */
size_t judge_descriptors(size_t *loose);

/* Starts a program; words end with NULL. Returns its process id, or -1. */
long judge_start(char *const words[]);
/* Kills it with SIGKILL. */
void judge_kill(long process);
/* Waits for it; returns the exit status, 256 plus the signal, or -1. */
int judge_wait(long process);

void judge_rest(double seconds);

/* Sets the size of a local file; what it grows by is a hole. */
bool judge_stretch(const char *path, long long size);

#endif
