/* Parses the XML of S3 responses incrementally: calls visit with the text of each element at its end.
 *
 * Documents with a DTD, deep nesting, long texts or 16 MiB and more are refused. */
#ifndef S3_XML_H
#define S3_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct s3_xml s3_xml;

/* path: for example "/Error/Code". Returning false stops the parser. */
typedef bool (*s3_xml_visit)(void *state, const char *path, const char *text);

s3_xml *s3_xml_new(s3_xml_visit visit, void *state);
void s3_xml_free(s3_xml *self);

/* false when the document is refused or visit has stopped; later calls return false, too. */
bool s3_xml_feed(s3_xml *self, const char *bytes, size_t n);

/* Whether characters that XML does not allow were replaced. */
bool s3_xml_altered(const s3_xml *self);

/* The path below the root element, whose name differs between servers: "/Code"; "" for the root. */
const char *s3_xml_below_root(const char *path);

/* Whether the document was complete. */
bool s3_xml_end(s3_xml *self);

#endif
