#include "container.h"

#include "../common/objects/page.h"
#include "request.h"

static const az_pair query[] = {{"restype", "container"}, {NULL, NULL}};

bool az_create_container(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status) {
  const az_request request = {"CreateContainer",    "PUT",          name,
                              .of_container = true, .query = query, .source = &az_no_body};
  return az_request_do(filesystem, &request, status);
}

/* The service deletes a container with all that is in it, so that is looked for first. */
static bool is_empty(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status) {
  objects_page page = {.name = name, .prefix = "", .deep = true, .limit = 1};
  bool good = objects_page_fetch(filesystem, &page, status);
  bool empty = good && page.count == 0 && !page.more;
  objects_page_end(&page);
  if (good && !empty) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the container is not empty");
  return empty;
}

bool az_delete_container(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status) {
  const az_request request = {"DeleteContainer", "DELETE", name, .of_container = true,
                              .query = query};
  return is_empty(filesystem, name, status) && az_request_do(filesystem, &request, status);
}
