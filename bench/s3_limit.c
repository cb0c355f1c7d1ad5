/* What the requests of s3_cases.lua cost in plain C over libcurl, which signs them: a program like the others there.
 * Nothing is checked but the status, and nothing is repeated.
 *   s3_limit get URL                  reads one object
 *   s3_limit put URL FILE             writes one in parts of 8 MiB, four at a time, and signs their content
 *   s3_limit get-many URL DIR COUNT   reads URL1, URL2, … into files of a new folder, eight at a time
 *   s3_limit put-many URL DIR COUNT   writes them, and signs their content
 *   s3_limit list URL                 counts the keys; URL has a query that ends in "prefix=" and a prefix
 * The key is that of the variables MODFS_S3_ACCESS_KEY_ID and MODFS_S3_SECRET_ACCESS_KEY. */
#include <curl/curl.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MOST_URL = 1024,
  PART = 8 << 20,
  MOST_PARTS = 1000,
  TAG = 80,
  MANY_THREADS = 8,
  PART_THREADS = 4,
  BUFFER = 256 * 1024
};

/* What comes, with a NUL behind it. */
typedef struct text {
  char *bytes;
  size_t length, room;
} text;

/* A connection of one thread, and one request over it after the other. */
typedef struct client {
  CURL *curl;
  char user[256];
  text answer;
  char tag[TAG];
  char *part; /* the bytes of the present one */
  /* The body. */
  const char *bytes;
  size_t left;
} client;

static size_t take(char *bytes, size_t size, size_t count, void *state) {
  text *answer = state;
  size_t n = size * count;
  if (answer->length + n >= answer->room) {
    answer->room = 2 * (answer->length + n) + BUFFER;
    answer->bytes = realloc(answer->bytes, answer->room);
    if (!answer->bytes) return 0;
  }
  memcpy(answer->bytes + answer->length, bytes, n);
  answer->length += n;
  answer->bytes[answer->length] = '\0';
  return n;
}

/* As a reader who goes on with each piece. */
static size_t pass(char *bytes, size_t size, size_t count, void *state) {
  size_t n = size * count;
  memcpy(state, bytes, n < BUFFER ? n : BUFFER);
  return n;
}

static size_t give(char *buffer, size_t size, size_t count, void *state) {
  client *self = state;
  size_t n = size * count < self->left ? size * count : self->left;
  memcpy(buffer, self->bytes, n);
  self->bytes += n;
  self->left -= n;
  return n;
}

static size_t take_header(char *line, size_t size, size_t count, void *state) {
  client *self = state;
  if (strncasecmp(line, "ETag:", 5) == 0) sscanf(line + 5, " %79[^\r\n]", self->tag);
  return size * count;
}

static void begin(client *self) {
  *self = (client){.curl = curl_easy_init()};
  snprintf(self->user, sizeof self->user, "%s:%s", getenv("MODFS_S3_ACCESS_KEY_ID"),
           getenv("MODFS_S3_SECRET_ACCESS_KEY"));
}

static void end(client *self) {
  curl_easy_cleanup(self->curl);
  free(self->answer.bytes);
  free(self->part);
}

static struct curl_slist *header_of_hash(const char *bytes, size_t n) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  char line[128] = "x-amz-content-sha256: ";
  EVP_Digest(bytes, n, digest, NULL, EVP_sha256(), NULL);
  for (char *at = line + strlen(line), *next = (char *)digest; next < (char *)digest + 32; next++)
    at += sprintf(at, "%02x", (unsigned char)*next);
  return curl_slist_append(NULL, line);
}

static void set_all(client *self, const char *method, const char *url,
                    const struct curl_slist *headers) {
  curl_easy_reset(self->curl);
  curl_easy_setopt(self->curl, CURLOPT_URL, url);
  curl_easy_setopt(self->curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(self->curl, CURLOPT_AWS_SIGV4, "aws:amz:us-east-1:s3");
  curl_easy_setopt(self->curl, CURLOPT_USERPWD, self->user);
  curl_easy_setopt(self->curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(self->curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(self->curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(self->curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
  curl_easy_setopt(self->curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(self->curl, CURLOPT_WRITEDATA, &self->answer);
}

/* bytes: the body; NULL: none. The answer is in self->answer. */
static bool ask(client *self, const char *method, const char *url, const char *bytes, size_t n) {
  struct curl_slist *headers = header_of_hash(bytes ? bytes : "", bytes ? n : 0);
  set_all(self, method, url, headers);
  self->answer.length = 0;
  self->bytes = bytes;
  self->left = n;
  if (bytes) {
    curl_easy_setopt(self->curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(self->curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)n);
    curl_easy_setopt(self->curl, CURLOPT_UPLOAD_BUFFERSIZE, (long)BUFFER);
    curl_easy_setopt(self->curl, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(self->curl, CURLOPT_READDATA, self);
    curl_easy_setopt(self->curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(self->curl, CURLOPT_HEADERDATA, self);
  }
  bool good = curl_easy_perform(self->curl) == CURLE_OK;
  curl_slist_free_all(headers);
  return good;
}

static bool get(const char *url) {
  client self;
  char *buffer = malloc(BUFFER);
  begin(&self);
  struct curl_slist *headers = header_of_hash("", 0);
  set_all(&self, "GET", url, headers);
  curl_easy_setopt(self.curl, CURLOPT_BUFFERSIZE, BUFFER / 2L);
  curl_easy_setopt(self.curl, CURLOPT_WRITEFUNCTION, pass);
  curl_easy_setopt(self.curl, CURLOPT_WRITEDATA, buffer);
  bool good = buffer && curl_easy_perform(self.curl) == CURLE_OK;
  curl_slist_free_all(headers);
  end(&self);
  free(buffer);
  return good;
}

/* Several threads that each take what is next ------------------------------------------------ */

typedef struct job {
  bool (*work)(struct job *job, client *self, int i);
  const char *url, *path;
  int count;
  atomic_int next;
  atomic_bool failed;
  char id[MOST_URL];
  char tags[MOST_PARTS][TAG];
} job;

static void *run(void *state) {
  job *all = state;
  client self;
  begin(&self);
  for (int i = 0; !all->failed && (i = all->next++) < all->count;)
    if (!all->work(all, &self, i)) all->failed = true;
  end(&self);
  return NULL;
}

static bool run_all(job *all, int most) {
  pthread_t threads[MANY_THREADS];
  for (int i = 0; i < most; i++)
    if (pthread_create(&threads[i], NULL, run, all) != 0) exit(EXIT_FAILURE);
  for (int i = 0; i < most; i++)
    pthread_join(threads[i], NULL);
  return !all->failed;
}

static bool get_one(job *all, client *self, int i) {
  char url[MOST_URL], path[MOST_URL];
  snprintf(url, sizeof url, "%s%d", all->url, i + 1);
  snprintf(path, sizeof path, "%s/f%d", all->path, i + 1);
  if (!ask(self, "GET", url, NULL, 0)) return false;
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
  return file >= 0 &&
         write(file, self->answer.bytes, self->answer.length) == (ssize_t)self->answer.length &&
         close(file) == 0;
}

static bool put_one(job *all, client *self, int i) {
  char url[MOST_URL], path[MOST_URL], content[4096];
  snprintf(url, sizeof url, "%s%d", all->url, i + 1);
  snprintf(path, sizeof path, "%s/f%d", all->path, i + 1);
  int file = open(path, O_RDONLY);
  ssize_t n = file >= 0 ? read(file, content, sizeof content) : -1;
  return n >= 0 && close(file) == 0 && ask(self, "PUT", url, content, (size_t)n);
}

/* Parts -------------------------------------------------------------------------------------- */

static bool put_part(job *all, client *self, int i) {
  char url[3 * MOST_URL];
  if (!self->part) self->part = malloc(PART);
  int file = open(all->path, O_RDONLY);
  ssize_t n = self->part ? pread(file, self->part, PART, (off_t)i * PART) : -1;
  snprintf(url, sizeof url, "%s?partNumber=%d&uploadId=%s", all->url, i + 1, all->id);
  bool good = n > 0 && close(file) == 0 && ask(self, "PUT", url, self->part, (size_t)n);
  snprintf(all->tags[i], TAG, "%s", self->tag);
  return good;
}

static bool begin_parts(job *all, client *self) {
  char url[MOST_URL];
  snprintf(url, sizeof url, "%s?uploads=", all->url);
  if (!ask(self, "POST", url, "", 0)) return false;
  const char *id = strstr(self->answer.bytes, "<UploadId>");
  return id && sscanf(id, "<UploadId>%1000[^<]", all->id) == 1;
}

static bool complete(const job *all, client *self) {
  char url[3 * MOST_URL], *body = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&body, &n);
  fputs("<CompleteMultipartUpload>", out);
  for (int i = 0; i < all->count; i++)
    fprintf(out, "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>", i + 1, all->tags[i]);
  fputs("</CompleteMultipartUpload>", out);
  fclose(out);
  snprintf(url, sizeof url, "%s?uploadId=%s", all->url, all->id);
  bool good = ask(self, "POST", url, body, n);
  free(body);
  return good;
}

static bool put(job *all) {
  struct stat of;
  client self;
  if (stat(all->path, &of) != 0) return false;
  all->count = (int)((of.st_size + PART - 1) / PART);
  all->work = put_part;
  begin(&self);
  bool good = all->count <= MOST_PARTS && begin_parts(all, &self) && run_all(all, PART_THREADS) &&
              complete(all, &self);
  end(&self);
  return good;
}

/* Listing ------------------------------------------------------------------------------------ */

/* The text of the last element of that name; NULL: there is none. */
static char *last_text(const char *answer, const char *name) {
  const char *found = NULL;
  for (const char *at = answer; (at = strstr(at, name)); at++)
    found = at + strlen(name);
  return found ? strndup(found, strcspn(found, "<")) : NULL;
}

static bool list(const char *query) {
  client self;
  char url[4 * MOST_URL];
  int keys = 0;
  begin(&self);
  snprintf(url, sizeof url, "%s", query);
  char *after = NULL;
  bool good = true, more = true;
  while (good && more) {
    good = ask(&self, "GET", url, NULL, 0);
    for (const char *at = good ? self.answer.bytes : ""; (at = strstr(at, "<Key>")); at++)
      keys++;
    more = good && strstr(self.answer.bytes, "<IsTruncated>true");
    after = more ? last_text(self.answer.bytes, "<Key>") : NULL;
    char *escaped = after ? curl_easy_escape(self.curl, after, 0) : NULL;
    if (escaped) snprintf(url, sizeof url, "%s&start-after=%s", query, escaped);
    curl_free(escaped);
    free(after);
  }
  end(&self);
  printf("%d\n", keys);
  return good;
}

static bool run_line(int argc, char **argv, job *all) {
  const char *what = argc > 2 ? argv[1] : "";
  all->url = argc > 2 ? argv[2] : "";
  all->path = argc > 3 ? argv[3] : "";
  all->count = argc > 4 ? atoi(argv[4]) : 0;
  if (strcmp(what, "get") == 0) return get(all->url);
  if (strcmp(what, "put") == 0) return put(all);
  if (strcmp(what, "list") == 0) return list(all->url);
  bool gets = strcmp(what, "get-many") == 0;
  all->work = gets ? get_one : put_one;
  if (gets && mkdir(all->path, 0755) != 0) return false;
  return (gets || strcmp(what, "put-many") == 0) && run_all(all, MANY_THREADS);
}

int main(int argc, char **argv) {
  job *all = calloc(1, sizeof *all);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  bool fine = all && run_line(argc, argv, all);
  free(all);
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
