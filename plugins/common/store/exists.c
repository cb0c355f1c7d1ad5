#include "exists.h"

#include <stdatomic.h>

#include "../parallel/parallel.h"
#include "../objects/filesystem.h"
#include "stat.h"

typedef struct question {
  const TF_Filesystem *filesystem;
  char **paths;
  TF_Status **statuses;
  atomic_bool all;
} question;

static bool ask(void *state, uint64_t i) {
  question *self = state;
  TF_Status *status = TF_NewStatus();
  if (status) store_path_exists(self->filesystem, self->paths[i], status);
  TF_Code code = status ? TF_GetCode(status) : TF_RESOURCE_EXHAUSTED;
  if (code != TF_OK) atomic_store(&self->all, false);
  if (self->statuses) TF_SetStatus(self->statuses[i], code, status ? TF_Message(status) : "");
  TF_DeleteStatus(status);
  return code == TF_OK || self->statuses != NULL;
}

bool store_paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                       TF_Status **statuses) {
  question asked = {.filesystem = filesystem, .paths = paths, .statuses = statuses, .all = true};
  int most = (int)remote_number(filesystem, OBJECTS_PARALLEL);
  parallel_for(num_files > 0 ? (uint64_t)num_files : 0, most, ask, &asked);
  return atomic_load(&asked.all);
}
