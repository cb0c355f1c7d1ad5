/* The table of a library's functions is made once. Threads that make it at the same time find the same
 * functions: the first table is kept, and the others are freed. A forked child inherits it. */
#include "codec_library.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "core/base/dylib.h"
#include "core/base/status.h"

typedef void (*any_function)(void);

static size_t count_names(const codec_library *self) {
  size_t count = 1;
  while (self->names[count])
    count++;
  return count;
}

static bool find_functions(const codec_library *self, void *library, any_function *functions) {
  for (size_t i = 0; self->names[i]; i++)
    if (!dylib_function(library, self->names[i], &functions[i])) return false;
  return true;
}

bool codec_library_open(codec_library *self, const modfs_codec *codec, TF_Status *status) {
  void *known = atomic_load(&self->functions);
  if (known) return true;
  any_function *functions = calloc(count_names(self), sizeof *functions);
  void *library = functions ? dylib_open(self->soname, status) : NULL;
  if (!functions)
    status_no_memory(status);
  else if (!library)
    modfs_set_status(status, TF_UNIMPLEMENTED, "codec %s needs %s; install %s: %s", codec->name,
                     self->soname, codec->package, TF_Message(status));
  else if (!find_functions(self, library, functions))
    modfs_set_status(status, TF_UNIMPLEMENTED, "%s lacks a function", self->soname);
  else if (atomic_compare_exchange_strong(&self->functions, &known, functions))
    return true;
  free(functions);
  return known != NULL;
}
