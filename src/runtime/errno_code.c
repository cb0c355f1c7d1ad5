#include "errno_code.h"

#include <errno.h>
#include <stddef.h>

typedef struct errno_group {
  TF_Code code;
  int errnos[16]; /* ends with 0 */
} errno_group;

static const errno_group groups[] = {
    {TF_INVALID_ARGUMENT,
     {EINVAL, ENAMETOOLONG, E2BIG, EDESTADDRREQ, EDOM, EFAULT, EILSEQ, ENOPROTOOPT, ENOSTR,
      ENOTSOCK, ENOTTY, EPROTOTYPE, ESPIPE}},
    {TF_DEADLINE_EXCEEDED, {ETIMEDOUT, ETIME}},
    {TF_NOT_FOUND, {ENODEV, ENOENT, ENXIO, ESRCH}},
    {TF_ALREADY_EXISTS, {EEXIST, EADDRNOTAVAIL, EALREADY}},
    {TF_PERMISSION_DENIED, {EPERM, EACCES, EROFS}},
    {TF_FAILED_PRECONDITION,
     {ENOTEMPTY, EISDIR, ENOTDIR, EADDRINUSE, EBADF, EBUSY, ECHILD, EISCONN, ENOTBLK, ENOTCONN,
      EPIPE, ESHUTDOWN, ETXTBSY}},
    {TF_RESOURCE_EXHAUSTED,
     {ENOSPC, EDQUOT, EMFILE, EMLINK, ENFILE, ENOBUFS, ENODATA, ENOMEM, ENOSR, EUSERS}},
    {TF_OUT_OF_RANGE, {EFBIG, EOVERFLOW, ERANGE}},
    {TF_UNIMPLEMENTED,
     {ENOSYS, ENOTSUP, EAFNOSUPPORT, EPFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT, EXDEV}},
    {TF_UNAVAILABLE,
     {EAGAIN, ECONNREFUSED, ECONNABORTED, ECONNRESET, EINTR, EHOSTDOWN, EHOSTUNREACH, ENETDOWN,
      ENETRESET, ENETUNREACH, ENOLCK, ENOLINK, ENONET}},
    {TF_ABORTED, {EDEADLK, ESTALE}},
    {TF_CANCELLED, {ECANCELED}},
};

TF_Code modfs_errno_code(int error_code) {
  if (error_code == 0) return TF_OK;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    for (const int *e = groups[i].errnos; *e; e++)
      if (*e == error_code) return groups[i].code;
  return TF_UNKNOWN;
}
