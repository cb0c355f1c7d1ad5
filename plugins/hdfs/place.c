/* The mount table of viewfs://TABLE is the properties fs.viewfs.mounttable.TABLE.*:
 *
 *   link./a/b      the URI that /a/b and what is below it lead to; the longest link counts
 *   linkFallback   the URI of the root of all else
 *   linkMergeSlash the URI of the root; no other link counts then
 *
 * Directories above a link exist, without being anywhere: they are virtual and read-only. Where there is a
 * fallback, they show its entries as well. Links of several targets (linkMerge, linkNfly) and by pattern
 * (linkRegex) are refused when a path of the table is used. */
#include "place.h"

#include <stdio.h>
#include <string.h>

#include "error.h"

enum { KEY_SIZE = 512, VALUE_SIZE = 8192 };

static const char *table_of(const hdfs_name *name) {
  return name->authority[0] ? name->authority : "default";
}

/* The rest of the property's name if it belongs to the table; NULL. */
static const char *of_table(const char *property, const char *table) {
  static const char prefix[] = "fs.viewfs.mounttable.";
  size_t n = strlen(table);
  if (strncmp(property, prefix, sizeof prefix - 1) != 0) return NULL;
  property += sizeof prefix - 1;
  return strncmp(property, table, n) == 0 && property[n] == '.' ? property + n + 1 : NULL;
}

/* The path of a link; NULL for any other property. */
static const char *link_of(const char *property, const char *table) {
  const char *rest = of_table(property, table);
  return rest && strncmp(rest, "link./", 6) == 0 ? rest + 5 : NULL;
}

/* Whether path is above, or is itself, what begins with it; `rest` is what remains then. */
static bool is_within(const char *path, const char *top, const char **rest) {
  size_t n = strlen(top);
  while (n > 0 && top[n - 1] == '/')
    n--;
  *rest = path + n;
  return strncmp(path, top, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* Makes the target of a link, with the rest of the path, the place's name. */
static bool lead(const hdfs_site *site, const char *property, const char *rest, hdfs_place *place,
                 TF_Status *status) {
  static const char *const served[] = {"hdfs", "webhdfs", "swebhdfs"};
  char value[VALUE_SIZE];
  bool is_served = false;
  if (!hdfs_site_get(site, property, value, sizeof value))
    return fail_with(status, TF_INVALID_ARGUMENT, "%s is too long", property);
  if (!hdfs_name_parse(value, &place->name, status))
    return fail_with(status, TF_FAILED_PRECONDITION, "%s is not the URI of a cluster", property);
  for (size_t i = 0; i < sizeof served / sizeof *served; i++)
    is_served = is_served || strcmp(place->name.scheme, served[i]) == 0;
  if (!is_served)
    return fail_with(status, TF_UNIMPLEMENTED, "%s leads to %s://, which viewfs does not serve",
                     property, place->name.scheme);
  rest += *rest == '/';
  return !*rest || hdfs_name_child(&place->name, rest, &place->name, status);
}

static bool lead_by(const hdfs_site *site, const char *kind, hdfs_place *place, bool *found,
                    TF_Status *status) {
  char key[KEY_SIZE];
  snprintf(key, sizeof key, "fs.viewfs.mounttable.%s.%s", table_of(&place->mounted), kind);
  const char *name, *text;
  *found = false;
  for (size_t i = 0; !*found && hdfs_site_at(site, i, &name, &text); i++)
    *found = strcmp(name, key) == 0;
  return !*found || lead(site, key, place->mounted.path, place, status);
}

static bool refuse_others(const hdfs_site *site, const char *table, TF_Status *status) {
  const char *name, *value;
  bool any = false;
  for (size_t i = 0; hdfs_site_at(site, i, &name, &value); i++) {
    const char *rest = of_table(name, table);
    any = any || rest;
    if (rest && (strncmp(rest, "linkNfly", 8) == 0 || strncmp(rest, "linkRegex", 9) == 0 ||
                 strncmp(rest, "linkMerge.", 10) == 0))
      return fail_with(status, TF_UNIMPLEMENTED, "%s: links of this kind are not served", name);
  }
  return any || fail_with(status, TF_NOT_FOUND,
                          "the configuration has no mount table %s (option conf_dir, "
                          "HADOOP_CONF_DIR)",
                          table);
}

/* Finds the longest link that the path is within, and whether the path is above one. */
static const char *find_link(const hdfs_site *site, hdfs_place *place, const char **rest) {
  const char *table = table_of(&place->mounted), *path = place->mounted.path, *best = NULL;
  const char *name, *value, *left = NULL;
  size_t longest = 0;
  for (size_t i = 0; hdfs_site_at(site, i, &name, &value); i++) {
    const char *link = link_of(name, table);
    if (!link) continue;
    if (is_within(path, link, &left) && strlen(link) > longest) {
      longest = strlen(link);
      best = name;
      *rest = left;
    } else if (is_within(link, path, &left)) {
      place->is_virtual = true;
    }
  }
  return best;
}

bool hdfs_place_resolve(const hdfs_site *site, hdfs_place *place, TF_Status *status) {
  const char *rest = "";
  bool merges = false;
  place->is_virtual = place->has_fallback = place->is_mount = false;
  if (!refuse_others(site, table_of(&place->mounted), status) ||
      !lead_by(site, "linkMergeSlash", place, &merges, status))
    return false;
  if (merges) return true;
  const char *link = find_link(site, place, &rest);
  if (link) {
    place->is_virtual = false;
    place->is_mount = !rest[strspn(rest, "/")];
    return lead(site, link, rest, place, status);
  }
  if (hdfs_name_is_root(&place->mounted)) place->is_virtual = true;
  if (!lead_by(site, "linkFallback", place, &place->has_fallback, status)) return false;
  return place->is_virtual || place->has_fallback ||
         fail_with(status, TF_NOT_FOUND, "no link of the mount table leads there");
}

bool hdfs_place_find(const TF_Filesystem *filesystem, const char *path, hdfs_place *place,
                     TF_Status *status) {
  if (!hdfs_name_parse(path, &place->mounted, status)) return false;
  if (strcmp(place->mounted.scheme, "viewfs") != 0) {
    place->name = place->mounted;
    place->is_virtual = place->has_fallback = place->is_mount = false;
    return true;
  }
  hdfs_kept_site *kept = hdfs_site_take(filesystem, status);
  bool good = kept && hdfs_place_resolve(kept->site, place, status);
  hdfs_site_give(kept);
  return good;
}

bool hdfs_place_find_own(const TF_Filesystem *filesystem, const char *path, hdfs_place *place,
                         TF_Status *status) {
  if (!hdfs_place_find(filesystem, path, place, status)) return false;
  if (!place->is_virtual && !place->is_mount) return true;
  return fail_with(status, TF_PERMISSION_DENIED,
                   "a directory of the mount table, which is read-only");
}

/* Adds the first segment of a link below the directory. */
static bool add_segment(const char *link, const hdfs_place *place, remote_strings *names,
                        TF_Status *status) {
  const char *rest;
  char segment[HDFS_MOST_PATH + 1];
  if (!is_within(link, place->mounted.path, &rest)) return true;
  rest += strspn(rest, "/");
  snprintf(segment, sizeof segment, "%.*s", (int)strcspn(rest, "/"), rest);
  return !*segment || remote_strings_has(names, segment) ||
         remote_strings_add(names, segment, status);
}

bool hdfs_place_list(const TF_Filesystem *filesystem, const hdfs_place *place,
                     remote_strings *names, TF_Status *status) {
  hdfs_kept_site *kept = hdfs_site_take(filesystem, status);
  const char *name, *value;
  bool good = kept != NULL;
  for (size_t i = 0; good && hdfs_site_at(kept->site, i, &name, &value); i++) {
    const char *link = link_of(name, table_of(&place->mounted));
    good = !link || add_segment(link, place, names, status);
  }
  hdfs_site_give(kept);
  return good;
}
