#include "fault.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { KINDS = REFERENCE_FAULT_CALLBACK + 1, MOST_RULES = 64 };

typedef struct rule {
  uint64_t at;
  reference_fault kind;
  bool onwards;
} rule;

static const char *const names[KINDS] = {"alloc", "host", "unified", "stream",
                                         "event", "copy", "fill",    "callback"};
static rule rules[MOST_RULES];
static size_t rule_count;
static atomic_uint_fast64_t calls[KINDS];

/* Parses a kind's name and colon at text; NULL when there is none. */
static const char *parse_kind(const char *text, reference_fault *kind) {
  for (int i = 0; i < KINDS; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(text, names[i], length) != 0 || text[length] != ':') continue;
    *kind = (reference_fault)i;
    return text + length + 1;
  }
  return NULL;
}

/* Parses the rule at text up to a comma or the end; NULL when it is malformed. */
static const char *parse_rule(const char *text, rule *made) {
  text = parse_kind(text, &made->kind);
  if (!text) return NULL;
  for (made->at = 0; *text >= '0' && *text <= '9' && made->at < UINT32_MAX; text++)
    made->at = made->at * 10 + (uint64_t)(*text - '0');
  made->onwards = *text == '+';
  text += made->onwards;
  return made->at > 0 && (*text == ',' || *text == '\0') ? text : NULL;
}

bool reference_fault_parse(const char *text) {
  rule_count = 0;
  for (int i = 0; i < KINDS; i++)
    atomic_store_explicit(&calls[i], 0, memory_order_relaxed);
  if (*text == '\0') return true;
  size_t count = 0;
  for (;; text++) {
    text = count < MOST_RULES ? parse_rule(text, &rules[count]) : NULL;
    if (!text) return false;
    count++;
    if (*text == '\0') break;
  }
  rule_count = count;
  return true;
}

bool reference_fault_due(reference_fault kind) {
  if (rule_count == 0) return false;
  uint64_t number = atomic_fetch_add_explicit(&calls[kind], 1, memory_order_relaxed) + 1;
  for (size_t i = 0; i < rule_count; i++) {
    if (rules[i].kind != kind) continue;
    if (number == rules[i].at || (rules[i].onwards && number > rules[i].at)) return true;
  }
  return false;
}
