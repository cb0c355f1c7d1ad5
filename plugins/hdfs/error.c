#include "error.h"

#include <string.h>

#include "../common/net/code.h"
#include "../common/remote/failure.h"

/* The first line: behind it come the server's stack frames. */
static void keep(char *place, size_t size, const char *text) {
  remote_keep_text(place, size, text, strcspn(text, "\r\n"));
}

void hdfs_error_take(const json_value *root, const char *reason, hdfs_error *error) {
  *error = (hdfs_error){"", ""};
  const json_value *found = json_member(root, "RemoteException");
  const char *exception = json_member_text(found, "exception");
  const char *message = json_member_text(found, "message");
  if (exception) keep(error->exception, sizeof error->exception, exception);
  keep(error->message, sizeof error->message, message ? message : found ? "" : reason);
}

void hdfs_error_parse(const char *bytes, size_t n, const char *reason, hdfs_error *error) {
  json_value *root = json_parse(bytes, n);
  hdfs_error_take(root, reason, error);
  json_free(root);
}

bool hdfs_error_is(const hdfs_error *error, const char *exception) {
  return strcmp(error->exception, exception) == 0;
}

static TF_Code code_of_exception(const char *exception) {
  static const remote_reason known[] = {
      {TF_NOT_FOUND, "FileNotFoundException NoSuchFileException"},
      {TF_PERMISSION_DENIED, "AccessControlException SecurityException "
                             "AuthorizationException"},
      /* The last one is of a token whose bytes are none: a length in there is negative. */
      {TF_UNAUTHENTICATED, "InvalidToken AuthenticationException NegativeArraySizeException"},
      {TF_ALREADY_EXISTS, "FileAlreadyExistsException"},
      {TF_FAILED_PRECONDITION, "ParentNotDirectoryException PathIsNotDirectoryException "
                               "PathIsNotEmptyDirectoryException"},
      {TF_INVALID_ARGUMENT, "InvalidPathException IllegalArgumentException "
                            "HadoopIllegalArgumentException PathComponentTooLongException"},
      {TF_RESOURCE_EXHAUSTED, "MaxDirectoryItemsExceededException DSQuotaExceededException "
                              "NSQuotaExceededException QuotaByStorageTypeExceededException "
                              "QuotaExceededException"},
      {TF_UNAVAILABLE, "StandbyException RetriableException SafeModeException "
                       "ConnectException"},
      {TF_UNIMPLEMENTED, "UnsupportedOperationException"},
      {TF_ABORTED, "AlreadyBeingCreatedException RecoveryInProgressException "
                   "LeaseExpiredException"},
  };
  return remote_reason_code(known, sizeof known / sizeof *known, exception);
}

/* What has no exception of its own. */
static bool lacks_nodes(const char *message) {
  return strstr(message, "Failed to find datanode") ||
         strstr(message, "No active nodes contain this block") ||
         strstr(message, "could only be written to") || strstr(message, "Could not obtain block") ||
         strstr(message, "are bad. Aborting");
}

/* Tokens and tickets that a name node refuses: it packs the first into a SecurityException, as it does a
 * token that it cannot decode, and answers the second with a page in HTML. */
static bool lacks_identity(const char *message) {
  return strstr(message, "SecretManager$InvalidToken") ||
         strstr(message, "obtain user group information: java.") ||
         strncmp(message, "GSSException", 12) == 0 ||
         strstr(message, "not authenticated by filter");
}

TF_Code hdfs_error_code(const hdfs_error *error, int http_status) {
  TF_Code code = code_of_exception(error->exception);
  if (code == TF_PERMISSION_DENIED && strstr(error->message, "(is not a directory)"))
    return TF_FAILED_PRECONDITION; /* a file stands above it */
  /* curl drops the query of a URL when memory is short. */
  if (strncmp(error->message, "op=NULL", 7) == 0) return TF_RESOURCE_EXHAUSTED;
  if (lacks_identity(error->message)) return TF_UNAUTHENTICATED;
  if (code != TF_OK) return code;
  if (lacks_nodes(error->message)) return TF_UNAVAILABLE;
  if (error->exception[0] && http_status == 403) return TF_FAILED_PRECONDITION;
  return http_status == 501 ? TF_UNIMPLEMENTED : net_code_of_status(http_status);
}
