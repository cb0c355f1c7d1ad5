/* Finding an upload without its id.
 *
 * Other writers may have uploads of the same key, and theirs must stay. So the server lists the uploads
 * of the key, with the times when they were begun, by its own clock; the answer that was not understood
 * tells the time of that clock as well. An upload is ours if it is the only one that was begun then.
 *
 * The listing is not encoded: a key that XML cannot represent is not found. All state is on the stack. */
#include "untold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/objects/send.h"
#include "../common/xml/xml.h"

enum { MOST_PAGE = 1 << 20, ID_SIZE = 2048, TIME_SIZE = 40, MOST_ABORT_MS = 30000 };

typedef struct search {
  const char *key;
  char since[TIME_SIZE]; /* 2013-05-24T00:00:00 */
  /* The present element. */
  bool is_of_key;
  bool is_recent;
  char id[ID_SIZE];
  /* What was found. */
  int count;
  char found[ID_SIZE];
} search;

static void end_upload(search *self) {
  if (self->is_of_key && self->is_recent && self->id[0]) {
    self->count++;
    memcpy(self->found, self->id, sizeof self->found);
  }
  self->is_of_key = self->is_recent = false;
  self->id[0] = '\0';
}

static bool on_element(void *state, const char *path, const char *text) {
  search *self = state;
  const char *name = xml_below_root(path);
  if (strcmp(name, "/Upload/Key") == 0) self->is_of_key = strcmp(text, self->key) == 0;
  if (strcmp(name, "/Upload/Initiated") == 0) self->is_recent = strcmp(text, self->since) >= 0;
  if (strcmp(name, "/Upload/UploadId") == 0 && strlen(text) < sizeof self->id)
    snprintf(self->id, sizeof self->id, "%s", text);
  if (strcmp(name, "/Upload") == 0) end_upload(self);
  return true;
}

/* The second before that of the answer; false when the answer has no date. */
static bool take_time(const net_answer *answer, char since[TIME_SIZE]) {
  char date[64];
  struct tm parts;
  time_t then =
      net_answer_header(answer, "Date", date, sizeof date) ? (time_t)net_time(date) - 1 : -1;
  return then > 0 && gmtime_r(&then, &parts) &&
         strftime(since, TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &parts) > 0;
}

static bool list(const TF_Filesystem *filesystem, const objects_name *name, search *self,
                 TF_Status *status) {
  const s3_pair query[] = {{"uploads", ""}, {"prefix", name->key}, {NULL, NULL}};
  s3_answer answer;
  objects_document page = {.most = MOST_PAGE};
  s3_request request = {
      "ListMultipartUploads", "GET",          name,
      .of_bucket = true,      .query = query, .sink = objects_document_sink(&page),
      .cleans_up = true};
  bool good = s3_request_run(filesystem, &request, &answer, status);
  good = good && xml_read(on_element, self, page.bytes, page.length);
  objects_document_end(&page);
  s3_answer_end(&answer);
  return good;
}

bool s3_untold_abort(const TF_Filesystem *filesystem, const objects_name *name,
                     const net_answer *answer) {
  search self = {.key = name->key};
  TF_Status *status = TF_NewStatus();
  bool only = status && take_time(answer, self.since) && list(filesystem, name, &self, status) &&
              self.count == 1;
  TF_DeleteStatus(status);
  return only && s3_upload_id_abort(filesystem, name, self.found);
}

bool s3_upload_id_abort(const TF_Filesystem *filesystem, const objects_name *name, const char *id) {
  const s3_pair query[] = {{"uploadId", id}, {NULL, NULL}};
  s3_answer answer = {0};
  s3_request request = {
      "AbortMultipartUpload", "DELETE",          name,
      .query = query,         .cleans_up = true, .deadline = net_now() + MOST_ABORT_MS};
  TF_Status *status = TF_NewStatus();
  bool good = status && s3_request_run(filesystem, &request, &answer, status);
  TF_DeleteStatus(status);
  s3_answer_end(&answer);
  return good;
}
