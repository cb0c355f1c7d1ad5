/* Upload sessions: bytes that are sent in order, in one request or several. */
#ifndef GS_SESSION_H
#define GS_SESSION_H

#include "../common/json/json.h"
#include "../common/objects/object.h"
#include "filesystem.h"
#include "metadata.h"

/* What a session is to create. */
typedef struct gs_new_session {
  const objects_name *name;
  const char *metadata; /* JSON */
  const char *type;     /* of the content; "": the server's default */
  objects_condition condition;
} gs_new_session;

/* Opens a session and returns its path at the server, which is as good as a token for this one object; NULL on
 * failure. Owns: the caller, gs_session_free. */
char *gs_session_open(const TF_Filesystem *filesystem, const gs_new_session *wanted,
                      TF_Status *status);
void gs_session_free(char *path);

/* Bytes of a session. */
typedef struct gs_chunk {
  const objects_name *name; /* for messages */
  const char *path;
  uint64_t from; /* of the first byte */
  objects_content content;
  bool is_last; /* the object ends with it */
} gs_chunk;

/* Sends a chunk. *resource: receives the object that the last one makes; the caller frees it, json_free.
 * *refused: the HTTP status of the response that ended it, 0 where none did. */
bool gs_session_send(const TF_Filesystem *filesystem, const gs_chunk *chunk, json_value **resource,
                     int *refused, TF_Status *status);

/* Discards a session. Failures are silent. */
void gs_session_cancel(const TF_Filesystem *filesystem, const objects_name *name, const char *path);

#endif
