/* The seam between the filesystem of objects (plugins/common/store) and the protocol of a store.
 *
 * Above it stands what all stores have in common: directories as prefixes of keys, files, parts written in
 * parallel, staged uploads, transactions, copies, deletions of trees, patterns. Below it a plugin knows
 * addresses, credentials, documents and headers, and fills this table. Upper code calls a slot and nothing
 * else of the plugin.
 *
 * For every slot:
 *   Result: true and OK, or false and a status that the protocol sets, with objects_fail where it can.
 *   Repetition: a slot repeats attempts by itself (plugins/common/net). Upper code calls once. Where the
 *     response of a write was lost, the slot finds out whether it had succeeded.
 *   Threads: any, at once, unless it says otherwise. A slot keeps its state in what it is given.
 *   Interruption: requests end by themselves (plugins/common/net), as CANCELLED.
 *   Names: of a key, unless it says "bucket". A key is used as it is.
 *   Tags: text without spaces that identifies one version of an object, an ETag or a generation. Upper code
 *     compares tags, and passes them on as conditions; it never looks into them. */
#ifndef OBJECTS_SERVICE_H
#define OBJECTS_SERVICE_H

#include "../net/stream.h"
#include "batch.h"
#include "headers.h"
#include "multipart.h"
#include "object.h"
#include "page.h"

/* A range of an object to read. The sink sees the head of a success before the body. */
typedef struct objects_get {
  const objects_name *name;
  uint64_t offset;
  uint64_t n;        /* at least 1 */
  const char *match; /* the tag that the object must have; NULL: any */
  net_sink sink;
} objects_get;

/* A copy at the server. */
typedef struct objects_copying {
  const objects_name *from;
  const objects_name *to;
  const char *match; /* the tag that the source must have; NULL: any */
} objects_copying;

/* An object as a head found it, and what its attributes are to be. */
typedef struct objects_change {
  const objects_name *name;
  const objects_object *object;
  const objects_own *own;
  const objects_attributes *attributes; /* only the known ones change */
  const objects_headers *metadata;      /* in the place of all metadata; NULL: it stays */
  const objects_headers *properties;    /* in the place of all properties; NULL: they stay */
} objects_change;

typedef struct objects_service {
  /* Words for messages. */
  const char *title; /* of the service: "S3" */
  const char *head_operation, *get_operation, *list_operation, *delete_operation;

  /* Limits of an upload in parts.
   * least_part: bytes of every part but the last. A shorter base is read, and its bytes are sent again.
   * most_part: bytes of any part.
   * granule: parts are multiples of it, and what is behind the last goes to complete; 1: all is in parts.
   * most_in_flight: parts; 1: in order, each after the answer to the one before; 0: as option parallel.
   * most_copied: bytes of a piece for copy_part; 0: as option copy_bytes. */
  int most_parts;
  int most_in_flight;
  uint64_t least_part, most_part, granule, most_copied;

  /* What the service can do.
   * copies_any_size: copy and set_attributes take every object; else those up to option copy_bytes.
   * deletes_tell: remove reports a missing object; else a head is asked first.
   * completes_if: complete checks its condition; else a head is asked before it, too.
   * one_upload_per_key: a complete ends other uploads of the key; so a transaction gives up one that a later
   *   one replaces.
   * most_batch: keys that delete_many takes at once. */
  bool copies_any_size;
  bool deletes_tell;
  bool completes_if;
  bool one_upload_per_key;
  int most_batch;

  /* Takes the bucket from the beginning of `rest`, the path behind "scheme://", into name->bucket, in the one
   * form that is compared. Sets is_root where the path names what is above the buckets. Moves `rest` to the
   * key. scheme: the path's, "s3"; "" for a path without one.
   * Errors: INVALID_ARGUMENT, with what is expected. Sends nothing. */
  objects_take_bucket *take_bucket;

  /* Tells length, tag, time and attributes of an object. own: receives what copies of it keep besides the
   * content; NULL: not wanted.
   * Errors: NOT_FOUND, if there is no such object, and in no other case.
   * Owns: the caller, objects_own_end, also on failure. */
  bool (*head)(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
               objects_own *own, TF_Status *status);

  /* Reads a range. *code: receives the HTTP status of the last response, 0 where there was none. The caller
   * checks the length, and replaces the status where its sink stopped.
   * Errors: *code 404 for a missing object, 412 where the tag is another, 416 where the object ends before
   * the range. */
  bool (*get)(const TF_Filesystem *filesystem, const objects_get *get, int *code,
              TF_Status *status);

  /* Sends the request of get once, without its sink, and waits for nothing. The caller checks the head, which must
   * be the range of a success, and calls get where anything is in the way. The slot may be NULL.
   * Result: NULL, if it could not be sent. Owns: the caller, net_stream_close. */
  net_stream *(*start_get)(const TF_Filesystem *filesystem, const objects_get *get,
                           TF_Status *status);

  /* What the head of a response to get tells: tag, time, attributes. A tag of "" is refused by the caller.
   * The length comes from Content-Range. */
  void (*read_head)(const net_answer *answer, objects_object *object);

  /* Lists one page of the keys in page->name's bucket that begin with page->prefix; where the name is a root,
   * one of its buckets, as prefixes "bucket/". Starts at page->token; NULL: at the beginning. Calls
   * objects_page_begin for each attempt, objects_page_add for each entry in any order, and objects_page_more
   * with the next token. A listing that may be incomplete is a failure, never a shorter page.
   * Errors: NOT_FOUND for a missing bucket. */
  bool (*list)(const TF_Filesystem *filesystem, objects_page *page, TF_Status *status);

  /* Writes an object with one request: all of it or nothing. tag: receives the new one.
   * Errors: ALREADY_EXISTS or ABORTED by objects_condition_fail, where the condition is not met. */
  bool (*put)(const TF_Filesystem *filesystem, const objects_new_object *object,
              char tag[OBJECTS_TAG_SIZE], TF_Status *status);

  /* Uploads in parts (multipart.h). begin opens one, and sets upload->state. upload->base tells what the
   * object is to start with, if it has a name. One thread at a time; nothing is in flight. */
  bool (*begin)(objects_multipart *upload, TF_Status *status);

  /* Sends a part. Parts may arrive in any order, unless most_in_flight is 1. A part that is sent twice
   * replaces itself. tag: receives what complete needs of it, "" if nothing. Threads: many at once, which
   * only read the upload, or as many as most_in_flight says. */
  bool (*put_part)(const objects_multipart *upload, const objects_place *place,
                   const objects_content *content, char tag[OBJECTS_TAG_SIZE], TF_Status *status);

  /* Copies a piece of another object, or of this one, into a part. store_part_by_reading fits where the
   * server cannot. NULL: begin and complete see to the base themselves; its bytes are no parts, and offsets
   * of parts start behind it. Such a service must take copies of any size.
   * Errors: ABORTED, if the tag is another. */
  bool (*copy_part)(const objects_multipart *upload, const objects_place *place,
                    const objects_piece *piece, char tag[OBJECTS_TAG_SIZE], TF_Status *status);

  /* Makes the object from the base, the parts and the tail, under upload->condition. tag: receives the
   * object's. After a failure the upload is still open. One thread; nothing is in flight.
   * Errors: as put. */
  bool (*complete)(objects_multipart *upload, const objects_completion *completion,
                   char tag[OBJECTS_TAG_SIZE], TF_Status *status);

  /* Asks the server to discard an open upload, also after an interruption (net_request.cleans_up). Failures
   * are silent. */
  void (*abort)(objects_multipart *upload);

  /* Frees upload->state, without a request: after complete, after abort, and in a forked child. */
  void (*end)(objects_multipart *upload);

  /* Copies an object with its metadata and type, at the server. Neither name is checked, and an existing
   * target is replaced.
   * Errors: ABORTED, if the source has another tag. */
  bool (*copy)(const TF_Filesystem *filesystem, const objects_copying *copying, TF_Status *status);

  /* Changes attributes of an object, and nothing else of it.
   * Errors: ABORTED, if the object is no longer the one that the head found. */
  bool (*set_attributes)(const TF_Filesystem *filesystem, const objects_change *change,
                         TF_Status *status);

  /* Adds all metadata of an object as items "name: value", from what a head told; false without memory. NULL:
   * the plugin has no extended attributes. takes_metadata: whether an item can have that name. most_metadata: the
   * bytes of all names and values. */
  bool (*metadata)(const objects_own *own, objects_headers *items);
  bool (*takes_metadata)(const char *name);
  size_t most_metadata;

  /* The same for the object's properties (metadata.h). */
  bool (*properties)(const objects_own *own, objects_headers *items);

  /* Deletes an object. *missing: whether the server told that it did not exist, which is a success. */
  bool (*remove)(const TF_Filesystem *filesystem, const objects_name *name, bool *missing,
                 TF_Status *status);

  /* Deletes the keys of a batch with one request, and calls objects_batch_left for each that is left. NULL:
   * each key is deleted by remove, several at a time.
   * Result: whether the batch is settled. false with OK: the server does not know the request, and the keys
   * are deleted by remove, now and later; false with a failure: all are left. */
  bool (*delete_many)(const objects_batch *batch, TF_Status *status);

  /* Whether delete_many can take this key; NULL: every key. */
  bool (*batch_takes)(const char *key);

  /* hashes: the checksums that the server keeps, by their names, "etag md5". stored_hash gives one of them, in
   * the form of the extension's slot, from what a head told.
   * Errors: NOT_FOUND, if this object has none; DATA_LOSS, if the server sent none that it must have.
   * Owns: the caller, free(). */
  const char *hashes;
  char *(*stored_hash)(const objects_change *found, const char *algorithm, TF_Status *status);

  /* Create and delete a bucket. The caller has checked that it does not exist, or that its name is no root.
   * Errors: ALREADY_EXISTS, where it exists nevertheless; FAILED_PRECONDITION, where it is not empty. */
  bool (*create_bucket)(const TF_Filesystem *filesystem, const objects_name *name,
                        TF_Status *status);
  bool (*delete_bucket)(const TF_Filesystem *filesystem, const objects_name *name,
                        TF_Status *status);
} objects_service;

/* Declares a function that fills a slot, with its parameters: OBJECTS_SLOT(head) s3_head; */
#define OBJECTS_SLOT(slot) __typeof__(*((objects_service *)0)->slot)

#endif
