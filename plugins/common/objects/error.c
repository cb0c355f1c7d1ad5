#include "error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#include "../remote/failure.h"

void objects_fail(TF_Status *status, TF_Code code, objects_action action, const char *format, ...) {
  char what[600];
  const objects_name *name = action.name;
  va_list arguments;
  snprintf(what, sizeof what, "%s of %s%s%.300s", action.operation,
           name->bucket[0] ? name->bucket : "the buckets", name->key[0] ? "/" : "", name->key);
  for (char *c = what; *c; c++)
    if (iscntrl((unsigned char)*c)) *c = '?';
  va_start(arguments, format);
  remote_fail(status, code, what, format, arguments);
  va_end(arguments);
}
