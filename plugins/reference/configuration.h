/* What the environment asks for; README.md lists it.
 *
 * Read once, by SE_InitPlugin, before there is any other thread of the plugin. */
#ifndef REFERENCE_CONFIGURATION_H
#define REFERENCE_CONFIGURATION_H

#include <modfs/status.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct reference_configuration {
  uint64_t devices;
  uint64_t memory;    /* bytes of each device */
  uint64_t latency;   /* the least nanoseconds that a copy or fill takes */
  uint64_t bandwidth; /* bytes a second of one copy; 0: as fast as it goes */
} reference_configuration;

enum { REFERENCE_MOST_DEVICES = 64 };

/* Reads everything, the rules of fault.h too; a bad value is INVALID_ARGUMENT, and logged. */
bool reference_configuration_read(TF_Status *status);

const reference_configuration *reference_configuration_get(void);

#endif
