/* What patterns of names do when the rest behind a "*" or a "**" does not match. */
#ifndef MODFS_STARS_H
#define MODFS_STARS_H

#include <stdbool.h>
#include <string.h>

/* Where a text and its pattern stand; text NULL: nowhere. */
typedef struct star_place {
  const char *text;
  const void *pattern;
} star_place;

/* Extends the last "*" by one byte, or else the last "**" by one directory, and goes on from there. */
static inline bool stars_take_more(star_place *star, star_place *stars, star_place *now) {
  if (star->text && *star->text != '/') {
    star->text++;
    *now = *star;
    return true;
  }
  const char *slash = stars->text ? strchr(stars->text, '/') : NULL;
  if (!slash) return false;
  stars->text = slash + 1;
  star->text = NULL;
  *now = *stars;
  return true;
}

#endif
