#include "numeral.h"

#include <ctype.h>
#include <locale.h>

static void look(numeral *self) {
  const char *data;
  size_t n = modfs_input_peek(self->input, &data, self->status);
  self->next = n > 0 ? (unsigned char)*data : -1;
}

static bool take(numeral *self) {
  if (self->length >= NUMERAL_LENGTH) {
    self->text[0] = '\0';
    return false;
  }
  self->text[self->length++] = (char)self->next;
  modfs_input_skip(self->input, 1);
  look(self);
  return true;
}

static bool take_one_of(numeral *self, char first, char second) {
  return (self->next == first || self->next == second) && take(self);
}

static int take_digits(numeral *self, bool hexadecimal) {
  int n = 0;
  while (self->next >= 0 && (hexadecimal ? isxdigit(self->next) : isdigit(self->next)) &&
         take(self))
    n++;
  return n;
}

void numeral_take(numeral *self) {
  for (look(self); self->next >= 0 && isspace(self->next); look(self))
    modfs_input_skip(self->input, 1);
  take_one_of(self, '+', '-');
  int digits = 0;
  bool hexadecimal = false;
  if (take_one_of(self, '0', '0')) {
    hexadecimal = take_one_of(self, 'x', 'X');
    digits = !hexadecimal;
  }
  digits += take_digits(self, hexadecimal);
  if (take_one_of(self, '.', *localeconv()->decimal_point))
    digits += take_digits(self, hexadecimal);
  if (digits > 0 && take_one_of(self, hexadecimal ? 'p' : 'e', hexadecimal ? 'P' : 'E')) {
    take_one_of(self, '+', '-');
    take_digits(self, false);
  }
  self->text[self->length] = '\0';
}

bool numeral_push(lua_State *L, const char *text) {
#if COMPAT_HAS_INTEGERS
  return lua_stringtonumber(L, text) != 0;
#else
  lua_pushstring(L, text);
  if (!lua_isnumber(L, -1)) return false;
  lua_pushnumber(L, lua_tonumber(L, -1));
  lua_replace(L, -2);
  return true;
#endif
}

/* Varints ------------------------------------------------------------------- */

static bool varint_fail(const char *file, const char *what, TF_Status *status) {
  modfs_set_status(status, TF_DATA_LOSS, "read %s: %s", file, what);
  return false;
}

bool varint_take(modfs_input *input, const char *file, uint64_t *value, TF_Status *status) {
  unsigned char byte = 0x80;
  *value = 0;
  for (unsigned shift = 0; byte >= 0x80; shift += 7) {
    const char *data;
    if (modfs_input_peek(input, &data, status) == 0) {
      if (shift == 0 || TF_GetCode(status) != TF_OK) return false;
      return varint_fail(file, "the file ends inside a varint", status);
    }
    byte = (unsigned char)*data;
    modfs_input_skip(input, 1);
    if (shift == 63 && byte > 1) return varint_fail(file, "varint longer than 64 bits", status);
    *value |= (uint64_t)(byte & 0x7f) << shift;
  }
  return true;
}
