/* Patterns of gitignore: each kind by an example, broken ones, and the cost of the worst.
 * spec/choosing_spec.lua holds the whole against git. */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "core/base/ignore.h"

static ignore_verdict verdict(const char *patterns, const char *path, bool is_directory) {
  ignore_list list = {NULL, 0};
  if (!ignore_list_add(&list, patterns, strlen(patterns))) check_note("no memory");
  ignore_verdict result = ignore_list_match(&list, path, is_directory);
  ignore_list_fini(&list);
  return result;
}

typedef struct example {
  const char *patterns, *path;
  int want; /* an ignore_verdict; of a directory where the path ends in a slash */
} example;

static void check_all(const char *what, const example *examples, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const example *it = &examples[i];
    size_t length = strlen(it->path);
    bool is_directory = it->path[length - 1] == '/';
    char path[80];
    memcpy(path, it->path, length + 1);
    if (is_directory) path[length - 1] = '\0';
    CHECK_INT(verdict(it->patterns, path, is_directory), it->want, "%s, row %zu", what, i + 1);
  }
}

enum { NO = IGNORE_NOTHING, YES = IGNORE_MATCHED, NOT = IGNORE_NEGATED };

static const example lines[] = {
    {"", "a", NO},
    {"\n\n# a\n", "a", NO},
    {"#a", "#a", NO},
    {"\\#a", "#a", YES},
    {"a  ", "a", YES},
    {"a\\ ", "a ", YES},
    {"a\\  ", "a ", YES},
    {" a", "a", NO},
    {"a\r\nb\r\n", "b", YES},
    {"\xef\xbb\xbf"
     "a",
     "a", YES},
    {"a\n!a", "a", NOT},
    {"!a\na", "a", YES},
    {"*\n!*.c", "b/a.c", NOT},
    {"\\!a", "!a", YES},
    {"!", "a", NO},
    {"/", "a", NO},
    {"//", "a", NO},
};

static const example places[] = {
    {"a", "b/c/a", YES},
    {"/a", "a", YES},
    {"/a", "b/a", NO},
    {"b/a", "c/b/a", NO},
    {"b/a", "b/a", YES},
    {"a/", "a", NO},
    {"a/", "a/", YES},
    {"a/", "b/a/", YES},
    {"b/a/", "b/a/", YES},
    {"b/a/", "c/b/a/", NO},
    {"**/a", "a", YES},
    {"**/a", "b/c/a", YES},
    {"**/a", "b/ca", NO},
    {"a/**", "a/", NO},
    {"a/**", "a/b/c", YES},
    {"a/**/b", "a/b", YES},
    {"a/**/b", "a/x/y/b", YES},
    {"a/**/b", "a/xb", NO},
    {"/**/b", "b", YES},
    {"a**b/c", "axyb/c", YES},
    {"a/x**y", "a/xz/y", NO},
    {"a**/b", "axx/y/b", YES},
    {"x/**/a/**/b", "x/1/a/2/3/b", YES},
    {"x/**", "x", NO},
};

static const example characters[] = {
    {"*.c", "a.c", YES},
    {"*.c", ".c", YES},
    {"*.c", "b/a.c", YES},
    {"/*.c", "b/a.c", NO},
    {"b/*", "b/c/d", NO},
    {"b/*/d", "b/c/d", YES},
    {"?", "a", YES},
    {"b?a", "b/a", NO},
    {"b/?", "b/a", YES},
    {"[ab]", "b", YES},
    {"[!ab]", "b", NO},
    {"[^ab]", "c", YES},
    {"[a-c]", "b", YES},
    {"[c-a]", "b", NO},
    {"[]a]", "]", YES},
    {"[a-]", "-", YES},
    {"[-a]", "-", YES},
    {"[\\]]", "]", YES},
    {"[a-\\c]", "b", YES},
    {"b[/]a", "b/a", NO},
    {"x/b[!a]c", "x/b/c", NO},
    {"[[:digit:]]", "7", YES},
    {"[[:alpha:]_]", "_", YES},
    {"[[:space:]]", "\v", NO},
    {"[[:upper:]-z]", "-", YES},
    {"[[:]", ":", YES},
    {"[[:a]", "[", YES},
    {"\\*", "*", YES},
    {"\\*", "a", NO},
    {"\\a", "a", YES},
    {"caf\xc3\xa9", "caf\xc3\xa9", YES},
    {"[\xc3]", "\xc3", YES},
};

static const example broken[] = {
    {"[", "[", NO},        {"[a", "[a", NO},  {"[a", "a", NO},    {"[]", "]", NO},
    {"a\\", "a\\", NO},    {"a\\", "a", NO},  {"a\\/", "a/", NO}, {"[[:no:]]", "n", NO},
    {"[[:no:]]", "[", NO}, {"[a\\", "a", NO}, {"*[", "a[", NO},
};

#define ALL(list) check_all(#list, list, sizeof list / sizeof *list)

/* Processor seconds of one match of "*a*a…*b", or "**" in place of "*", with n bytes or segments. */
static double seconds(const char *piece, const char *step, size_t n) {
  char *pattern = malloc(n * strlen(piece) + 2), *path = malloc(n * strlen(step) + 2);
  ignore_list list = {NULL, 0};
  *pattern = *path = '\0';
  char *end = pattern, *stop = path;
  for (size_t i = 0; i < n; i++) {
    end = stpcpy(end, piece);
    stop = stpcpy(stop, step);
  }
  strcpy(end, "b");
  strcpy(stop, "c");
  clock_t start = clock();
  CHECK(ignore_list_add(&list, pattern, strlen(pattern)), "%zu of %s are compiled", n, piece);
  CHECK_INT(ignore_list_match(&list, path, false), IGNORE_NOTHING, "%zu of %s", n, piece);
  ignore_list_fini(&list);
  free(pattern);
  free(path);
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

int main(void) {
  ALL(lines);
  ALL(places);
  ALL(characters);
  ALL(broken);
  CHECK(seconds("*a", "aa", 1000) < 1, "stars cost no more than lengths multiplied");
  CHECK(seconds("**/a/", "a/", 1000) < 1, "so do double stars");
  CHECK(seconds("**/*a*/", "aaa/", 300) < 1, "and both");
  return check_end();
}
