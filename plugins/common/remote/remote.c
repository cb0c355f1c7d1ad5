#include "remote.h"

#include "../interrupt/interrupt.h"

bool remote_init(remote *self, const option_table *table, TF_Status *status) {
  if (!options_init(&self->options, table, status)) return false;
  self->client = net_client_new();
  if (!self->client) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  return self->client != NULL;
}

void remote_fini(remote *self) {
  options_fini(&self->options);
  blocks_cache_free(&self->cache);
  net_client_free(self->client);
}

void remote_flush_caches(const TF_Filesystem *filesystem) {
  blocks_cache_flush(&remote_of(filesystem)->cache);
  net_client_rest(remote_of(filesystem)->client);
}

void remote_accept_interruption(const TF_Filesystem *filesystem, modfs_interrupted *interrupted) {
  interrupt_accept(filesystem, interrupted);
  net_client_accept_interruption(remote_of(filesystem)->client, interrupt_is_wanted);
}
