/* The configuration from the environment; README.md lists the variables.
 *
 * Read once, by SE_InitPlugin, before the plugin has any other thread. */
#ifndef REFERENCE_CONFIGURATION_H
#define REFERENCE_CONFIGURATION_H

#include <modfs/status.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct reference_configuration {
  uint64_t devices;
  uint64_t memory;    /* bytes of each device */
  uint64_t latency;   /* least duration of a copy or fill, in nanoseconds */
  uint64_t bandwidth; /* bytes per second of one copy; 0: unlimited */
} reference_configuration;

enum { REFERENCE_MOST_DEVICES = 64 };

/* Reads all variables, also the rules of fault.h; a bad value is INVALID_ARGUMENT, and logged. */
bool reference_configuration_read(TF_Status *status);

const reference_configuration *reference_configuration_get(void);

#endif
