/* Preconditions of writes, in the query of a request. */
#ifndef GS_CONDITION_H
#define GS_CONDITION_H

#include "../common/objects/object.h"
#include "../s3/request.h"

/* The pair of a condition; its name is NULL, and so ends a query, where there is none. */
static inline s3_pair gs_condition_pair(const objects_condition *condition) {
  if (condition->if_absent) return (s3_pair){"ifGenerationMatch", "0"};
  return (s3_pair){*condition->match ? "ifGenerationMatch" : NULL, condition->match};
}

#endif
