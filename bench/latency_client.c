/* A client of small requests: latency_client PORT SECONDS PAUSE-IN-MS PATH…
 * Asks for the paths in turns, each over a connection of its own, and prints for each answer the
 * number of the path, when it was asked for (ms from the start) and how long it took (us). */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PATHS_MAX = 8, ROOM = 65536 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int connect_to(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
  int one = 1, connection = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
  perror("connect");
  exit(1);
}

/* Reads one answer, which must have a length; returns its status, or 0. */
static int read_answer(int connection) {
  char answer[ROOM + 1];
  size_t used = 0, whole = 0;
  while (whole == 0 || used < whole) {
    ssize_t came = read(connection, answer + used, ROOM - used);
    if (came <= 0) return 0;
    used += (size_t)came;
    answer[used] = '\0';
    const char *body = strstr(answer, "\r\n\r\n");
    const char *length = body ? strcasestr(answer, "\r\ncontent-length:") : NULL;
    if (length) whole = (size_t)(body + 4 - answer) + strtoul(length + 17, NULL, 10);
    if (body && !length) return 0;
  }
  return atoi(answer + 9);
}

static int ask(int connection, const char *request, size_t length) {
  ssize_t sent = send(connection, request, length, MSG_NOSIGNAL);
  return sent == (ssize_t)length ? read_answer(connection) : 0;
}

int main(int count, char **values) {
  if (count < 5 || count > 4 + PATHS_MAX) return 2;
  int port = atoi(values[1]), connections[PATHS_MAX];
  double start = now(), end = start + atof(values[2]) * 1e3;
  for (int i = 0; i < count - 4; i++)
    connections[i] = connect_to(port);
  for (int n = 0; n < count - 4 || now() < end; n++) {
    int i = n % (count - 4);
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n",
                          values[4 + i]);
    double asked = now();
    int status = ask(connections[i], request, (size_t)length);
    if (status == 0) { /* nginx ends a connection after 1,000 requests */
      close(connections[i]);
      connections[i] = connect_to(port);
      asked = now();
      status = ask(connections[i], request, (size_t)length);
    }
    if (status != 200) {
      fprintf(stderr, "%s: status %d\n", values[4 + i], status);
      return 1;
    }
    printf("%d %.3f %.0f\n", i, asked - start, (now() - asked) * 1e3);
    usleep((useconds_t)(atof(values[3]) * 1e3));
  }
  return 0;
}
