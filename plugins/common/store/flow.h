/* The bytes of one version of an object that a sequential reader comes to next, on their way. */
#ifndef STORE_FLOW_H
#define STORE_FLOW_H

#include "../blocks/reader.h"
#include "fetch.h"

typedef struct store_flow store_flow;

/* The flow of a file while nobody reads it. Starts zeroed. */
typedef struct store_flow_place {
  store_flow *_Atomic rests;
} store_flow_place;

/* Where the bytes come from. */
typedef struct store_flow_source {
  const TF_Filesystem *filesystem;
  const objects_name *name;
  const store_version *version;
} store_flow_source;

/* Reads from the flow, or from a new one where it has not come to this offset. false: the bytes are to be fetched by
 * themselves, which also finds out what is in the way. */
bool store_flow_read(store_flow_place *place, const store_flow_source *source,
                     const blocks_next *next);

/* The same, from a flow that has come to this offset alone. */
bool store_flow_go_on(store_flow_place *place, const store_flow_source *source,
                      const blocks_next *next);

void store_flow_end(store_flow_place *place);

#endif
