#include "xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"

enum {
  PATH_SIZE = 256,
  MOST_DEPTH = 16,
  MOST_TEXT = 16 * 1024,
  MOST_BYTES = 16 * 1024 * 1024,
  PIECE = 4096
};

struct s3_xml {
  XML_Parser parser;
  s3_xml_visit visit;
  void *state;
  bool stopped;
  int depth;
  size_t seen;
  size_t length; /* of path */
  size_t text_length;
  s3_clean clean;
  char path[PATH_SIZE];
  char text[MOST_TEXT + 1];
};

static void stop(s3_xml *self) {
  self->stopped = true;
  XML_StopParser(self->parser, XML_FALSE);
}

static void XMLCALL on_start(void *state, const XML_Char *name, const XML_Char **attributes) {
  s3_xml *self = state;
  (void)attributes;
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
  s3_xml *self = state;
  if (self->stopped) return;
  self->text[self->text_length] = '\0';
  if (!self->visit(self->state, self->path, self->text)) stop(self);
  self->length -= strlen(name) + 1;
  self->path[self->length] = '\0';
  self->depth--;
  self->text_length = 0;
}

static void XMLCALL on_text(void *state, const XML_Char *text, int n) {
  s3_xml *self = state;
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

s3_xml *s3_xml_new(s3_xml_visit visit, void *state) {
  s3_xml *self = malloc(sizeof *self);
  if (!self) return NULL;
  *self = (s3_xml){.visit = visit, .state = state, .parser = XML_ParserCreate(NULL)};
  if (!self->parser) {
    free(self);
    return NULL;
  }
  XML_SetUserData(self->parser, self);
  XML_SetElementHandler(self->parser, on_start, on_end);
  XML_SetCharacterDataHandler(self->parser, on_text);
  XML_SetStartDoctypeDeclHandler(self->parser, on_doctype);
  return self;
}

void s3_xml_free(s3_xml *self) {
  if (!self) return;
  XML_ParserFree(self->parser);
  free(self);
}

bool s3_xml_altered(const s3_xml *self) {
  return self->clean.altered;
}

const char *s3_xml_below_root(const char *path) {
  const char *below = strchr(path + 1, '/');
  return below ? below : "";
}

static bool parse(s3_xml *self, const char *bytes, size_t n) {
  self->stopped =
      XML_Parse(self->parser, bytes, (int)n, XML_FALSE) != XML_STATUS_OK || self->stopped;
  return !self->stopped;
}

bool s3_xml_feed(s3_xml *self, const char *bytes, size_t n) {
  char passed[PIECE + S3_CLEAN_MOST];
  size_t length = 0;
  if (self->stopped || n > MOST_BYTES - self->seen) return false;
  self->seen += n;
  for (size_t i = 0; i < n; i++) {
    length += s3_clean_take(&self->clean, bytes[i], passed + length);
    if (length < PIECE) continue;
    if (!parse(self, passed, length)) return false;
    length = 0;
  }
  return parse(self, passed, length);
}

/* Bytes that are still held back cannot be the end of a document. */
bool s3_xml_end(s3_xml *self) {
  return !self->stopped && self->clean.length == 0 &&
         XML_Parse(self->parser, NULL, 0, XML_TRUE) == XML_STATUS_OK && !self->stopped;
}
