/* One page of a listing.
 *
 * There is more where NextMarker has a text, which the next request repeats. What is no complete listing
 * (xml_page.h) is DATA_LOSS.
 *
 * A name that XML cannot represent is percent-encoded, and says so. All state is on the stack of the call. */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/xml_page/xml_page.h"
#include "request.h"

enum { MOST_MARKER = 8192, MOST_ENTRIES = 5000 };

/* One response while it is received. */
typedef struct reading {
  xml_page base;
  bool short_of_memory;
  char marker[MOST_MARKER];
} reading;

static bool add_name(reading *self, const char *name, bool is_prefix) {
  objects_page *page = self->base.page;
  bool added = objects_page_add(page, name, is_prefix);
  self->short_of_memory = self->short_of_memory || !added;
  char *key = added ? objects_page_key(page, page->count - 1) : NULL;
  if (!added ||
      (xml_has_attribute(self->base.xml, "Encoded", "true") && !objects_name_decode(key, false)))
    return false;
  az_name_read(key);
  return true;
}

static bool on_element(void *state, const char *path, const char *text) {
  reading *self = state;
  const char *name = xml_below_root(path);
  bool good = true;
  if (strcmp(name, "/Blobs/Blob/Name") == 0)
    good = add_name(self, text, false);
  else if (strcmp(name, "/Blobs/BlobPrefix/Name") == 0)
    good = add_name(self, text, true);
  else if (strcmp(name, "/Containers/Container/Name") == 0)
    good = objects_page_add_bucket(self->base.page, text);
  else if (strcmp(name, "/Blobs") == 0 || strcmp(name, "/Containers") == 0)
    self->base.holds = true;
  else if (strcmp(name, "/NextMarker") == 0)
    good = snprintf(self->marker, sizeof self->marker, "%s", text) < MOST_MARKER;
  else if (*name == '\0')
    xml_page_end_root(&self->base);
  return good;
}

static bool begin(void *state, const net_answer *answer) {
  reading *self = state;
  (void)answer;
  self->marker[0] = '\0';
  self->short_of_memory = !xml_page_begin(&self->base, on_element);
  return !self->short_of_memory;
}

/* Sets the status where the response came, but is no whole listing. */
static bool check(reading *self, bool good, const net_answer *answer, TF_Status *status) {
  const objects_action action = {"ListBlobs", self->base.page->name};
  if (self->short_of_memory) return fail_no_memory(status);
  const char *problem = xml_page_problem(&self->base, good, answer);
  if (!problem) return good;
  objects_fail(status, TF_DATA_LOSS, action, "%s", problem);
  return false;
}

static bool ask(const TF_Filesystem *filesystem, reading *self, bool of_account,
                TF_Status *status) {
  objects_page *page = self->base.page;
  char limit[16], prefix[AZ_NAME_SIZE];
  az_name_write(page->prefix, prefix);
  snprintf(limit, sizeof limit, "%d", page->limit ? page->limit : MOST_ENTRIES);
  az_pair query[7] = {{"comp", "list"}, {"maxresults", limit}};
  int count = 2;
  if (!of_account) query[count++] = (az_pair){"restype", "container"};
  if (*page->prefix) query[count++] = (az_pair){"prefix", prefix};
  if (!of_account && !page->deep) query[count++] = (az_pair){"delimiter", "/"};
  if (page->token) query[count++] = (az_pair){"marker", page->token};
  az_answer answer;
  const az_request request = {of_account ? "ListContainers" : "ListBlobs",
                              "GET",
                              page->name,
                              .of_container = true,
                              .query = query,
                              .sink = {.begin = begin, .write = xml_page_take, .state = self}};
  bool good = az_request_run(filesystem, &request, &answer, status);
  good = check(self, good, &answer.head, status);
  az_answer_end(&answer);
  return good;
}

/* Above the accounts only the configured one is known. */
static bool list_accounts(const TF_Filesystem *filesystem, objects_page *page, TF_Status *status) {
  char account[AZ_ACCOUNT_SIZE];
  objects_page_begin(page);
  if (!az_access_account(filesystem, account, status)) return false;
  if (*account && !objects_page_add_bucket(page, account)) fail_no_memory(status);
  if (!*account)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the path names no account: set option account or AZURE_STORAGE_ACCOUNT");
  return TF_GetCode(status) == TF_OK && objects_page_more(page, NULL);
}

bool az_list(const TF_Filesystem *filesystem, objects_page *page, TF_Status *status) {
  const objects_name *name = page->name;
  if (name->is_root && !name->bucket[0] && strcmp(objects_of(filesystem)->scheme, "az") == 0)
    return list_accounts(filesystem, page, status);
  reading *self = fail_or_allocate(sizeof *self, status);
  if (!self) return false;
  self->base.page = page;
  bool good = ask(filesystem, self, name->is_root, status);
  if (good && !objects_page_more(page, *self->marker ? self->marker : NULL)) {
    fail_no_memory(status);
    good = false;
  }
  xml_page_fini(&self->base);
  free(self);
  return good;
}
