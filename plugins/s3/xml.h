/* The XML of S3's answers, piece by piece: what stands in each element, told when it ends.
 *
 * Documents with a DTD, deep nesting, long texts or 16 MiB and more are refused. */
#ifndef S3_XML_H
#define S3_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct s3_xml s3_xml;

/* path: "/Error/Code". false stops. */
typedef bool (*s3_xml_visit)(void *state, const char *path, const char *text);

s3_xml *s3_xml_new(s3_xml_visit visit, void *state);
void s3_xml_free(s3_xml *self);

/* false when this is no document that we take, or visit has stopped; for good. */
bool s3_xml_feed(s3_xml *self, const char *bytes, size_t n);

/* Whether characters that XML cannot hold were replaced. */
bool s3_xml_altered(const s3_xml *self);

/* Whether the document was whole. */
bool s3_xml_end(s3_xml *self);

#endif
