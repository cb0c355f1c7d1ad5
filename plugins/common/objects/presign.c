#include "presign.h"

#include <string.h>

enum { MOST_SECONDS = 604800 };

static const char *find_problem(const char *method, uint64_t seconds) {
  if (strcmp(method, "GET") != 0 && strcmp(method, "PUT") != 0)
    return "a URL can be signed for the methods GET and PUT";
  return seconds == 0 || seconds > MOST_SECONDS
             ? "a URL can be signed for 1 to 604800 seconds, which are seven days"
             : NULL;
}

bool objects_presign_check(const char *method, uint64_t seconds, TF_Status *status) {
  const char *problem = find_problem(method, seconds);
  if (problem) TF_SetStatus(status, TF_INVALID_ARGUMENT, problem);
  return !problem;
}
