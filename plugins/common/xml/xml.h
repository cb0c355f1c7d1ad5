/* Parses the XML of responses incrementally: calls visit with the text of each element at its end.
 *
 * Documents with a DTD, deep nesting, long texts or 16 MiB and more are refused. */
#ifndef XML_XML_H
#define XML_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xml_reader xml_reader;

/* path: for example "/Error/Code". Returning false stops the parser. */
typedef bool (*xml_visit)(void *state, const char *path, const char *text);

xml_reader *xml_new(xml_visit visit, void *state);
void xml_free(xml_reader *self);

/* false when the document is refused or visit has stopped; later calls return false, too. */
bool xml_feed(xml_reader *self, const char *bytes, size_t n);

/* Whether characters that XML does not allow were replaced. */
bool xml_altered(const xml_reader *self);

/* Whether the element that is being visited has this attribute, if no other element is in it. */
bool xml_has_attribute(const xml_reader *self, const char *name, const char *value);

/* The path below the root element, whose name differs between servers: "/Code"; "" for the root. */
const char *xml_below_root(const char *path);

/* Whether the document was complete. */
bool xml_end(xml_reader *self);

/* Reads a document that is there as a whole; bytes may be NULL. false when it is refused, visit has stopped, it
 * is incomplete, or memory is short. */
bool xml_read(xml_visit visit, void *state, const char *bytes, size_t n);

#endif
