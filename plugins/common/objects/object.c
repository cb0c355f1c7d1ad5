#include "object.h"

#include <stdlib.h>

void objects_own_end(objects_own *own) {
  free(own->text);
  *own = (objects_own){0};
}

int64_t objects_object_mtime(const objects_object *object) {
  bool kept = object->attributes.known & MODFS_ATTRIBUTE_MTIME;
  return kept ? object->attributes.mtime_nsec : object->modified * 1000000000;
}

void objects_object_read(const net_answer *answer, const char *prefix, objects_object *object) {
  char text[64];
  *object = (objects_object){.length = 0};
  net_answer_header(answer, "ETag", object->tag, sizeof object->tag);
  if (net_answer_header(answer, "Last-Modified", text, sizeof text))
    object->modified = net_time(text);
  objects_attributes_read(answer, prefix, &object->attributes);
}

void objects_condition_fail(const objects_condition *condition, objects_action action,
                            TF_Status *status) {
  if (condition->if_absent)
    objects_fail(status, TF_ALREADY_EXISTS, action, "the object already exists");
  else
    objects_fail(status, TF_ABORTED, action,
                 "the object has changed since it was opened; open it again");
}
