/* Names that the service does not take, as it gets them.
 *
 * It does not allow control characters, and takes a backslash for a slash. In their place it gets characters
 * that look like them, as rclone has it: U+2400 and following for control characters, U+2421 for DEL, U+FF3C
 * for a backslash. A name that has one of these itself gets U+201B in front of it. */
#ifndef AZ_NAME_H
#define AZ_NAME_H

#include "../common/objects/name.h"

enum { AZ_NAME_SIZE = 3 * (OBJECTS_MOST_KEY + 1) + 1 };

/* The name for the service, of a key or a prefix. */
void az_name_write(const char *key, char name[AZ_NAME_SIZE]);

/* The other way, in place: the key never is longer. */
void az_name_read(char *name);

#endif
