#include "numa.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool list_number(const char **text, int *number) {
  char *end;
  if (**text < '0' || **text > '9') return false;
  long value = strtol(*text, &end, 10);
  if (value >= CPU_SETSIZE) return false;
  *text = end;
  *number = (int)value;
  return true;
}

static bool list_range(const char **text, cpu_set_t *processors) {
  int first;
  if (!list_number(text, &first)) return false;
  int last = first;
  if (**text == '-') {
    ++*text;
    if (!list_number(text, &last)) return false;
  }
  for (int i = first; i <= last; i++)
    CPU_SET((size_t)i, processors);
  return true;
}

bool modfs_numa_parse(const char *text, cpu_set_t *processors) {
  CPU_ZERO(processors);
  while (list_range(&text, processors))
    if (*text++ != ',') return text[-1] == '\n' || text[-1] == '\0';
  return false;
}

static bool list_read(int node, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t got = read(fd, text, size - 1);
  close(fd);
  if (got <= 0) return false;
  text[got] = '\0';
  return true;
}

bool modfs_numa_processors(int node, cpu_set_t *processors) {
  char text[4096];
  cpu_set_t allowed;
  if (node < 0 || !list_read(node, text, sizeof text)) return false;
  if (!modfs_numa_parse(text, processors)) return false;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  CPU_AND(processors, processors, &allowed);
  return CPU_COUNT(processors) > 0;
}
