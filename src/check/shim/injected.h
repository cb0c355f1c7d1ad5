/* Says which call was made to fail, in the records of the process. */
#ifndef MODFS_SHIM_INJECTED_H
#define MODFS_SHIM_INJECTED_H

/* The file to which lines are appended; NULL: none. */
void injected_to(const char *path);

/* Appends "injected TEXT". */
void injected_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends an "injected" line without a text, if the last one has a text: a new rule is in force. */
void injected_clear(void);

#endif
