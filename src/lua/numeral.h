/* What a file's formats "n" and "v" take from its input, without Lua. */
#ifndef MODFS_LUA_NUMERAL_H
#define MODFS_LUA_NUMERAL_H

#include "binding.h"

enum { NUMERAL_LENGTH = 200 };

typedef struct numeral {
  modfs_input *input;
  TF_Status *status;
  int next; /* the character not yet taken, or -1 */
  int length;
  char text[NUMERAL_LENGTH + 1]; /* empty: no numeral, or one that is too long */
} numeral;

/* Takes the longest text that may be a numeral, after spaces. */
void numeral_take(numeral *self);
/* Pushes its number; else false. */
bool numeral_push(lua_State *L, const char *text);

#define VARINT_TOO_LARGE "varint beyond 2^53 cannot be represented exactly by this Lua"

/* Takes a varint: seven bits a byte, the lowest first; the eighth bit is set if more follow. False at
 * the end of the file, and after a failure, which names the file. */
bool varint_take(modfs_input *input, const char *file, uint64_t *value, TF_Status *status);

#endif
