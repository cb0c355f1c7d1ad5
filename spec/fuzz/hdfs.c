/* sources: plugins/hdfs/error.c plugins/common/fail/fail.c plugins/hdfs/json.c plugins/hdfs/name.c plugins/hdfs/nodes.c plugins/hdfs/place.c plugins/hdfs/site.c plugins/hdfs/text.c plugins/common/remote/strings.c plugins/common/json/json.c plugins/common/net/code.c plugins/common/remote/failure.c plugins/common/xml/xml.c plugins/common/xml/clean.c
 * libraries: -lexpat -lcjson
 *
 * Answers of name nodes and files of the configuration: what is taken from them is in its limits. An input
 * that begins with "<" is a file, any other an answer. */
#include "../../plugins/hdfs/place.h"

#include <string.h>

#include "../../plugins/hdfs/error.h"
#include "../../plugins/hdfs/json.h"
#include "../../plugins/hdfs/nodes.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"{\"FileStatus\":{",
                                  "\"pathSuffix\":\"",
                                  "\"length\":",
                                  "\"modificationTime\":9223372036854775807",
                                  "\"permission\":\"1777\"",
                                  "\"type\":\"DIRECTORY\"",
                                  "\"remainingEntries\":1",
                                  "{\"RemoteException\":{\"exception\":\"",
                                  "\\u0000",
                                  "<property>",
                                  "</property>",
                                  "<name>dfs.ha.namenodes.pair</name>",
                                  "<name>dfs.namenode.http-address.pair.nn1</name>",
                                  "<name>fs.viewfs.mounttable.t.link./a</name>",
                                  "<name>fs.viewfs.mounttable.t.linkFallback</name>",
                                  "<value>hdfs://pair/</value>",
                                  "${fs.defaultFS}",
                                  "<final>true</final>",
                                  "<!DOCTYPE",
                                  NULL};

static hdfs_site *site;

/* In the place of the filesystem. */
hdfs_kept_site *hdfs_site_take(const TF_Filesystem *filesystem, TF_Status *status) {
  static hdfs_kept_site kept;
  (void)filesystem, (void)status;
  kept.site = site;
  return &kept;
}

void hdfs_site_give(hdfs_kept_site *kept) {
  (void)kept;
}

const option_values *options_here(const option_set *self) {
  (void)self;
  return NULL;
}

static void read_entries(const json_value *list) {
  for (const json_value *item = json_first(list); item; item = json_next(item)) {
    hdfs_status found;
    const char *name = hdfs_json_name(item);
    if (name) MUST(*name && !strchr(name, '/') && strcmp(name, "..") != 0);
    if (!hdfs_json_status(item, &found)) continue;
    MUST(found.length >= 0 && found.mode <= 07777 && found.mtime_ms <= INT64_MAX / 1000000);
    MUST(strlen(found.owner) < sizeof found.owner && !(found.is_link && found.is_directory));
  }
}

static void read_answer(const char *bytes, size_t n) {
  hdfs_error error;
  hdfs_status found;
  bool flag = false, more = false;
  json_value *root = json_parse(bytes, n);
  hdfs_error_parse(bytes, n, "Bad\rRequest", &error);
  for (const char *c = error.message; *c; c++)
    MUST((unsigned char)*c >= ' ' && *c != 127);
  MUST(hdfs_error_code(&error, 500) != TF_OK);
  read_entries(hdfs_json_listing(root, &more));
  hdfs_json_status(json_member(root, "FileStatus"), &found);
  hdfs_json_boolean(root, &flag);
  json_free(root);
}

static void look(const char *uri, TF_Status *status) {
  hdfs_place place;
  hdfs_nodes nodes;
  remote_strings names = {.items = NULL};
  TF_SetStatus(status, TF_OK, "");
  if (!hdfs_name_parse(uri, &place.mounted, status)) return;
  place.name = place.mounted;
  if (strcmp(place.mounted.scheme, "viewfs") == 0) {
    bool found = hdfs_place_resolve(site, &place, status);
    MUST(found == (TF_GetCode(status) == TF_OK));
    if (found && place.is_virtual) hdfs_place_list(NULL, &place, &names, status);
    for (size_t i = 0; i < names.count; i++)
      MUST(names.items[i][0] && !strchr(names.items[i], '/'));
    remote_strings_fini(&names);
    if (!found || (place.is_virtual && !place.has_fallback)) return;
    MUST(strcmp(place.name.scheme, "viewfs") != 0 && place.name.path[0] == '/');
  }
  if (!hdfs_nodes_choose(site, &place.name, 0, &nodes, status)) return;
  MUST(nodes.count > 0 && nodes.count <= HDFS_MOST_NODES);
  for (int i = 0; i < nodes.count; i++)
    MUST(strncmp(nodes.urls[i], "http", 4) == 0);
}

static void read_site(const char *bytes, size_t n) {
  static const char *const uris[] = {"hdfs://pair/a",    "hdfs:///a",       "hdfs://h:8020/a",
                                     "webhdfs://h:1/a",  "viewfs://t/a/b",  "viewfs://t/",
                                     "viewfs:///a/../b", "swebhdfs://pair/"};
  TF_Status *status = TF_NewStatus();
  site = hdfs_site_new();
  hdfs_site_parse(site, bytes, n);
  for (size_t i = 0; i < sizeof uris / sizeof *uris; i++)
    look(uris[i], status);
  hdfs_site_free(site);
  TF_DeleteStatus(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  if (n > 0 && bytes[0] == '<')
    read_site((const char *)bytes, n);
  else
    read_answer((const char *)bytes, n);
  return 0;
}
