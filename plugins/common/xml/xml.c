#include "xml.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "../wiped/wiped.h"
#include "clean.h"

enum {
  PATH_SIZE = 256,
  MOST_DEPTH = 16,
  MOST_TEXT = 16 * 1024,
  MOST_BYTES = 16 * 1024 * 1024,
  MOST_ATTRIBUTES = 256,
  PIECE = 4096
};

struct xml_reader {
  XML_Parser parser;
  xml_visit visit;
  void *state;
  bool stopped;
  int depth;
  size_t seen;
  size_t length; /* of path */
  size_t text_length;
  xml_clean clean;
  char attributes[MOST_ATTRIBUTES]; /* of the element that began last, each "\nname=value\n" */
  char path[PATH_SIZE];
  char text[MOST_TEXT + 1];
};

static void stop(xml_reader *self) {
  self->stopped = true;
  XML_StopParser(self->parser, XML_FALSE);
}

/* Those that are too long are dropped. */
static void keep_attributes(xml_reader *self, const XML_Char **attributes) {
  size_t length = 0;
  self->attributes[0] = '\0';
  for (; attributes[0] && attributes[1]; attributes += 2) {
    size_t room = sizeof self->attributes - length;
    int n = snprintf(self->attributes + length, room, "\n%s=%s\n", attributes[0], attributes[1]);
    if (n < 0 || (size_t)n >= room)
      self->attributes[length] = '\0';
    else
      length += (size_t)n;
  }
}

bool xml_has_attribute(const xml_reader *self, const char *name, const char *value) {
  char line[MOST_ATTRIBUTES];
  snprintf(line, sizeof line, "\n%s=%s\n", name, value);
  return strstr(self->attributes, line) != NULL;
}

static void XMLCALL on_start(void *state, const XML_Char *name, const XML_Char **attributes) {
  xml_reader *self = state;
  keep_attributes(self, attributes);
  size_t n = strlen(name);
  if (self->stopped || self->depth == MOST_DEPTH || self->length + n + 2 > PATH_SIZE) {
    stop(self);
    return;
  }
  self->path[self->length] = '/';
  memcpy(self->path + self->length + 1, name, n + 1);
  self->length += n + 1;
  self->depth++;
  self->text_length = 0;
}

static void XMLCALL on_end(void *state, const XML_Char *name) {
  xml_reader *self = state;
  if (self->stopped) return;
  self->text[self->text_length] = '\0';
  if (!self->visit(self->state, self->path, self->text)) stop(self);
  self->length -= strlen(name) + 1;
  self->path[self->length] = '\0';
  self->depth--;
  self->text_length = 0;
}

static void XMLCALL on_text(void *state, const XML_Char *text, int n) {
  xml_reader *self = state;
  if (self->stopped) return;
  if ((size_t)n > MOST_TEXT - self->text_length) {
    stop(self);
    return;
  }
  memcpy(self->text + self->text_length, text, (size_t)n);
  self->text_length += (size_t)n;
}

/* Refuses declarations: no response needs them, and entities are an attack. */
static void XMLCALL on_doctype(void *state, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int internal) {
  (void)name;
  (void)system;
  (void)public;
  (void)internal;
  stop(state);
}

xml_reader *xml_new(xml_visit visit, void *state) {
  /* A server may repeat secrets in what it says of them. */
  static const XML_Memory_Handling_Suite wiped = {wiped_take, wiped_change, wiped_give};
  xml_reader *self = wiped_take(sizeof *self);
  if (!self) return NULL;
  *self = (xml_reader){
      .visit = visit, .state = state, .parser = XML_ParserCreate_MM(NULL, &wiped, NULL)};
  if (!self->parser) {
    wiped_give(self);
    return NULL;
  }
  XML_SetUserData(self->parser, self);
  XML_SetElementHandler(self->parser, on_start, on_end);
  XML_SetCharacterDataHandler(self->parser, on_text);
  XML_SetStartDoctypeDeclHandler(self->parser, on_doctype);
  return self;
}

void xml_free(xml_reader *self) {
  if (!self) return;
  XML_ParserFree(self->parser);
  wiped_give(self);
}

bool xml_altered(const xml_reader *self) {
  return self->clean.altered;
}

const char *xml_below_root(const char *path) {
  const char *below = strchr(path + 1, '/');
  return below ? below : "";
}

static bool parse(xml_reader *self, const char *bytes, size_t n) {
  self->stopped =
      XML_Parse(self->parser, bytes, (int)n, XML_FALSE) != XML_STATUS_OK || self->stopped;
  return !self->stopped;
}

static bool feed(xml_reader *self, const char *bytes, size_t n,
                 char passed[PIECE + XML_CLEAN_MOST]) {
  size_t length = 0, plain = 0;
  for (size_t i = 0; i < n; i += plain) {
    plain =
        xml_clean_pass(&self->clean, bytes + i, n - i < PIECE - length ? n - i : PIECE - length);
    memcpy(passed + length, bytes + i, plain);
    length += plain;
    if (plain == 0) length += xml_clean_take(&self->clean, bytes[i++], passed + length);
    if (length < PIECE) continue;
    if (!parse(self, passed, length)) return false;
    length = 0;
  }
  return parse(self, passed, length);
}

bool xml_feed(xml_reader *self, const char *bytes, size_t n) {
  char passed[PIECE + XML_CLEAN_MOST];
  if (self->stopped || n > MOST_BYTES - self->seen) return false;
  self->seen += n;
  bool good = feed(self, bytes, n, passed);
  explicit_bzero(passed, sizeof passed);
  return good;
}

/* Bytes that are still held back cannot be the end of a document. */
bool xml_end(xml_reader *self) {
  return !self->stopped && self->clean.length == 0 &&
         XML_Parse(self->parser, NULL, 0, XML_TRUE) == XML_STATUS_OK && !self->stopped;
}

bool xml_read(xml_visit visit, void *state, const char *bytes, size_t n) {
  xml_reader *self = bytes ? xml_new(visit, state) : NULL;
  bool good = self && xml_feed(self, bytes, n) && xml_end(self);
  xml_free(self);
  return good;
}
