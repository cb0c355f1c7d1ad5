#include "profile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILE = 256 * 1024 };

/* The file as one string; NULL when it is unreadable or too long. Owns: the caller, wipe_text. */
static char *read_text(const char *file) {
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return NULL;
  char *text = calloc(1, MOST_FILE);
  size_t length = 0;
  ssize_t n = 1;
  while (text && n > 0 && length < MOST_FILE - 1) {
    n = read(fd, text + length, MOST_FILE - 1 - length);
    if (n > 0) length += (size_t)n;
  }
  close(fd);
  return text;
}

static void wipe_text(char *text) {
  if (text) explicit_bzero(text, MOST_FILE);
  free(text);
}

/* Trims blanks from both ends, in place. */
static char *trim(char *text) {
  text += strspn(text, " \t\r");
  size_t n = strlen(text);
  while (n > 0 && strchr(" \t\r", text[n - 1]))
    text[--n] = '\0';
  return text;
}

/* Receives the settings of a section. */
typedef void take_setting(void *state, const char *name, const char *value);

static void take_key(void *state, const char *name, const char *value) {
  s3_credentials *credentials = state;
  char *place = strcmp(name, "aws_access_key_id") == 0       ? credentials->key_id
                : strcmp(name, "aws_secret_access_key") == 0 ? credentials->secret
                : strcmp(name, "aws_session_token") == 0     ? credentials->token
                                                             : NULL;
  size_t n = strlen(value);
  if (place && n < OPTION_SECRET_SIZE) memcpy(place, value, n + 1);
}

/* "[name]", or "[profile name]" as in Amazon's config file. */
static bool is_section(char *line, const char *section) {
  char *end = strchr(line, ']');
  if (!end) return false;
  *end = '\0';
  char *name = trim(line + 1);
  if (strncmp(name, "profile ", 8) == 0) name = trim(name + 8);
  return strcmp(name, section) == 0;
}

static void read_sections(char *text, const char *section, take_setting *take, void *state) {
  bool inside = false;
  for (char *next = text; next;) {
    char *line = trim(strsep(&next, "\n"));
    char *equals = strchr(line, '=');
    if (*line == '[') {
      inside = is_section(line, section);
    } else if (inside && equals && *line != '#' && *line != ';') {
      *equals = '\0';
      take(state, trim(line), trim(equals + 1));
    }
  }
}

bool s3_profile_read(const char *file, const char *section, s3_credentials *credentials) {
  char *text = read_text(file);
  if (!text) return false;
  read_sections(text, section, take_key, credentials);
  wipe_text(text);
  return *credentials->key_id && *credentials->secret;
}

typedef struct search {
  const char *name;
  char *value;
  size_t size;
  bool found;
} search;

static void take_named(void *state, const char *name, const char *value) {
  search *self = state;
  size_t n = strlen(value);
  if (strcmp(name, self->name) != 0 || n == 0 || n >= self->size) return;
  memcpy(self->value, value, n + 1);
  self->found = true;
}

bool s3_profile_find(const char *file, const char *section, const char *name, char *value,
                     size_t size) {
  search self = {.name = name, .value = value, .size = size};
  char *text = read_text(file);
  if (!text) return false;
  read_sections(text, section, take_named, &self);
  wipe_text(text);
  return self.found;
}

bool s3_profile_read_line(const char *file, char *line, size_t size) {
  char *text = read_text(file);
  if (!text) return false;
  text[strcspn(text, "\n")] = '\0';
  const char *found = trim(text);
  size_t n = strlen(found);
  bool good = n > 0 && n < size;
  if (good) memcpy(line, found, n + 1);
  wipe_text(text);
  return good;
}
