/* Searching for the plugin of a scheme or of a platform that is not registered.
 *
 * A search tries the templates of the plugin path in order and ends at the first file that exists,
 * whether that loads or not, so a broken plugin is reported and not skipped. Afterwards the scheme
 * or platform is looked up again: only the registry says whether it is there.
 *
 * Nothing is kept between calls, and there is no lock. Two threads may search for one name at
 * once: the registry lets one of them load the file and gives the other the same plugin. Failures
 * are not remembered either; the next call tries again. All memory of a search is freed by the
 * function that allocated it, except the list of names tried, which search_plugin's caller frees. A
 * fork changes nothing here.
 *
 * Beside the place of a plugin that could not be built there is a file NAME.missing, with one line that
 * says why; the message of a search that found nothing quotes it. */
#include <modfs/device.h>

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/status.h"
#include "core/registry/plugin.h"

enum { NAME_MAX_LENGTH = 64 };

/* The Levenshtein distance: how many letters must change to turn one name into the other. */
static size_t distance(const char *a, const char *b) {
  size_t row[NAME_MAX_LENGTH + 1], n = strlen(b);
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      size_t above = row[j + 1], least = diagonal + (a[i] != b[j]);
      if (above + 1 < least) least = above + 1;
      if (row[j] + 1 < least) least = row[j] + 1;
      row[j + 1] = least;
      diagonal = above;
    }
  }
  return row[n];
}

/* The registered scheme most like the wanted one, or NULL: about one letter in three may differ. */
static const char *nearest_scheme(const char *wanted) {
  const char *nearest = NULL;
  size_t length = strlen(wanted), least = length < 3 ? 2 : length / 3 + 1;
  for (const modfs_fs *fs = modfs_fs_next(NULL); fs; fs = modfs_fs_next(fs)) {
    const char *scheme = modfs_fs_scheme(fs);
    size_t away = *scheme && strlen(scheme) < NAME_MAX_LENGTH ? distance(wanted, scheme) : least;
    if (away < least) {
      least = away;
      nearest = scheme;
    }
  }
  return nearest;
}

/* Adds what the user may have meant. Capital letters are a likely mistake: no scheme of modfs has
 * any. */
static void suggest(FILE *out, const char *scheme) {
  char lower[NAME_MAX_LENGTH] = "";
  for (size_t i = 0; scheme[i]; i++)
    lower[i] = (char)tolower((unsigned char)scheme[i]);
  const char *nearest = nearest_scheme(lower);
  if (strcmp(lower, scheme) != 0)
    fprintf(out, " (schemes are lower case: %s://)", nearest ? nearest : lower);
  else if (nearest)
    fprintf(out, " (did you mean %s://?)", nearest);
}

/* The template with each ? replaced by the scheme. Owns: free(). */
static char *fill_template(const char *template, size_t length, const char *scheme) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; out && i < length; i++)
    if (template[i] == '?')
      fputs(scheme, out);
    else
      fputc(template[i], out);
  if (out) fclose(out);
  return text;
}

/* What a search that loads nothing reports. */
typedef struct search {
  char *tried;    /* the names of the files, each after a space. Owns: free() */
  char note[256]; /* what the first .missing file says, or "" */
} search;

/* Reads why FILE, which ends in .so, was not built: the first line of the file with .missing instead of
 * .so. Without such a file the note stays empty. */
static void read_note(const char *file, char *note, size_t size) {
  size_t stem = strlen(file) - (sizeof ".so" - 1);
  if (strlen(file) < sizeof ".so" || strcmp(file + stem, ".so") != 0) return;
  char *path = malloc(stem + sizeof ".missing");
  if (!path) return;
  snprintf(path, stem + sizeof ".missing", "%.*s.missing", (int)stem, file);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  ssize_t length = descriptor < 0 ? 0 : read(descriptor, note, size - 1);
  note[length > 0 ? length : 0] = '\0';
  note[strcspn(note, "\n")] = '\0';
  for (char *c = note; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
  if (descriptor >= 0) close(descriptor);
  free(path);
}

/* Loads the first existing file of the plugin path; writes the names tried. */
static const modfs_plugin *load_first(const char *plugin_path, const char *scheme, FILE *tried,
                                      search *found, TF_Status *status) {
  while (*plugin_path) {
    size_t length = strcspn(plugin_path, ";");
    char *file = length > 0 ? fill_template(plugin_path, length, scheme) : NULL;
    plugin_path += length + (plugin_path[length] == ';');
    if (length == 0) continue;
    if (!file) {
      status_no_memory(status);
      return NULL;
    }
    fprintf(tried, " %s", file);
    bool there = access(file, F_OK) == 0;
    const modfs_plugin *plugin = there ? modfs_plugin_load(file, NULL, false, status) : NULL;
    if (!there && !*found->note) read_note(file, found->note, sizeof found->note);
    free(file);
    if (there) return plugin;
  }
  return NULL;
}

static void add_search(FILE *out, const search *found) {
  if (*found->note) fprintf(out, "; %s", found->note);
  fprintf(out, "; searched for a plugin in%s",
          *found->tried ? found->tried : " an empty plugin path");
}

/* Adds to the message the registered schemes, and where a plugin was searched for, if it was. */
static void explain(const char *scheme, const search *found, TF_Status *status) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return;
  fputs(TF_Message(status), out);
  suggest(out, scheme);
  fputs("; registered: ", out);
  const char *separator = "";
  for (const modfs_fs *fs = modfs_fs_next(NULL); fs; fs = modfs_fs_next(fs)) {
    const char *served = modfs_fs_scheme(fs);
    fprintf(out, "%s%s", separator, *served ? served : "\"\"");
    separator = ", ";
  }
  if (found) add_search(out, found);
  fclose(out);
  TF_SetStatus(status, TF_UNIMPLEMENTED, text);
  free(text);
}

/* Loads the first existing file of the path, each ? replaced by name; NULL with OK when none exists.
 * Owns: the caller frees found->tried, which is NULL when memory was short. */
static const modfs_plugin *search_plugin(const char *name, const char *plugin_path, search *found,
                                         TF_Status *status) {
  size_t size = 0;
  FILE *out = open_memstream(&found->tried, &size);
  if (!out) {
    status_no_memory(status);
    return NULL;
  }
  const modfs_plugin *plugin = load_first(plugin_path, name, out, found, status);
  fclose(out);
  return plugin;
}

static const modfs_fs *search_single(const char *scheme, const char *plugin_path,
                                     TF_Status *status) {
  const modfs_fs *fs = NULL;
  search found = {.tried = NULL};
  const modfs_plugin *plugin = search_plugin(scheme, plugin_path, &found, status);
  if (status_ok(status) && !(fs = modfs_fs_find(scheme, strlen(scheme)))) {
    if (plugin)
      modfs_set_status(status, TF_UNIMPLEMENTED, "%s is loaded, but offers no scheme \"%s\"",
                       modfs_plugin_path(plugin), scheme);
    else
      modfs_set_status(status, TF_UNIMPLEMENTED, "no filesystem for the scheme \"%s\"", scheme);
    explain(scheme, plugin ? NULL : &found, status);
  }
  free(found.tried);
  return fs;
}

/* Searches for each of joined schemes that is not registered: the first one's filesystem serves the
 * URI, and reads from that of the second. */
static const modfs_fs *search_scheme(char *scheme, const char *plugin_path, TF_Status *status) {
  char *plus = strchr(scheme, '+');
  if (!plus) return search_single(scheme, plugin_path, status);
  const modfs_fs *fs = modfs_fs_find(scheme, (size_t)(plus - scheme));
  *plus = '\0';
  if (!fs) fs = search_single(scheme, plugin_path, status);
  if (fs && !fs->joins) {
    modfs_set_status(status, TF_UNIMPLEMENTED,
                     "%s:// reads nothing of another filesystem, so %s:// cannot be joined to it",
                     scheme, plus + 1);
    return NULL;
  }
  if (!fs || modfs_fs_find(plus + 1, strlen(plus + 1))) return fs;
  return search_scheme(plus + 1, plugin_path, status) ? fs : NULL;
}

const modfs_fs *modfs_fs_search(const char *path, const char *plugin_path, const char *operation,
                                TF_Status *status) {
  if (!status_takes(status, "the path", path) ||
      !status_takes(status, "the plugin path", plugin_path) ||
      !status_takes(status, "the operation", operation)) {
    status_locate(status, operation ? operation : "find", path);
    return NULL;
  }
  modfs_path parts = modfs_path_parse(path, strlen(path));
  char scheme[NAME_MAX_LENGTH];
  const modfs_fs *fs = modfs_fs_find(parts.scheme, parts.scheme_length);
  if (fs) return fs;
  if (parts.scheme_length >= sizeof scheme) {
    modfs_set_status(status, TF_UNIMPLEMENTED, "the scheme is too long (%zu bytes)",
                     parts.scheme_length);
    explain("", NULL, status);
  } else {
    memcpy(scheme, parts.scheme, parts.scheme_length);
    scheme[parts.scheme_length] = '\0';
    fs = search_scheme(scheme, plugin_path, status);
  }
  status_locate(status, operation, path);
  return fs;
}

/* Platforms --------------------------------------------------------------------- */

static void explain_platform(const search *found, TF_Status *status) {
  char *text = NULL;
  size_t size = 0;
  const char *separator = "";
  FILE *out = open_memstream(&text, &size);
  if (!out) {
    status_no_memory(status);
    return;
  }
  fputs("unknown platform; registered: ", out);
  for (const modfs_platform *known = modfs_platform_next(NULL); known;
       known = modfs_platform_next(known)) {
    fprintf(out, "%s%s", separator, modfs_platform_name(known));
    separator = ", ";
  }
  if (!*separator) fputs("none", out);
  add_search(out, found);
  fclose(out);
  TF_SetStatus(status, TF_NOT_FOUND, text);
  free(text);
}

const modfs_platform *modfs_platform_search(const char *name, const char *plugin_path,
                                            TF_Status *status) {
  search found = {.tried = NULL};
  if (!status_takes(status, "the name", name) ||
      !status_takes(status, "the plugin path", plugin_path)) {
    status_locate(status, "find the platform", name);
    return NULL;
  }
  const modfs_platform *platform = modfs_platform_find(name);
  char *lower = platform ? NULL : strdup(name);
  if (platform) return platform;
  for (char *c = lower; c && *c; c++)
    *c = (char)tolower((unsigned char)*c);
  if (!lower)
    status_no_memory(status);
  else if (strchr(lower, '/'))
    TF_SetStatus(status, TF_NOT_FOUND, "a platform name cannot contain a slash");
  else
    search_plugin(lower, plugin_path, &found, status);
  platform = modfs_platform_find(name);
  if (status_ok(status) && !platform) explain_platform(&found, status);
  free(lower);
  free(found.tried);
  status_locate(status, "find the platform", name);
  return platform;
}
