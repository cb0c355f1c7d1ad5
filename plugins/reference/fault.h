/* Injected failures: MODFS_REFERENCE_FAULTS.
 *
 * A comma-separated list of rules; each is a kind, a colon and a number: copy:5 fails
 * the fifth copy since SE_InitPlugin, copy:5+ that one and all later ones. Calls are
 * counted in the order of arrival, whatever their device or stream. */
#ifndef REFERENCE_FAULT_H
#define REFERENCE_FAULT_H

#include <stdbool.h>

typedef enum reference_fault {
  REFERENCE_FAULT_ALLOC,   /* allocate */
  REFERENCE_FAULT_HOST,    /* host_memory_allocate */
  REFERENCE_FAULT_UNIFIED, /* unified_memory_allocate */
  REFERENCE_FAULT_STREAM,  /* create_stream */
  REFERENCE_FAULT_EVENT,   /* record_event */
  REFERENCE_FAULT_COPY,    /* the six copies */
  REFERENCE_FAULT_FILL,    /* mem_zero, memset, memset32 */
  REFERENCE_FAULT_CALLBACK /* host_callback */
} reference_fault;

/* Replaces the rules and resets the counts; "" means no rules. */
bool reference_fault_parse(const char *text);

/* Counts a call; true: it must fail. */
bool reference_fault_due(reference_fault kind);

#endif
