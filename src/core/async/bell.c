#include "bell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void bell_init(bell *self) {
  self->listener = -1;
  self->count = 0;
}

/* Leaves nothing of the socket in the file system. */
static void stop_listening(bell *self) {
  if (self->listener < 0) return;
  close(self->listener);
  self->listener = -1;
  unlink(self->path);
  *strrchr(self->path, '/') = '\0';
  rmdir(self->path);
}

void bell_fini(bell *self) {
  stop_listening(self);
  while (self->count > 0)
    close(self->connections[--self->count]);
}

static bool fail(bell *self, const char *what, TF_Status *status) {
  TF_SetStatusFromIOError(status, errno, what);
  stop_listening(self);
  return false;
}

/* Makes a directory for the socket, with the mode 0700. */
static bool make_directory(bell *self) {
  static const char directory[] = "/modfs-XXXXXX", name[] = "/bell";
  const char *place = secure_getenv("TMPDIR");
  if (!place || *place != '/' || strlen(place) + sizeof directory + sizeof name > sizeof self->path)
    place = "/tmp";
  snprintf(self->path, sizeof self->path, "%s%s", place, directory);
  return mkdtemp(self->path) != NULL;
}

bool bell_listen(bell *self, TF_Status *status) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  stop_listening(self);
  if (!make_directory(self)) {
    int number = errno;
    char what[sizeof self->path + 64];
    snprintf(what, sizeof what, "cannot wake the loop: mkdtemp %s", self->path);
    errno = number;
    return fail(self, what, status);
  }
  strcat(self->path, "/bell");
  memcpy(address.sun_path, self->path, sizeof self->path);
  self->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (self->listener < 0) {
    *strrchr(self->path, '/') = '\0';
    rmdir(self->path);
    return fail(self, "cannot wake the loop: socket", status);
  }
  if (bind(self->listener, (struct sockaddr *)&address, sizeof address) != 0)
    return fail(self, "cannot wake the loop: bind", status);
  return listen(self->listener, 1) == 0 || fail(self, "cannot wake the loop: listen", status);
}

static bool is_own(int connection) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.pid == getpid() && peer.uid == geteuid();
}

bool bell_accept(bell *self, TF_Status *status) {
  errno = EBADF;
  int taken =
      self->listener < 0 ? -1 : accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (taken < 0) return fail(self, "cannot wake the loop: accept", status);
  errno = self->count < BELL_CONNECTIONS ? EPERM : EMFILE;
  if (!is_own(taken) || self->count == BELL_CONNECTIONS) {
    close(taken);
    return fail(self, "cannot wake the loop: a connection", status);
  }
  stop_listening(self);
  self->connections[self->count++] = taken;
  return true;
}

/* A full connection has bytes that its reader has still to see. */
void bell_ring(bell *self) {
  for (size_t i = self->count; i > 0; i--) {
    int *connection = &self->connections[i - 1];
    if (send(*connection, "\n", 1, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 || errno == EAGAIN) continue;
    close(*connection);
    *connection = self->connections[--self->count];
  }
}
