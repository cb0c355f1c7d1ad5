#include <modfs/env.h>

#include <dlfcn.h>

static void status_set_from_loader(TF_Status *status, const char *reason) {
  TF_SetStatus(status, TF_NOT_FOUND, reason ? reason : "dynamic loader: no reason given");
}

void *TF_LoadSharedLibrary(const char *file, TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) status_set_from_loader(status, dlerror());
  return library;
}

void *TF_GetSymbolFromLibrary(void *library, const char *symbol, TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
  dlerror(); /* a symbol's address may be NULL: only dlerror tells that from a failure */
  void *address = dlsym(library, symbol);
  const char *reason = address ? NULL : dlerror();
  if (reason) status_set_from_loader(status, reason);
  return address;
}
