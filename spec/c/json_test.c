/* JSON of servers (plugins/common/json): what is a document, what is refused, and what happens when memory is
 * short: at each allocation, once or from there on, the function says so and leaves nothing behind. The source is
 * a part of this program. */
#include "../../plugins/common/json/json.c"

#include "check.h"

/* From the k-th allocation on one fails, or all do; 0: none does. */
static volatile long until_failure;
static volatile bool all_fail, has_failed;
static volatile long blocks; /* that are in use */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void *__libc_malloc(size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static bool fails_now(void) {
  if (until_failure == 0 || --until_failure > 0) return false;
  until_failure = all_fail;
  has_failed = true;
  return true;
}

__attribute__((visibility("default"))) void *malloc(size_t size) {
  void *block = fails_now() ? NULL : __libc_malloc(size);
  blocks += block != NULL;
  return block;
}

__attribute__((visibility("default"))) void *realloc(void *block, size_t size) {
  void *longer = fails_now() ? NULL : __libc_realloc(block, size);
  blocks += longer && !block;
  return longer;
}

__attribute__((visibility("default"))) void free(void *block) {
  blocks -= block != NULL;
  __libc_free(block);
}
#endif

/* Whether a failure can be made here at all: checkers bring allocators of their own. */
static bool control(void) {
  until_failure = 1;
  void *volatile block = malloc(1);
  until_failure = 0;
  free(block);
  return block == NULL;
}

/* The bytes in a block of their own, so that a checker sees what reads behind them. */
static json_value *parse(const char *bytes, size_t n) {
  char *copy = malloc(n + (n == 0));
  memcpy(copy, bytes, n);
  json_value *document = json_parse(copy, n);
  free(copy);
  return document;
}

static void test_documents(void) {
  static const char *const good[] = {"{}",
                                     " \t\r\n{ } \n",
                                     "{\"a\":1}",
                                     "{\"a\":{\"a\":[]}}",
                                     "{\"\\u0001\":\"\\n\\\"\\\\\"}",
                                     "{\"a\":\"\\ud83d\\ude00\"}",
                                     "{\"\xc3\xa9\":\"\xf0\x9f\x98\x80\"}",
                                     "{\"a\":\"\x7f\"}"};
  static const char *const bad[] = {"",
                                    " ",
                                    "{",
                                    "}",
                                    "[]",
                                    "[{}]",
                                    "null",
                                    "\"{}\"",
                                    "{}{}",
                                    "{}, {}",
                                    "{\"a\":1,",
                                    "{\"a\":1,}",
                                    "{\"a\"}",
                                    "{\"a\":}",
                                    "{\"a\":tru}",
                                    "{\"a\":\"}",
                                    "{\"a\":\"\\}",
                                    "{\"a\":\"\\u00}",
                                    "{\"a\":\"\\u0000\"}",
                                    "{\"a\\u0000b\":1}",
                                    "{\"a\":\"\\uzzzz\"}",
                                    "{\"a\":\"\\ud83d\"}",
                                    "{\"a\":\"\\ude00\"}",
                                    "{\"a\":\"\\x\"}",
                                    "{\"a\":\"\n\"}",
                                    "{\"a\":\"\x01\"}",
                                    "{\v}",
                                    "{\"a\":\"\xff\"}",
                                    "{\"a\":\"\xc3\"}",
                                    "{\"a\":\"\xc0\x80\"}",
                                    "{\"a\":\"\xed\xa0\x80\"}",
                                    "\xef\xbb\xbf{}"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    json_value *document = parse(good[i], strlen(good[i]));
    CHECK(document != NULL, "document %zu", i);
    json_free(document);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    json_value *document = parse(bad[i], strlen(bad[i]));
    CHECK(document == NULL, "refused %zu", i);
    json_free(document);
  }
  CHECK(!json_parse(NULL, 0), "no bytes at all");
  CHECK(!parse("{\"a\0b\":1}", 9) && !parse("{}\0", 3) && !parse("\0{}", 3), "NUL");
}

static void test_depth(void) {
  enum { MOST = 6 * 1001 };
  static char text[MOST];
  for (size_t depth = 999; depth <= 1001; depth += 2) {
    size_t n = 0;
    for (size_t i = 0; i < depth; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s", i + 1 < depth ? "{\"\":" : "{");
    memset(text + n, '}', depth);
    json_value *document = json_parse(text, n + depth);
    CHECK_INT(document != NULL, depth < 1000, "%zu objects in each other", depth);
    json_free(document);
  }
}

static const json_value *only(const char *text, json_value **document) {
  *document = json_parse(text, strlen(text));
  return json_member(*document, "n");
}

static void test_numbers(void) {
  static const char *const bad[] = {"{\"n\":-1}",
                                    "{\"n\":1.5}",
                                    "{\"n\":9007199254740992}",
                                    "{\"n\":9223372036854775807}",
                                    "{\"n\":1e99}",
                                    "{\"n\":1e999}",
                                    "{\"n\":\"1\"}",
                                    "{\"n\":true}",
                                    "{}"};
  json_value *document;
  uint64_t number = 7;
  bool truth = false;
  CHECK(json_number(only("{\"n\":9007199254740991}", &document), &number) &&
            number == 9007199254740991,
        "the greatest integer that is exact");
  json_free(document);
  CHECK(json_number(only("{\"n\":0}", &document), &number) && number == 0, "zero");
  json_free(document);
  number = 7;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK(!json_number(only(bad[i], &document), &number) && number == 7, "no number: %s", bad[i]);
    json_free(document);
  }
  CHECK(json_boolean(only("{\"n\":true}", &document), &truth) && truth, "true");
  json_free(document);
  CHECK(!json_boolean(only("{\"n\":1}", &document), &truth) && truth, "1 is no boolean");
  json_free(document);
}

static void test_values(void) {
  static const char text[] = "{\"A\":\"upper\",\"a\":[{\"b\":null},\"c\"],\"d\":{},\"e\":5}";
  json_value *document = json_parse(text, strlen(text));
  const json_value *list = json_member(document, "a");
  char *printed = json_print(document);
  CHECK_STR(printed, text, "the text is the one that was read");
  CHECK_STR(json_member_text(document, "A"), "upper", "names differ by case");
  CHECK(json_is_array(list) && !json_is_array(document) && !json_is_array(NULL), "an array");
  CHECK(json_is_null(json_member(json_first(list), "b")) && !json_is_null(NULL), "null");
  CHECK_STR(json_text(json_last(list)), "c", "the last of an array");
  CHECK(json_next(json_first(list)) == json_last(list) && !json_next(json_last(list)), "in order");
  CHECK_STR(json_name(json_last(document)), "e", "the name of the last member");
  CHECK(!json_first(json_member(document, "d")) && !json_last(json_member(document, "d")), "empty");
  CHECK(!json_first(NULL) && !json_last(NULL) && !json_text(NULL) && !json_member(NULL, "a"),
        "nothing in nothing");
  CHECK(!json_text(list) && !json_member(list, "b"), "a list is no text and has no members");
  CHECK(json_member_object(document, "d") && !json_member_object(document, "a"), "to be changed");
  free(printed);
  json_free(document);
}

/* All that writes; false: memory is short. */
static bool write_all(char **printed) {
  static const char other[] = "{\"metadata\":{\"a\":\"1\"},\"etag\":\"x\"}";
  json_value *made = json_new(), *sources = json_set_array(made, "list");
  json_value *read = json_parse(other, strlen(other));
  bool good = sources && read && json_set_text(made, "name", "b\n") &&
              json_set_text(json_append_object(sources), "in", "list") &&
              json_set_text(made, "name", "c") &&
              json_set(made, "metadata", json_take(read, "metadata")) &&
              json_set_text(json_member_object(made, "metadata"), "a", "2") &&
              json_set_object(made, "empty");
  *printed = good ? json_print(made) : NULL;
  json_free(read);
  json_free(made);
  return *printed != NULL;
}

static void test_writing(void) {
  char *printed = NULL;
  CHECK(write_all(&printed), "all is written");
  CHECK_STR(printed,
            "{\"list\":[{\"in\":\"list\"}],\"name\":\"c\",\"metadata\":{\"a\":\"2\"},\"empty\":{}}",
            "members are replaced");
  free(printed);
  json_value *made = json_new();
  CHECK(!json_set_text(made, "a", "\xff") && !json_first(made), "a text must be UTF-8");
  CHECK(!json_set(made, "a", NULL) && !json_set(NULL, "a", json_new()), "nothing to set");
  CHECK(!json_set_object(NULL, "a") && !json_append_object(NULL) && !json_take(made, "a"),
        "nothing to be set in");
  json_free(made);
}

/* How many allocations there are, as each of them fails, and whether all is well. */
static long fail_each(bool all) {
  const long before = blocks;
  for (long k = 1;; k++) {
    char *printed = NULL;
    all_fail = all;
    has_failed = false;
    until_failure = k;
    bool good = write_all(&printed);
    until_failure = 0;
    free(printed);
    if (blocks != before || good == has_failed) return -k;
    if (good) return k - 1;
  }
}

static void test_memory(void) {
  if (!control()) {
    CHECK(true, "memory short: left out, a checker brings its own allocator");
    return;
  }
  CHECK(true, "an allocation can be made to fail");
  const long once = fail_each(false), always = fail_each(true);
  CHECK(once > 20, "each of %ld allocations fails once", once);
  CHECK_INT(always, once, "each fails with all that follow");
}

int main(void) {
  test_documents();
  test_depth();
  test_numbers();
  test_values();
  test_writing();
  test_memory();
  return check_end();
}
