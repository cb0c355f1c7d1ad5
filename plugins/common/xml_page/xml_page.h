/* Reads a page of a listing from XML while it arrives. It is complete when its root element has ended, and held
 * what only a listing holds; anything else is a problem, as a listing cut short would look like a smaller
 * directory. */
#ifndef XML_PAGE_XML_PAGE_H
#define XML_PAGE_XML_PAGE_H

#include "../net/net.h"
#include "../objects/page.h"
#include "../xml/xml.h"

/* What reads it begins with one, which starts zeroed but for page. */
typedef struct xml_page {
  objects_page *page;
  xml_reader *xml;
  bool holds; /* an element came that only a listing has: set by visit */
  bool whole;
} xml_page;

/* For the sink: starts anew with each attempt, so a page never mixes two responses. visit gets self. */
bool xml_page_begin(xml_page *self, xml_visit visit);
bool xml_page_take(void *self, const char *bytes, size_t n);

/* For visit: the root has ended. */
void xml_page_end_root(xml_page *self);

/* After the request: what is wrong with the listing, or why its reading stopped; NULL: nothing that is known here. */
const char *xml_page_problem(xml_page *self, bool good, const net_answer *answer);

void xml_page_fini(xml_page *self);

#endif
