/* Searching for the paths that match a pattern. Patterns and results are paths as users write them,
 * not translated.
 *
 * The pattern after its literal start is split into segments (segments.h). Each directory is visited
 * once, with the set of its states, however many ways lead there: many "**" cost no more than one.
 *
 * Directories to visit are a stack on the heap; one is in it or being visited, and is freed after
 * its visit. "asking" is the status of single calls, whose failure may be harmless; "status" keeps the first
 * that is not, after which the stack is only emptied. Links match, but "**" does not follow them.
 *
 * With a choice, an entry that it does not take is passed over before anything else is found out
 * about it: "stem" bytes into its path begins the part below the start.
 *
 * A search belongs to one call on one thread: it has no lock, and a fork needs nothing. */
#include <stdlib.h>
#include <string.h>

#include "core/base/glob.h"
#include "core/base/path.h"
#include "core/base/string_list.h"
#include "core/base/status.h"
#include "choice.h"
#include "segments.h"

/* A directory to visit; the path stands behind the states. */
typedef struct glob_place {
  struct glob_place *next;
  const char *path;
  size_t depth;      /* below the start */
  bool included;     /* choice_includes */
  uint64_t states[]; /* bit i: its entries may match segment i */
} glob_place;

typedef struct glob_search {
  const modfs_fs *fs;
  modfs_choice *choice;  /* NULL: all entries are chosen */
  size_t stem;           /* length of the start, with its slash */
  bool directories_only; /* the pattern ends in a slash */
  glob_segments segments;
  glob_place *places;
  size_t depth;       /* of directories found in the current one */
  char *path;         /* of the current entry */
  size_t room, above; /* of the path; up to the entry's name */
  modfs_string_list *found;
  TF_Status *asking, *status;
} glob_search;

/* Places to visit ------------------------------------------------------------------- */

static bool ends_in_slash(const char *pattern) {
  size_t length = strlen(pattern);
  return length > 0 && pattern[length - 1] == '/';
}

static void push_place(glob_search *search, const char *path, bool included) {
  glob_place *place;
  size_t length = strlen(path), states = search->segments.words * sizeof *place->states;
  if (!fs_check_depth(search->fs, search->depth, length, search->status)) return;
  place = malloc(sizeof *place + states + length + 1);
  if (!place) {
    status_no_memory(search->status);
    return;
  }
  place->depth = search->depth;
  place->included = included;
  memcpy(place->states, search->segments.next, states);
  place->path = memcpy((char *)place->states + states, path, length + 1);
  place->next = search->places;
  search->places = place;
}

/* A path that does not exist, is denied or is no directory has no matches; other codes are
 * failures. */
static bool is_harmless(TF_Code code) {
  return code == TF_OK || code == TF_NOT_FOUND || code == TF_PERMISSION_DENIED ||
         code == TF_FAILED_PRECONDITION;
}

/* Whether the call behind "asking" succeeded; what is not harmless ends the search. */
static bool is_answered(glob_search *search) {
  TF_Code code = TF_GetCode(search->asking);
  if (!is_harmless(code) && status_ok(search->status))
    TF_SetStatus(search->status, code, TF_Message(search->asking));
  return code == TF_OK;
}

/* Choosing --------------------------------------------------------------------------- */

/* Queries the attributes; false when the entry is passed over, or the search ends. */
static bool ask(glob_search *search, const char *path, modfs_attributes *attributes) {
  modfs_fs_lstat(search->fs, path, attributes, search->asking);
  return is_answered(search);
}

static bool is_chosen(glob_search *search, const glob_place *place, const char *path, int kind) {
  modfs_attributes attributes = {.kind = kind};
  bool known = kind != MODFS_KIND_UNKNOWN;
  if (!search->choice) return true;
  if (!known && !ask(search, path, &attributes)) return false;
  choice_entry entry = {path + search->stem, place->depth + 1, attributes.kind, place->included};
  if (!choice_matches(search->choice, &entry)) return false;
  bool asks = choice_asks(search->choice, entry.kind);
  if (asks && known && !ask(search, path, &attributes)) return false;
  choice_answer answer =
      choice_passes(search->choice, &entry, asks ? &attributes : NULL, search->asking);
  if (answer == CHOICE_END)
    TF_SetStatus(search->status, TF_GetCode(search->asking), TF_Message(search->asking));
  return answer == CHOICE_YES;
}

/* Makes room for so many bytes behind the directory's path. */
static bool has_room(glob_search *search, size_t more) {
  size_t room = search->above + more;
  if (room <= search->room) return true;
  char *path = realloc(search->path, 2 * room);
  if (!path) {
    status_no_memory(search->status);
    return false;
  }
  search->path = path;
  search->room = 2 * room;
  return true;
}

/* Puts the directory's path before those of its entries. */
static bool begin_paths(glob_search *search, const char *directory) {
  size_t length = strlen(directory);
  search->above = 0;
  if (!has_room(search, length + 2)) return false;
  memcpy(search->path, directory, length);
  if (path_wants_slash(directory, length)) search->path[length++] = '/';
  search->above = length;
  return true;
}

/* The path of an entry, until the next one; NULL when it is not chosen, or memory is short. */
static const char *chosen_path(glob_search *search, const glob_place *place, const char *name,
                               int kind) {
  size_t size = strlen(name) + 1;
  if (!has_room(search, size)) return NULL;
  memcpy(search->path + search->above, name, size);
  return is_chosen(search, place, search->path, kind) ? search->path : NULL;
}

/* Entries ---------------------------------------------------------------------------- */

/* slash: unless the path ends in one. */
static void add_found(glob_search *search, const char *path, bool slash) {
  const char *ending = slash && !ends_in_slash(path) ? "/" : "";
  if (!string_list_pack(search->found, path, ending)) status_no_memory(search->status);
}

static bool is_directory(glob_search *search, const char *path) {
  bool directory = modfs_fs_is_directory(search->fs, path, search->asking);
  return is_answered(search) && directory;
}

/* Whether an entry is a directory, or a link to one (*linked). */
static bool leads_down(glob_search *search, const char *path, int kind, bool *linked) {
  *linked = kind == MODFS_KIND_LINK;
  if (kind == MODFS_KIND_UNKNOWN && search->fs->tells_links) {
    modfs_attributes attributes;
    kind = ask(search, path, &attributes) ? attributes.kind : MODFS_KIND_OTHER;
    *linked = kind == MODFS_KIND_LINK;
  }
  if (kind == MODFS_KIND_DIRECTORY) return true;
  return (*linked || kind == MODFS_KIND_UNKNOWN) && is_directory(search, path);
}

static void report(glob_search *search, const char *path) {
  add_found(search, path, search->directories_only);
}

/* Visits a directory later, if anything can match below it. The directory itself is a result when
 * only "**", which may match nothing, is left to match. */
static void enter_place(glob_search *search, const glob_place *above, const char *path,
                        bool reported) {
  const glob_segments *segments = &search->segments;
  if (!segments_go_on(segments)) return;
  if (segments_has(segments->next, segments->count) && !reported) report(search, path);
  bool included = choice_includes(search->choice, path + search->stem, above->included);
  push_place(search, path, included);
}

static bool is_leaf(int kind) {
  return kind == MODFS_KIND_FILE || kind == MODFS_KIND_OTHER;
}

static void take_entry(glob_search *search, const glob_place *place, const modfs_entry *entry) {
  bool matches = segments_match(&search->segments, entry->name), linked = false;
  bool ends_here = is_leaf(entry->kind) || !segments_may_go_on(&search->segments);
  if (!matches && ends_here) return;
  const char *path = chosen_path(search, place, entry->name, entry->kind);
  if (!path) return;
  if (ends_here && !search->directories_only) {
    report(search, path);
    return;
  }
  bool directory = leads_down(search, path, entry->kind, &linked);
  if (matches && (directory || !search->directories_only)) report(search, path);
  if (!linked) segments_go_through(&search->segments);
  if (directory) enter_place(search, place, path, matches);
}

/* Places ----------------------------------------------------------------------------- */

static bool needs_listing(const glob_search *search, const glob_place *place) {
  const glob_segments *segments = &search->segments;
  for (size_t i = 0; i < segments->count; i++)
    if (segments_has(place->states, i) && (segments->list[i].stars || segments->list[i].magic))
      return true;
  return false;
}

static bool is_there(glob_search *search, const char *path, bool last) {
  if (!last || search->directories_only) return is_directory(search, path);
  modfs_fs_path_exists(search->fs, path, search->asking);
  return is_answered(search);
}

/* Literal segments are looked up by name: a directory may be searchable but not readable. */
static void probe(glob_search *search, const glob_place *place) {
  glob_segments *segments = &search->segments;
  for (size_t i = 0; i < segments->count && status_ok(search->status); i++) {
    if (!segments_has(place->states, i)) continue;
    bool last = i + 1 == segments->count;
    const char *path = chosen_path(search, place, segments->list[i].text, MODFS_KIND_UNKNOWN);
    bool there = path && is_there(search, path, last);
    if (there && last) report(search, path);
    if (there && !last) {
      segments_begin(segments, i + 1);
      enter_place(search, place, path, false);
    }
  }
}

static void visit(glob_search *search, const glob_place *place) {
  const char *path = *place->path ? place->path : ".";
  if (!choice_reaches(search->choice, place->depth) || !begin_paths(search, place->path)) return;
  if (!needs_listing(search, place)) {
    probe(search, place);
    return;
  }
  segments_prepare(&search->segments, place->states);
  modfs_listing *listing = modfs_listing_open(search->fs, path, search->asking);
  modfs_entry entry;
  while (listing && status_ok(search->status) &&
         modfs_listing_next(listing, &entry, search->asking))
    take_entry(search, place, &entry);
  is_answered(search);
  modfs_listing_close(listing);
  if (TF_GetCode(search->asking) == TF_PERMISSION_DENIED && !listing) probe(search, place);
}

/* The search ------------------------------------------------------------------------- */

/* Where the literal start of a pattern ends: behind the slash before the first wildcard segment. */
static size_t literal_length(const char *pattern, size_t path_offset) {
  size_t end = path_offset;
  for (const char *p = pattern + path_offset; *p;) {
    size_t n = strcspn(p, "/");
    if (glob_has_magic(p, n)) break;
    p += n + (p[n] == '/');
    end = (size_t)(p - pattern);
  }
  return end;
}

/* The directory to start in: the literal start without its last slash, unless that is the root. */
static char *start_of(const char *pattern, size_t literal) {
  size_t root = literal;
  while (root > 1 && pattern[root - 1] == '/' && pattern[root - 2] != '/' &&
         pattern[root - 2] != ':')
    root--;
  return literal ? strndup(pattern, root) : strdup(".");
}

static void start(glob_search *search, const char *pattern, size_t literal) {
  char *path = start_of(pattern, literal);
  segments_begin(&search->segments, 0);
  if (!path) {
    status_no_memory(search->status);
    return;
  }
  bool itself = segments_has(search->segments.next, search->segments.count) && literal > 0;
  if (itself && is_directory(search, path)) add_found(search, path, true);
  search->stem = strlen(path) + path_wants_slash(path, strlen(path));
  push_place(search, path, false);
  free(path);
}

static void run(glob_search *search, const char *pattern, size_t literal) {
  start(search, pattern, literal);
  while (search->places) {
    glob_place *place = search->places;
    search->places = place->next;
    search->depth = place->depth + 1;
    if (status_ok(search->status)) visit(search, place);
    free(place);
  }
}

static void find_literal(glob_search *search, const char *pattern, bool directory) {
  search->directories_only = directory;
  if (is_there(search, pattern, true)) add_found(search, pattern, false);
}

static void search_fini(glob_search *search) {
  segments_fini(&search->segments);
  free(search->path);
  TF_DeleteStatus(search->asking);
  search->found = NULL;
}

/* Runs a search that has fs, choice and status. */
static void find_all(glob_search *search, const char *pattern, bool with_stars,
                     modfs_string_list *names) {
  modfs_path parts = modfs_path_parse(pattern, strlen(pattern));
  modfs_string_list found = {0};
  size_t offset = (size_t)(parts.path - pattern);
  bool host = glob_has_magic(parts.host, parts.host_length);
  search->found = &found;
  search->asking = TF_NewStatus();
  if (host && with_stars) offset = (size_t)(parts.host - pattern);
  if (!search->asking)
    status_no_memory(search->status);
  else if (host && !with_stars)
    TF_SetStatus(search->status, TF_INVALID_ARGUMENT,
                 "wildcards in the host part are not supported");
  else if (!glob_has_magic(pattern, strlen(pattern)))
    find_literal(search, pattern, with_stars && ends_in_slash(pattern));
  else {
    size_t literal = literal_length(pattern, offset);
    search->directories_only = with_stars && ends_in_slash(pattern + literal);
    if (segments_split(&search->segments, pattern + literal, with_stars))
      run(search, pattern, literal);
    else
      status_no_memory(search->status);
  }
  search_fini(search);
  if (status_ok(search->status)) {
    string_list_unite(&found);
    *names = found;
  } else {
    modfs_string_list_fini(&found);
  }
}

void glob_find(const modfs_fs *fs, const char *pattern, bool with_stars, modfs_string_list *names,
               TF_Status *status) {
  glob_search search = {.fs = fs, .status = status};
  find_all(&search, pattern, with_stars, names);
}

void modfs_glob_chosen(const modfs_fs *fs, const char *pattern, modfs_choice *choice,
                       modfs_string_list *names, TF_Status *status) {
  glob_search search = {.fs = fs, .choice = choice, .status = status};
  if (!choice) {
    modfs_glob(fs, pattern, names, status);
    return;
  }
  if (status_takes(status, "the pattern", pattern)) find_all(&search, pattern, true, names);
  status_locate(status, "glob", pattern);
}

/* Whether any segment is "**". */
static bool has_stars(const char *pattern) {
  for (const char *p = pattern; (p = strstr(p, "**")); p++)
    if ((p == pattern || p[-1] == '/') && (p[2] == '\0' || p[2] == '/')) return true;
  return false;
}

void modfs_glob(const modfs_fs *fs, const char *pattern, modfs_string_list *names,
                TF_Status *status) {
  if (!status_takes(status, "the pattern", pattern)) {
    status_locate(status, "glob", NULL);
    return;
  }
  modfs_path parts = modfs_path_parse(pattern, strlen(pattern));
  if (ends_in_slash(pattern) || has_stars(parts.scheme_length ? parts.host : pattern)) {
    glob_find(fs, pattern, true, names, status);
    status_locate(status, "glob", pattern);
  } else {
    modfs_fs_get_matching_paths(fs, pattern, names, status);
    if (status_ok(status)) string_list_unite(names);
  }
}
