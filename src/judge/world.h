/* What belongs to the whole process, and other processes. */
#ifndef MODFS_JUDGE_WORLD_H
#define MODFS_JUDGE_WORLD_H

#include <stdbool.h>
#include <stddef.h>

/* How many descriptors are open; loose, unless NULL, gets how many of them exec would keep. */
size_t judge_descriptors(size_t *loose);

/* Starts a program with these words (NULL ends them); returns its number, or -1. */
long judge_start(char *const words[]);
/* Ends it at once. */
void judge_kill(long process);
/* Waits for its end: the exit status, or 256 and the signal. */
int judge_wait(long process);

void judge_rest(double seconds);

/* Gives a file of the system that many bytes, most of them a hole. */
bool judge_stretch(const char *path, long long size);

#endif
