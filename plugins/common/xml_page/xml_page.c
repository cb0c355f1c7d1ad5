#include "xml_page.h"

bool xml_page_begin(xml_page *self, xml_visit visit) {
  objects_page_begin(self->page);
  self->holds = self->whole = false;
  xml_free(self->xml);
  self->xml = xml_new(visit, self);
  return self->xml != NULL;
}

bool xml_page_take(void *self, const char *bytes, size_t n) {
  return xml_feed(((xml_page *)self)->xml, bytes, n);
}

void xml_page_end_root(xml_page *self) {
  self->whole = self->holds;
}

const char *xml_page_problem(xml_page *self, bool good, const net_answer *answer) {
  if (good) return xml_end(self->xml) && self->whole ? NULL : "the listing is incomplete XML";
  return answer->error == NET_STOPPED && answer->status < 300 ? "the listing is malformed XML"
                                                              : NULL;
}

void xml_page_fini(xml_page *self) {
  xml_free(self->xml);
}
