#include "configuration.h"

#include <stdio.h>
#include <stdlib.h>

#include "fault.h"
#include "log.h"

static reference_configuration current;

/* Digits only: no sign, no blank, no unit. */
static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *value) {
  uint64_t sum = 0;
  for (const char *at = text; *at; ++at) {
    if (*at < '0' || *at > '9' || sum > (most - (uint64_t)(*at - '0')) / 10) return false;
    sum = sum * 10 + (uint64_t)(*at - '0');
  }
  *value = sum;
  return sum >= least;
}

static bool refuse(const char *name, const char *wanted, TF_Status *status) {
  char message[256];
  snprintf(message, sizeof message, "%s is not %s", name, wanted);
  reference_log(TF_ERROR, "%s", message);
  TF_SetStatus(status, TF_INVALID_ARGUMENT, message);
  return false;
}

/* An empty variable counts as unset. */
static bool read_number(const char *name, uint64_t least, uint64_t most, uint64_t *value,
                        TF_Status *status) {
  char wanted[96];
  const char *text = secure_getenv(name);
  if (!text || !*text || parse_number(text, least, most, value)) return true;
  snprintf(wanted, sizeof wanted, "a number from %llu to %llu", (unsigned long long)least,
           (unsigned long long)most);
  return refuse(name, wanted, status);
}

static bool read_faults(const char *name, TF_Status *status) {
  const char *text = secure_getenv(name);
  return reference_fault_parse(text ? text : "") ||
         refuse(name, "a list of rules such as alloc:3,copy:5+,event:2", status);
}

bool reference_configuration_read(TF_Status *status) {
  const uint64_t exabyte = UINT64_C(1) << 60, ten_seconds = UINT64_C(10000000000);
  current = (reference_configuration){.devices = 2, .memory = UINT64_C(1) << 30};
  return read_number("MODFS_REFERENCE_DEVICES", 0, REFERENCE_MOST_DEVICES, &current.devices,
                     status) &&
         read_number("MODFS_REFERENCE_MEMORY", 1, exabyte, &current.memory, status) &&
         read_number("MODFS_REFERENCE_LATENCY_NS", 0, ten_seconds, &current.latency, status) &&
         read_number("MODFS_REFERENCE_BANDWIDTH", 1, exabyte, &current.bandwidth, status) &&
         read_faults("MODFS_REFERENCE_FAULTS", status);
}

const reference_configuration *reference_configuration_get(void) {
  return &current;
}
