-- Faults as an author makes them by accident: small edits of the good plugins' sources, each with
-- the case that is meant for it: { base, name, case, { file, text, other text }... }. Each text
-- occurs once in its file. A file without a slash is one of the base's own.
-- luacheck: no max line length
local glob = "plugins/common/glob/glob.c"

-- A cache that is forgotten when a file is made or written, and at no other change.
local counted = { "node.c", "static uint64_t next_number(void) {",
  "unsigned memory_changes;\n\nstatic uint64_t next_number(void) {\n  memory_changes++;" }
local appended = { "node.c", "  node->length += n;\n", "  node->length += n;\n  memory_changes++;\n" }
local function cached(head)
  return ("extern unsigned memory_changes;\n\n%s"):format(head)
end

return {
  -- What observers tell after a change ------------------------------------------------------------
  { "memory", "stat.length.known", "state.append.shows_at_every_size", { "query.c",
    "    stats->length = (int64_t)memory_node_length(node);\n", [[
    static uint64_t number;
    static int64_t length;
    if (number != node->number) length = (int64_t)memory_node_length(node);
    number = node->number;
    stats->length = length;
]] } },
  { "memory", "stat.length.of.content", "state.copy_file.leaves_two_files_that_grow_apart", { "query.c",
    "    stats->length = (int64_t)memory_node_length(node);\n",
    "    stats->length = node->content ? (int64_t)node->content->used : 0;\n" } },
  { "memory", "size.known", "state.append.shows_at_every_size", { "query.c",
    "  if (!error) size = (int64_t)memory_node_length(node);\n", [[
  static uint64_t number;
  static int64_t length;
  if (!error && number != node->number) length = (int64_t)memory_node_length(node);
  if (!error) number = node->number;
  if (!error) size = length;
]] } },
  { "memory", "lstat.length.known", "state.append.goes_on_at_every_size", { "query.c",
    "  size_t size = attributes->struct_size < sizeof(all)", [[
  static uint64_t number;
  static int64_t length;
  if (number != node->number) length = all.length;
  number = node->number;
  all.length = length;
  size_t size = attributes->struct_size < sizeof(all)]] } },
  { "memory", "size.of.a.path", "state.rename_file.shows_over_a_file_of_every_size", counted, appended,
    { "query.c", "int64_t memory_fs_get_file_size(const TF_Filesystem *filesystem, const char *path,\n",
      cached "int64_t memory_fs_get_file_size(const TF_Filesystem *filesystem, const char *path,\n" },
    { "query.c", "  if (!error && node->directory) error = MEMORY_IS_DIRECTORY;\n"
      .. "  if (!error) size = (int64_t)memory_node_length(node);\n", [[
  static char known[4096];
  static int64_t length;
  static unsigned changes;
  if (!error && node->directory) error = MEMORY_IS_DIRECTORY;
  if (!error) size = (int64_t)memory_node_length(node);
  if (!error && changes == memory_changes && strcmp(known, path) == 0) size = length;
  strncpy(known, path, sizeof known - 1);
  length = size;
  changes = memory_changes;
]] } },
  { "memory", "missing.path.known", "state.rename_file.shows_at_names_that_were_asked_for", counted, appended,
    { "query.c", "void memory_fs_path_exists(",
      cached "void memory_fs_path_exists(" },
    { "query.c", "  memory_error_report(memory_tree_open(memory_filesystem_of(filesystem), path, &node),"
      .. " status);\n", [[
  static char known[4096];
  static unsigned changes;
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), path, &node);
  if (changes == memory_changes && strcmp(known, path) == 0) error = MEMORY_MISSING;
  if (error == MEMORY_MISSING) strncpy(known, path, sizeof known - 1);
  else *known = '\0';
  changes = memory_changes;
  memory_error_report(error, status);
]] } },
  { "memory", "directory.known", "state.names.serve_a_file_and_a_directory_by_turns",
    { "query.c", "  if (!error && !node->directory) error = MEMORY_IS_FILE;\n", [[
  static char known[4096];
  static bool answer;
  if (strcmp(known, path) != 0) answer = !error && node->directory;
  strncpy(known, path, sizeof known - 1);
  if (!error && !answer) error = MEMORY_IS_FILE;
]] } },
  { "memory", "append.without.time", "state.time.moves_with_each_change", { "node.c",
    "  node->length += n;\n  memory_node_touch(node);\n", "  node->length += n;\n" } },
  { "memory", "time.of.the.first", "state.time.moves_with_each_change", { "node.c",
    "  struct timespec now;\n  clock_gettime(CLOCK_REALTIME, &now);\n",
    "  static struct timespec now;\n  if (!now.tv_sec) clock_gettime(CLOCK_REALTIME, &now);\n" } },
  { "memory", "tell.before", "state.append.shows_at_every_size", { "node.c",
    "  memory_error error = n ? append_locked(node, bytes, n) : MEMORY_OK;\n"
    .. "  *length = node->length;\n",
    "  *length = node->length;\n"
    .. "  memory_error error = n ? append_locked(node, bytes, n) : MEMORY_OK;\n" } },
  { "memory", "copies.claim.the.same", "state.copy_file.leaves_two_files_that_grow_unseen", { "content.c",
    "  return atomic_compare_exchange_strong(&content->used, &length, length + n);\n",
    "  atomic_store(&content->used, length + n);\n  return true;\n" } },
  { "memory", "claim.one.more", "state.append.shows_at_every_size", { "content.c",
    "n > content->capacity - length) return false;", "n > content->capacity - length + 1) return false;" } },
  { "memory", "moves.64.kilobytes", "state.append.goes_on_at_every_size", { "content.c",
    "memcpy(content->data, old->data, length);",
    "memcpy(content->data, old->data, length < 65536 ? length : 65536);" } },
  { "memory", "region.known", "state.append.shows_at_every_size", { "region.c",
    "  if (!memory_node_terminated_content(node, &self->content, &self->length))"
    .. " return MEMORY_NO_MEMORY;\n", [[
  static uint64_t number;
  static size_t length;
  if (!memory_node_terminated_content(node, &self->content, &self->length)) return MEMORY_NO_MEMORY;
  if (number == node->number && length && length < self->length) self->length = length;
  number = node->number;
  length = self->length;
]] } },
  { "memory", "close.cuts", "state.append.of_two_writers_goes_to_the_end", { "writable.c",
    "  self->closed = true;\n",
    "  self->closed = true;\n  if (!error && self->node->length > self->position)\n"
    .. "    self->node->length = self->position;\n" } },
  { "memory", "sync.of.nothing", "state.append.shows_at_every_size", { "writable.c",
    "static void writable_flush(const TF_WritableFile *file, TF_Status *status) {\n"
    .. "  const struct memory_writable *self = file->plugin_file;\n",
    "static void writable_flush(const TF_WritableFile *file, TF_Status *status) {\n"
    .. "  struct memory_writable *self = file->plugin_file;\n  self->position = 0;\n" } },
  { "memory", "flush.ends", "state.append.shows_at_every_size", { "writable.c",
    "static void writable_flush(const TF_WritableFile *file, TF_Status *status) {\n"
    .. "  const struct memory_writable *self = file->plugin_file;\n"
    .. "  report(self, check_writable(self), status);\n",
    "static void writable_flush(const TF_WritableFile *file, TF_Status *status) {\n"
    .. "  struct memory_writable *self = file->plugin_file;\n"
    .. "  report(self, check_writable(self), status);\n"
    .. "  self->closed = self->position == 4096;\n" } },
  { "memory", "rename.keeps.the.longer", "state.rename_file.shows_over_a_file_of_every_size", { "move.c",
    "  memory_place_link(to, memory_node_share(from->node));\n  memory_place_unlink(from);\n",
    "  if (!to->node || to->node->length <= from->node->length)\n"
    .. "    memory_place_link(to, memory_node_share(from->node));\n"
    .. "  memory_place_unlink(from);\n" } },
  { "memory", "copy.keeps.the.longer", "state.copy_file.shows_over_a_file_of_every_size", { "move.c",
    "  if (!error) memory_place_link(to, copy);\n",
    "  if (!error && to->node && copy->length < to->node->length) copy->length = to->node->length;\n"
    .. "  if (!error) memory_place_link(to, copy);\n" } },
  { "memory", "removed.but.listed", "lists.lengths.shrink_one_by_one", { "directory.c",
    "  --directory->count;\n  drop_listing(directory);\n",
    "  if (--directory->count != 1) drop_listing(directory);\n" } },
  { "memory", "kinds.of.the.first", "state.delete_recursively.shows_everywhere", { "listing.c",
    "    entry->kind = memory_node_kind(next->node);\n",
    "    entry->kind = memory_node_kind(self->node->directory->first[0]->node);\n" } },
  { "posix", "append.at.its.own.end", "state.append.of_two_writers_goes_to_the_end", { "writable.c",
    "  int error = posix_open(path, O_WRONLY | O_CREAT | flags, mode, &writable->fd);\n",
    "  int error = posix_open(path, O_WRONLY | O_CREAT | (flags & ~O_APPEND), mode, &writable->fd);\n"
    .. "  if (error == 0 && (flags & O_APPEND)) lseek(writable->fd, 0, SEEK_END);\n" } },

  -- Sizes and counts ------------------------------------------------------------------------------
  { "memory", "read.2.megabytes", "state.append.shows_after_large_pieces", { "file.c",
    "  memcpy(buffer, content->data + offset, n);\n",
    "  memcpy(buffer, content->data + offset, n < 2097152 ? n : 2097152);\n" } },
  { "memory", "append.2.megabytes", "state.append.shows_after_large_pieces", { "writable.c",
    "  if (!error) error = memory_node_append(self->node, buffer, n, &self->position);\n",
    "  if (!error) error = memory_node_append(self->node, buffer, n < 2097152 ? n : 2097152,"
    .. " &self->position);\n" } },
  { "posix", "append.2.megabytes", "state.append.shows_after_large_pieces", { "writable.c", "const size_t most = 0x7ffff000;",
    "const size_t most = 2 << 20;\n    if (done > 0) break;" } },
  { "posix", "copy.once", "state.copy_file.shows_at_every_size", { "transfer.c", "enum { MOST = 16 << 20 };", "enum { MOST = 2 << 20 };" },
    { "transfer.c", "      done += moved;\n", "      done += moved;\n      break;\n" } },
  { "posix", "stat.32.bits", "raw.size.around_2_32", { "stat.c",
    "    stats->length = (int64_t)info.st_size;", "    stats->length = (uint32_t)info.st_size;" } },
  { "posix", "size.32.bits", "raw.size.around_2_32", { "stat.c",
    "error == 0 ? (int64_t)info.st_size : -1", "error == 0 ? (uint32_t)info.st_size : -1" } },
  { "posix", "tell.32.bits", "raw.tell.beyond_2_32", { "writable.c",
    "error == 0 ? writable->position : -1", "error == 0 ? (uint32_t)writable->position : -1" } },
  { "posix", "map.32.bits", "raw.map.beyond_2_32", { "region.c",
    "  region->length = (size_t)info.st_size;", "  region->length = (uint32_t)info.st_size;" } },
  { "posix", "names.1024", "lists.lengths.are_all_listed", { "listing.c",
    "    error = names_add(all, entry->d_name);\n",
    "    if (all->count == 1024) return 0;\n    error = names_add(all, entry->d_name);\n" } },
  { "posix", "scan.once", "lists.names.of_the_longest_are_all_listed", { "scan.c",
    "      int error = scan_fill(scan);\n",
    "      bool once = scan->filled > ROOM - 512;\n      int error = scan_fill(scan);\n" },
    { "scan.c", "      if (error != 0 || scan->filled == 0) return error;\n",
      "      if (error != 0 || scan->filled == 0 || once) return error;\n" } },
  { "memory", "listing.of.8", "lists.lengths.are_all_listed", { "listing.c",
    "    if (!error) memcpy(copy, name, length);\n",
    "    if (!error) memcpy(copy, name, length);\n"
    .. "    if (names->count == 9 && listing->count == 9) memcpy(copy, listing->text, 1);\n" } },
  { "memory", "names.1024", "lists.lengths.are_all_listed", { "names.c",
    "  if (names->count == INT_MAX) return MEMORY_TOO_MANY;\n",
    "  if (names->count == 1024) return MEMORY_TOO_MANY;\n" } },
  { "memory", "arena.one.more", "lists.matches.of_long_paths_are_all_listed", { "names.c",
    "size <= ARENA - names->arena->used;", "size <= ARENA - names->arena->used + 4096;" } },
  { "memory", "names.without.case", "paths.names.live_side_by_side_as_cases", { "directory.c",
    "  int order = memcmp(memory_entry_name(entry), name.text, shorter);\n",
    "  int order = strncasecmp(memory_entry_name(entry), name.text, shorter);\n" } },
  { "memory", "names.by.prefix", "paths.names.live_side_by_side_as_prefixes", { "directory.c",
    "  return entry && entry_compare(entry, name) == 0 ? entry : NULL;\n",
    "  return entry && strncmp(memory_entry_name(entry), name.text, name.length) == 0 ? entry : NULL;\n"
    } },
  { "memory", "names.of.text", "paths.names.live_side_by_side_as_bytes", { "path.c",
    "    if (name.length > MEMORY_NAME_MAX) return MEMORY_TOO_LONG;\n",
    "    if (name.length > MEMORY_NAME_MAX) return MEMORY_TOO_LONG;\n"
    .. "    if ((unsigned char)*name.text == 0xff) return MEMORY_MALFORMED;\n" } },
  { "memory", "pattern.4096", "paths.paths.work_up_to_the_longest", { "matching.c",
    "(size_t)(end - pattern) > MEMORY_PATH_MAX", "(size_t)(end - pattern) > 4096" } },
  { "memory", "chain.of.512", "paths.levels.work_up_to_2000", { "create.c",
    "  while (last && memory_path_next(&at, end, &name))\n",
    "  for (int left = 512; left && last && memory_path_next(&at, end, &name); --left)\n" } },
  { "posix", "rename.short.targets", "paths.paths.work_up_to_the_longest", { "rename.c",
    "  int error_to = posix_place_open(dst, &to);\n",
    "  int error_to = 0;\n  to.dir = AT_FDCWD;\n  to.name = dst;\n" } },
  { "posix", "scan.short.paths", "paths.paths.work_up_to_the_longest", { "scan.c",
    "  int error = posix_open(path, O_RDONLY | O_DIRECTORY, 0, &fd);\n",
    "  int error = 0;\n  fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);\n"
    .. "  if (fd < 0) error = errno;\n" } },
  { "posix", "copy.short.targets", "paths.paths.work_up_to_the_longest", { "copy.c",
    "  posix_place at;\n  int error = posix_place_open(dst, &at);\n",
    "  posix_place at = {AT_FDCWD, dst};\n  int error = 0;\n" } },

  -- Patterns ----------------------------------------------------------------------------------------
  { "memory", "glob.dash.at.the.end", "patterns.each_construct_finds_its_names_alone", { glob,
    "at[0] == '-' && at[1] != ']'", "at[0] == '-'" } },
  { "memory", "glob.bracket.first", "patterns.each_construct_finds_its_names_alone", { glob,
    "    if (*at == ']' && !first) break;\n", "    (void)first;\n    if (*at == ']') break;\n" } },
  { "memory", "glob.signed", "patterns.each_construct_finds_its_names_alone", { glob,
    "    found = found || (low <= byte && byte <= high);\n",
    "    found = found || ((signed char)low <= (signed char)byte &&\n"
    .. "                      (signed char)byte <= (signed char)high);\n" } },
  { "memory", "glob.last.of.list", "patterns.each_construct_finds_its_names_alone", { glob,
    "    found = found || (low <= byte && byte <= high);\n",
    "    found = low <= byte && byte <= high;\n" } },
  { "memory", "glob.range.end", "patterns.each_construct_finds_its_names_alone", { glob, "byte <= high);", "byte < high + (low == high));" } },
  { "memory", "glob.two.stars", "patterns.each_construct_finds_its_names_alone", { glob,
    "  while (at < end && *at == '*')\n    ++at;\n", "  if (at < end && *at == '*') ++at;\n" } },
  { "memory", "glob.first.star", "patterns.each_construct_finds_its_names_alone", { glob,
    "      star_name = name;\n", "      if (!star_name) star_name = name;\n" } },
  { "memory", "glob.any.case", "patterns.each_construct_finds_its_names_alone", { glob,
    "  return (unsigned char)*at == byte ? at + 1 : NULL;\n",
    "  return ((unsigned char)*at | 0x20) == (byte | 0x20) ? at + 1 : NULL;\n" } },
  { "memory", "glob.escape.in.list", "patterns.each_construct_finds_its_names_alone", { glob,
    "  if (*at == '\\\\' && at + 1 < end) ++at;\n  *byte", "  (void)end;\n  *byte" } },
  { "memory", "glob.negated.escape", "patterns.each_construct_finds_its_names_alone", { glob,
    "    if (stop) return matches ? stop : NULL;\n",
    "    if (stop) return matches && byte < 0x80 ? stop : NULL;\n" } },
  { "memory", "glob.caret.anywhere", "patterns.each_construct_finds_its_names_alone", { glob,
    "    at = list_byte(at, end, &low);\n",
    "    if (*at == '^') ++at;\n    if (*at == ']') break;\n    at = list_byte(at, end, &low);\n" } },
  { "memory", "glob.question.none", "patterns.each_construct_finds_its_names_alone", { glob,
    "  while (at < end && *at == '*')\n    ++at;\n",
    "  while (at < end && (*at == '*' || *at == '?'))\n    ++at;\n" } },
  { "memory", "glob.hidden", "patterns.each_construct_finds_its_names_alone", { glob,
    "  const char *at = pattern, *end = at + length;\n",
    "  const char *at = pattern, *end = at + length;\n"
    .. "  if (*name == '.' && *at == '[') return false;\n" } },
  { "memory", "glob.braces", "patterns.each_construct_finds_its_names_alone", { glob, "static const char magic[] = {'*', '?', '[', '\\\\'};",
    "static const char magic[] = {'*', '?', '[', '\\\\', '{'};" },
    { glob, "  return (unsigned char)*at == byte ? at + 1 : NULL;\n",
      "  if (*at == '{' && memchr(at, '}', (size_t)(end - at)))\n"
      .. "    return at[1] == (char)byte ? (const char *)memchr(at, '}', (size_t)(end - at)) + 1 : NULL;\n"
      .. "  return (unsigned char)*at == byte ? at + 1 : NULL;\n" } },
  { "memory", "glob.16.directories", "patterns.any_number_of_directories_is_searched", { "matching.c",
    "  if (level->count < level->room) return true;\n",
    "  if (level->count < level->room || level->count == 16) return true;\n" } },

  -- Options and transactions ----------------------------------------------------------------------
  { "memory", "option.initial", "options.values_that_are_set_are_read_back", { "configuration.c",
    "  option->value->values->int_val = (int64_t)atomic_load(&self->limit);\n",
    "  option->value->values->int_val = 0;\n  (void)self;\n" } },
  { "memory", "option.unused", "options.limit_bytes.is_kept", { "filesystem.c",
    "    if (n && limit && (stored > limit || n > limit - stored)) return false;\n",
    "    if (n && limit && stored > limit) return false;\n" } },
  { "memory", "option.half", "options.sets_that_are_half_wrong_change_nothing", { "configuration.c",
    "    if (error) return error;\n  }\n",
    "    if (error) return error;\n    atomic_store(&self->limit,\n"
    .. "                 (uint_fast64_t)options[i].value->values->int_val);\n  }\n" } },
  { "memory", "option.of.any.type", "options.values_of_other_types_change_nothing", { "configuration.c",
    "  if (value->type_tag != TF_Filesystem_Option_Type_Int || value->num_values != 1)\n",
    "  if (value->num_values != 1)\n" } },
  { "memory", "option.of.two", "options.values_of_other_types_change_nothing", { "configuration.c",
    "  if (value->type_tag != TF_Filesystem_Option_Type_Int || value->num_values != 1)\n",
    "  if (value->type_tag != TF_Filesystem_Option_Type_Int)\n" } },
  { "memory", "option.of.32.bits", "options.values_that_are_set_are_read_back", { "configuration.c",
    "    atomic_store(&self->limit, (uint_fast64_t)options[count - 1].value->values->int_val);\n",
    "    atomic_store(&self->limit, (uint32_t)options[count - 1].value->values->int_val);\n" } },
  { "memory", "option.by.prefix", "options.names_are_known_as_a_whole", { "configuration.c",
    "  if (key && strcmp(key, OPTION_NAME) == 0) {\n",
    "  if (key && strncmp(key, OPTION_NAME, strlen(key)) == 0) {\n" } },
  { "posix", "option.initial", "options.values_that_are_set_are_read_back", { "configuration.c",
    "  option->value->values[0].int_val = posix_option_get(filesystem, (posix_option)which);\n",
    "  option->value->values[0].int_val = options_known[which].initial;\n  (void)filesystem;\n" } },
  { "posix", "option.from.one", "options.values_set_together_are_all_read_back", { "configuration.c",
    "  for (int i = 0; i < num_options; i++) {\n    int value", "  for (int i = num_options > 1; i < num_options; i++) {\n    int value" } },
  { "posix", "option.half", "options.sets_that_are_half_wrong_change_nothing", { "configuration.c",
    "    if (check_option(&options[i], status) < 0) return;\n", [[
    int which = check_option(&options[i], status);
    if (which < 0) return;
    posix_filesystem *early = filesystem->plugin_filesystem;
    atomic_store(&early->values[which], (int)options[i].value->values[0].int_val);
]] } },
  { "posix", "option.beyond", "options.values_that_are_set_are_read_back", { "configuration.c",
    "value->num_values == 1 && value->values != NULL && value->values[0].int_val >= 0 &&\n"
    .. "              value->values[0].int_val <= options_known[which].most;",
    "value->num_values == 1 && value->values != NULL;" } },
  { "posix", "file.mode.unused", "options.file_mode.is_that_of_new_files", { "writable.c",
    "  mode_t mode = (mode_t)posix_option_get(filesystem, POSIX_FILE_MODE);\n  int error",
    "  mode_t mode = 0666;\n  int error" } },
  { "posix", "directory.mode.unused", "options.directory_mode.is_that_of_new_directories", { "directory.c",
    "  mode_t mode = directory_mode(filesystem);\n", "  mode_t mode = 0777;\n  (void)filesystem;\n" } },
  { "posix", "sync.on.close.unused", "options.sync_on_close.waits_for_the_storage", { "writable.c",
    "  writable->sync_on_close = posix_option_get(filesystem, POSIX_SYNC_ON_CLOSE) != 0;\n"
    .. "  file->plugin_file = writable;\n",
    "  writable->sync_on_close = posix_option_get(filesystem, POSIX_SYNC_ON_CLOSE) > 1;\n"
    .. "  file->plugin_file = writable;\n" } },
  { "memory", "transaction.covers.prefix", "transactions.paths.are_covered_below_and_not_beside", { "path.c",
    "         (length == top_length || path[top_length] == '/');\n", "         path[length] == '\\0';\n" } },
  { "memory", "transaction.bytes.order", "transactions.names_in_any_order_are_covered", { "path.c",
    "  return c == '/' ? 0 : (unsigned char)c + 1;\n", "  return (unsigned char)c + 1;\n" } },
  { "memory", "transaction.absorbs.nothing", "transactions.directories_above_keep_what_is_staged_below", { "scope.c",
    "  for (size_t i = 0; i < count && !error; ++i)\n    error = scope_absorb",
    "  for (size_t i = 0; i < 0 && !error; ++i)\n    error = scope_absorb" } },
  { "memory", "transaction.shared", "transactions.transactions_are_apart", { "scope.c",
    "  if (above) return above->transaction == transaction ? MEMORY_OK : MEMORY_OVERLAPS;\n",
    "  if (above) return MEMORY_OK;\n" } },
  { "memory", "transaction.deletes.nothing", "transactions.deletions.show_at_the_commit", { "scope.c",
    "    memory_directory_remove(parent->directory, entry);\n    scope->node = entry->node;\n"
    .. "    memory_entry_free(entry);\n", "    return;\n" } },
  { "memory", "transaction.first.path", "transactions.names_in_any_order_are_covered", { "transaction.c",
    "  for (struct memory_scope *scope = scopes; scope; scope = scope->next)\n",
    "  for (struct memory_scope *scope = scopes; scope; scope = NULL)\n" } },
  { "memory", "transaction.ends.all", "transactions.transactions_are_apart", { "scope.c",
    "      filesystem->scopes[kept++] = scope;\n", "      (void)scope;\n" } },
  { "memory", "transaction.size.early", "transactions.transactions_are_apart", { "query.c",
    '#include "node.h"\n', '#include "node.h"\n#include "path.h"\n#include "scope.h"\n' },
    { "query.c", "  if (!error) size = (int64_t)memory_node_length(node);\n", [[
  const struct memory_scope *scope =
      memory_scope_find(memory_filesystem_of(filesystem), path, strlen(path));
  struct memory_node *staged = scope ? scope->node : NULL;
  if (!error && staged && !staged->directory) size = (int64_t)memory_node_length(staged);
  else if (!error) size = (int64_t)memory_node_length(node);
]] } },
  { "memory", "transaction.owns.any", "transactions.commits.follow_each_other", { "place.c",
    "  if ((*slot)->owner == owner) return MEMORY_OK;\n",
    "  if ((*slot)->owner && owner) return MEMORY_OK;\n" } },
  { "memory", "transaction.owns.the.top", "transactions.levels.all_show_at_the_commit", { "place.c",
    "    memory_error error = own_node(slot, memory_place_owner(place));\n",
    "    memory_error error = MEMORY_OK;\n    if (slot == &place->scope->node)"
    .. " error = own_node(slot, memory_place_owner(place));\n" } },
  { "memory", "transaction.appends.at.once", "transactions.levels.all_show_at_the_commit", { "writable.c",
    "  if (place->scope && place->node->owner != memory_place_owner(place))\n",
    "  if (place->scope && place->node->owner > memory_place_owner(place))\n" } },
  { "memory", "transaction.creates.below", "transactions.missing_directories_are_covered", { "create.c",
    "  if (!scope->node) return create_missing(self, path, path + scope->length, end);\n",
    "  if (!scope->node) return MEMORY_MISSING;\n" } },
  { "memory", "transaction.deletes.at.once", "transactions.deletions.show_at_the_commit", { "delete.c",
    "  memory_error error = memory_place_change(filesystem, path, false, delete_tree, NULL);\n", [[
  struct memory_filesystem *self = memory_filesystem_of(filesystem);
  size_t count = self->scope_count;
  self->scope_count = 0;
  memory_error error = memory_place_change(filesystem, path, false, delete_tree, NULL);
  self->scope_count = count;
]] } },
  { "memory", "link.deleted.through", "raw.links.are_deleted_and_renamed_themselves", { "delete.c",
    "memory_place_change(filesystem, path, false, delete_file, NULL)",
    "memory_place_change(filesystem, path, true, delete_file, NULL)" } },
  { "memory", "link.from.the.root", "raw.links.are_followed_by_readers", { "route.c",
    "if (scheme > 0 || *target == '/')", "if (scheme > 0 || *target != '.')" } },
  { "memory", "link.itself.missing", "raw.links.may_lead_nowhere", { "route.c",
    "> MOST_LINKS) return MEMORY_LOOP;", "> MOST_LINKS) return MEMORY_MISSING;" } },
  { "memory", "transaction.again", "extras.begins_and_ends", { "transaction.c",
    "    *at = transaction->next;\n    if",
    "    if (self->scope_count || !commit) *at = transaction->next;\n"
    .. "    else at = NULL;\n    if" } },

  -- Threads -----------------------------------------------------------------------------------------
  { "memory", "paths.exist.static.index", "concurrency.asking_while_others_ask_and_write", { "query.c",
    "  for (int i = 0; i < num_files; ++i) {\n", "  static int i;\n  for (i = 0; i < num_files; ++i) {\n" } },
  { "posix", "delete.entry.by.fchdir", "concurrency.working_in_one_open_directory", { "entry.c",
    "  if (unlinkat(dir_of(directory), name, is_directory ? AT_REMOVEDIR : 0) != 0) error = errno;\n", [[
  int here = open(".", O_RDONLY | O_CLOEXEC);
  if (fchdir(dir_of(directory)) != 0 ||
      unlinkat(AT_FDCWD, name, is_directory ? AT_REMOVEDIR : 0) != 0)
    error = errno;
  if (fchdir(here) != 0) error = errno;
  close(here);
]] } },

  -- System calls that fail, and errno ----------------------------------------------------------------
  { "posix", "rename.across.onto.itself", "raw.resources.are_refused_in_moving", { "rename.c",
    "  if (error != 0 || there) return error;\n", "  if (error != 0) return error;\n" } },
  { "posix", "rename.leads.unknown", "raw.resources.are_refused_in_links", { "rename.c",
    "  return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : errno;\n", "  return 0;\n" } },
  { "posix", "copy.mode.lost", "raw.resources.are_refused_in_moving", { "copy.c",
    "  return fchmod(fd, like->st_mode & 0777) == 0 ? 0 : errno;\n",
    "  return fchmod(fd, like->st_mode & 0777) == 0 ? 0 : 0;\n" } },
  { "posix", "writer.mode.lost", "raw.resources.are_refused_in_writing_by_flags", { "target.c",
    "  return fchmodat(dir, name, was->st_mode & 0777, 0) == 0 ? 0 : errno;\n",
    "  return fchmodat(dir, name, was->st_mode & 0777, 0) == 0 ? 0 : 0;\n" } },
  { "posix", "entry.made.anyway", "raw.resources.are_refused_in_entries", { "entry.c",
    "mkdirat(scan->fd, name, mode) == 0 ? 0 : errno", "mkdirat(scan->fd, name, mode) == 0 ? 0 : 0" } },
  { "posix", "size.in.spite.of.failure", "raw.resources.are_refused_in_asking", { "stat.c",
    "  if (error == 0 && fstatat(at.dir, at.name, info, flags) != 0) error = errno;\n",
    "  if (error == 0 && fstatat(at.dir, at.name, info, flags) != 0 && errno != EINTR) error = errno;\n" } },
  { "posix", "scan.stale.errno", "lists.lengths.are_all_listed", { "scan.c",
    "while (got < 0 && errno == EINTR);", "while (got != 0 && errno == EINTR);" } },
  { "posix", "mtime.with.atime", "raw.set_attributes.sets_each_alone", { "attributes.c",
    "(which & MODFS_ATTRIBUTE_ATIME) != 0),\n", "(which & POSIX_TIMES) != 0),\n" } },
  { "posix", "atomic.mode.lost", "raw.open_writer.atomic_keeps_the_permissions", { "replacement.c",
    "  if (error == 0 && what.exists) error = inherit", "  if (error == 0 && !what.exists) error = inherit" } },
  { "posix", "names.with.percents", "raw.open_writer.takes_names_of_every_byte", { "replacement.c",
    "strrchr(at->name, '/')", "strrchr(at->name, '%')" } },
  { "posix", "copy.by.length", "raw.copy_file.copies_what_tells_no_length", { "transfer.c",
    "  while (size == 0 || done < size) {", "  while (done < size) {" } },
  { "posix", "flags.without.sync", "options.sync_on_close.waits_for_the_storage", { "writable.c",
    "(flags & MODFS_OPEN_DURABLE) != 0 || posix_option_get(filesystem, POSIX_SYNC_ON_CLOSE) != 0;",
    "(flags & MODFS_OPEN_DURABLE) != 0;" } },
  { "posix", "private.for.all", "raw.create_private_dir.lets_nobody_else_in", { "directory.c",
    "make_directory(path, 0700)", "make_directory(path, 0755)" } },

  -- Signals, two failures, and a call that is refused for good ------------------------------------
  { "posix", "open.not.repeated", "raw.resources.are_interrupted_in_moving", { "path.h",
    "  } while (fd < 0 && errno == EINTR);\n", "  } while (false);\n" } },
  { "posix", "open.not.repeated.deleting", "raw.resources.are_interrupted_in_making_and_deleting", { "path.h",
    "  } while (fd < 0 && errno == EINTR);\n", "  } while (false);\n" } },
  { "posix", "open.not.repeated.entries", "raw.resources.are_interrupted_in_entries", { "path.h",
    "  } while (fd < 0 && errno == EINTR);\n", "  } while (false);\n" } },
  { "posix", "sync.of.directory.not.repeated", "raw.resources.are_interrupted_in_writing_by_flags", {
    "replacement.c", "  } while (error != 0 && errno == EINTR);\n", "  } while (false);\n" } },
  { "posix", "listing.not.repeated", "raw.resources.are_interrupted_in_listing", { "scan.c",
    "while (got < 0 && errno == EINTR);", "while (false);" } },
  { "posix", "sync.not.repeated", "raw.append.goes_on_after_signals_by_new_writable_file", { "writable.c",
    "  } while (result != 0 && errno == EINTR);\n", "  } while (false);\n" } },
  { "posix", "write.once.interrupted", "raw.append.goes_on_after_signals_by_new_appendable_file", { "writable.c",
    "    } else if (errno != EINTR) {\n", "    } else {\n" } },
  { "posix", "read.not.repeated", "raw.read.goes_on_after_signals", { "file.c",
    "    if (got < 0 && errno == EINTR) continue;\n", "" } },
  { "posix", "transfer.not.repeated", "raw.resources.are_interrupted_in_links", { "transfer.c",
    "    } else if (moved < 0 && errno == EINTR) {\n      continue;\n", "" } },
  { "posix", "map.not.repeated", "raw.resources.are_interrupted_in_opening", { "path.h",
    "  } while (fd < 0 && errno == EINTR);\n", "  } while (false);\n" } },
  { "posix", "link.left.on.failure", "raw.resources.fail_twice_in_links", { "rename.c",
    "  error = errno;\n  unlinkat(to->dir, name, 0);\n", "  error = errno;\n" } },
  { "posix", "temporary.left.on.failure", "raw.resources.fail_twice_in_writing_by_flags", { "temporary.c",
    "  if (error != 0 && error != EEXIST) unlinkat(dir, name, 0);\n", "" } },
  { "posix", "part.left.on.failure", "raw.resources.fail_twice_in_moving", { "copy.c",
    "  if (error != 0) unlinkat(at->dir, name, 0);\n",
    "  if (error != 0 && error != EIO) unlinkat(at->dir, name, 0);\n" } },
  { "posix", "part.left.on.failure.of.entry", "raw.resources.fail_twice_in_entries", { "copy.c",
    "  if (error != 0) unlinkat(at->dir, at->name, 0);\n",
    "  if (error != 0 && error != EIO) unlinkat(at->dir, at->name, 0);\n" } },
  { "posix", "stat.failure.is.a.link", "raw.resources.are_refused_in_making_and_deleting", { "directory.c",
    "errno == ENOENT ? POSIX_BROKEN_LINK : errno", "errno == 0 ? errno : POSIX_BROKEN_LINK" } },
  { "posix", "flag.refused.leaks", "raw.resources.are_refused_in_writing_by_flags", { "replacement.c",
    "  error = errno;\n  unlinkat(self->dir, name, 0);\n  close(*fd);\n",
    "  error = errno;\n  unlinkat(self->dir, name, 0);\n" } },
  { "posix", "owner.too.large", "raw.statuses.do_not_follow_errno", { "attributes.c",
    "  if (!fit) errno = EINVAL;\n", "" } },
  { "posix", "no.way.around", "raw.machine.copies_where_the_system_cannot", { "transfer.c",
    "         error == EPERM || error == EBADF;", "         error == EBADF;" } },
  { "posix", "no.third.way", "raw.machine.copies_where_the_system_cannot", { "transfer.c",
    "mover < LAST_MOVER)) {", "mover < 1)) {" } },
  { "posix", "rest.not.written", "raw.machine.copies_by_writing_in_spite_of_few_bytes", { "transfer.c",
    "write(to, bytes + done, n - done)", "write(to, bytes, n - done)" } },
  { "posix", "write.not.repeated", "raw.machine.copies_by_writing_in_spite_of_signals", { "transfer.c",
    "    if (put < 0 && errno == EINTR) continue;\n", "" } },
  { "posix", "nothing.written", "raw.machine.minds_that_nothing_is_copied", { "transfer.c",
    "    if (put <= 0) return put < 0 ? errno : ENOSPC;\n", "    if (put <= 0) return put < 0 ? errno : 0;\n" } },
  { "posix", "copy.ends.at.a.refusal", "raw.machine.copies_whole_files_where_the_system_stops", {
    "transfer.c", "    } else if (moved < 0) {\n", "    } else if (moved < 0 && done == 0) {\n" } },
  { "posix", "move.loses.a.link", "raw.machine.moves_a_link_between_mounts_or_leaves_it", { "rename.c",
    "  if (renameat(to->dir, name, to->dir, to->name) == 0) return 0;\n",
    "  if (renameat(to->dir, name, to->dir, to->name) <= 0) return 0;\n" } },
  { "posix", "link.leads.anywhere", "raw.links.that_get_the_name_of_their_end_lose_nothing", { "rename.c",
    "  if (error != 0 || stays) return error;\n", "  if (stays) return 0;\n" } },
  { "posix", "deletion.is.never.allowed", "raw.resources.are_refused_in_making_and_deleting", { "delete.c",
    "  int fd = open_below(self, names_top(self));\n  int error = fd < 0 ? errno : 0;\n",
    "  int fd = open_below(self, names_top(self));\n  int error = fd < 0 ? EACCES : 0;\n" } },
  { "posix", "link.leads.to.all.files", "raw.links.replace_what_has_their_new_name", { "rename.c",
    "source->st_dev == target.st_dev && source->st_ino == target.st_ino;", "source->st_dev == target.st_dev;" } },
  { "posix", "move.leaves.a.link", "raw.machine.moves_a_link_between_mounts_or_leaves_it", { "rename.c",
    "  error = errno;\n  unlinkat(to->dir, name, 0);\n", "  error = errno;\n" } },
  { "posix", "move.loses.a.file", "raw.machine.moves_a_file_between_mounts_or_leaves_it", { "rename.c",
    "  if (error == 0 && unlinkat(from->dir, from->name, 0) != 0) error = errno;\n",
    "  if (unlinkat(from->dir, from->name, 0) != 0 && error == 0) error = errno;\n" } },
  { "posix", "move.looks.for.no.parent", "raw.machine.moves_between_mounts_what_it_can", { "rename.c",
    "size_t length = (size_t)(slash + 1 - at->name);", "size_t length = (size_t)(slash - 1 - at->name);" } },
  { "posix", "dots.at.the.end", "raw.delete_recursively.takes_all_or_nothing_by_way_of_dots", { "delete.c",
    "(length == 2 || name[length - 3] == '/');", "length == 2;" } },
  { "posix", "no.array.is.no.set", "options.a_set_of_none_needs_no_array", { "configuration.c",
    "(options == NULL && num_options > 0)", "options == NULL" } },
  { "posix", "none.is.no.set", "options.a_set_of_none_changes_nothing", { "configuration.c",
    "  if (num_options < 0 ||", "  if (num_options <= 0 ||" } },
  { "posix", "full.disk.is.tried.again", "raw.machine.copies_by_writing_until_that_fails", { "transfer.c",
    "    if (put < 0 && errno == EINTR) continue;\n", "    if (put < 0) continue;\n" } },
  { "posix", "nothing.is.the.end", "raw.machine.copies_whole_files_where_the_system_stops", { "transfer.c",
    "    } else if (done == 0 && mover < LAST_MOVER) {\n", "    } else if (done > 0 && mover < LAST_MOVER) {\n" } },
  { "posix", "deep.deletion.goes.on", "raw.delete_recursively.counts_what_failed_in_deep_trees", { "delete.c",
    "  if (error != 0) {\n    abandon(self, error);\n", "  if (error == ESTALE) {\n    abandon(self, error);\n" } },
  { "posix", "moves.without.time", "raw.machine.moves_between_mounts_what_it_can", { "rename.c",
    "    utimensat(to->dir, to->name, times, 0);\n", "    (void)times;\n" } },

  -- What others do meanwhile, and writers that die ----------------------------------------------------
  { "posix", "name.taken.from.others", "raw.machine.takes_no_name_that_comes_meanwhile", { "replacement.c",
    "  if (has(self, MODFS_OPEN_NEW)) {\n", "  if (false) {\n" } },
  { "posix", "file.for.a.directory", "raw.machine.deletes_a_file_that_comes_meanwhile_or_fails", { "delete.c",
    "    if (!delete_entry(self, top_level(self)->fd, names_top(self))) count_directory(self, error);\n", "" } },
  { "posix", "deletion.follows.links", "raw.machine.deletes_nothing_behind_a_link_that_comes_meanwhile", {
    "delete.c", "O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);", "O_RDONLY | O_DIRECTORY, 0);" } },
  { "posix", "dead.writers.are.kept", "durability.killed_writers_leave_nothing_to_the_next_one", { "temporary.c",
    "         opened.st_ino == named.st_ino;\n", "         opened.st_ino > named.st_ino;\n" } },
  { "posix", "dead.writers.are.two", "durability.killed_writers_leave_nothing_to_the_next_one", { "temporary.c",
    "    state = sweep(at->dir, name);\n", "    state = sweep(at->dir, name);\n    break;\n" } },
  { "posix", "all.writers.are.dead", "durability.a_writer_that_lives_is_not_swept_away", { "temporary.c",
    "bool dead = flock(fd, LOCK_EX | LOCK_NB) == 0 && ", "bool dead = " } },
  { "posix", "another.file.is.swept", "durability.writers_of_one_name_leave_each_other_alone", { "temporary.c",
    "named, AT_SYMLINK_NOFOLLOW) == 0 && opened", "named, AT_SYMLINK_NOFOLLOW) == 0 || opened" } },

  -- What the system tells -----------------------------------------------------------------------------
  { "posix", "links.are.one", "raw.machine.lstat_tells_what_the_system_tells", { "stat.c",
    "  attributes->links = info->st_nlink;\n", "  attributes->links = 1;\n" } },
  { "posix", "mode.without.special.bits", "raw.machine.get_attributes_tells_what_the_system_tells", { "stat.c",
    "info->st_mode & 07777u", "info->st_mode & 0777u" } },
  { "posix", "owner.for.group", "raw.machine.entry_attributes_tells_what_the_system_tells", { "stat.c",
    "  attributes->group = info->st_gid;\n", "  attributes->group = info->st_mode;\n" } },
  { "posix", "whole.seconds", "raw.machine.stat_tells_what_the_system_tells", { "stat.c",
    "    stats->mtime_nsec = nanoseconds(info.st_mtim);\n",
    "    stats->mtime_nsec = nanoseconds((struct timespec){.tv_sec = info.st_mtim.tv_sec});\n" } },
  { "posix", "fifo.is.a.file", "raw.machine.kinds_are_those_of_the_system", { "listing.c",
    "  case DT_REG:\n", "  case DT_FIFO:\n  case DT_REG:\n" } },
  { "posix", "before.1970", "raw.machine.set_attributes_sets_what_the_system_tells", { "attributes.c",
    "    time.tv_sec--;\n", "" } },
  { "posix", "group.stays", "raw.machine.set_attributes_gives_to_others", { "attributes.c",
    "(which & MODFS_ATTRIBUTE_GROUP) != 0 ? (gid_t)attributes->group : (gid_t)-1;", "(gid_t)-1;" } },
  { "posix", "group.is.always.checked", "raw.machine.set_attributes_gives_to_others", { "attributes.c",
    "(which & MODFS_ATTRIBUTE_GROUP) == 0 || attributes->group < UINT32_MAX;", "attributes->group < UINT32_MAX;" } },
  { "posix", "owner.in.32.bits", "raw.machine.owners_that_do_not_fit_are_refused_by_path", { "attributes.c",
    "attributes->owner >= UINT32_MAX", "attributes->owner == UINT32_MAX" } },
  { "posix", "owner.of.an.entry.in.32.bits", "raw.machine.owners_that_do_not_fit_are_refused_by_entry", {
    "attributes.c", "  if (!fit) return -1;\n", "  if (!fit && (!of->at || of->flags == 0)) return -1;\n" } },
  { "posix", "owner.of.a.writer.in.32.bits", "raw.machine.owners_that_do_not_fit_are_refused_by_writer", {
    "attributes.c", "  return fits(attributes, which) ? 0 : EINVAL;\n", "  return 0;\n" },
    { "attributes.c", "  if (!fit) return -1;\n", "  if (!fit && of->at) return -1;\n" } },
  { "posix", "temporary.for.all", "raw.machine.what_replaces_a_private_file_is_private_in_open_writer", {
    "replacement.c", "what->exists ? 0600 : mode", "mode" } },
  { "posix", "copy.for.all", "raw.machine.what_replaces_a_private_file_is_private_in_copy_file", { "copy.c",
    "posix_temporary_open(at, 0600, name, &to)", "posix_temporary_open(at, 0666, name, &to)" } },
  { "posix", "owner.lost.in.copy", "raw.machine.the_owner_stays_the_owner_in_copy_file", { "copy.c",
    "  int owner = fchown(fd, like->st_uid, like->st_gid);\n", "  int owner = 0;\n" } },
  { "posix", "owner.lost.in.replacement", "raw.machine.the_owner_stays_the_owner_in_open_writer", { "target.c",
    "  int owner = fchownat(dir, name, was->st_uid, was->st_gid, AT_SYMLINK_NOFOLLOW);\n",
    "  int owner = 0;\n" } },
  { "posix", "umask.undone", "raw.machine.new_entries_respect_the_umask", { "replacement.c",
    "  return *fd < 0 ? errno : 0;\n}\n\nstatic int open_file",
    "  if (*fd >= 0) fchmod(*fd, mode);\n  return *fd < 0 ? errno : 0;\n}\n\nstatic int open_file" } },
  { "posix", "lock.survives.exec", "raw.machine.no_handle_survives_exec", { "replacement.c",
    "fcntl(*fd, F_DUPFD_CLOEXEC, 0)", "fcntl(*fd, F_DUPFD, 0)" } },

  -- Durability, by the order of calls -----------------------------------------------------------------
  { "posix", "sync.of.the.lock", "raw.machine.sync_is_of_what_was_written", { "writable.c",
    "    result = fsync(writable->fd);\n",
    "    result = fsync(writable->replacement != NULL ? AT_FDCWD : writable->fd);\n"
    .. "    if (writable->replacement != NULL) result = 0;\n" } },
  { "posix", "directory.not.synced", "raw.machine.order_of_durable_by_path", { "replacement.c",
    "    error = fsync(self->dir);\n", "    error = 0;\n" } },
  { "posix", "directory.synced.first", "raw.machine.order_of_atomic_durable_by_path", { "replacement.c",
    "  int error = self->temporary != NULL ? take_name(self, wanted) : 0;\n",
    "  if (has(self, MODFS_OPEN_DURABLE)) fsync(self->dir);\n"
    .. "  int error = self->temporary != NULL ? take_name(self, wanted) : 0;\n" },
    { "replacement.c", "    error = fsync(self->dir);\n", "    error = 0;\n" } },
  { "posix", "content.synced.last", "raw.machine.order_of_atomic_durable_by_entry", { "writable.c",
    "  if (error == 0 && writable->sync_on_close) error = sync_file(writable);\n", "" },
    { "replacement.c", "  if (error != 0 || !has(self, MODFS_OPEN_DURABLE)) return error;\n",
    "  if (error != 0 || !has(self, MODFS_OPEN_DURABLE)) return error;\n  if (self->lock >= 0) fsync(self->lock);\n" } },
  { "posix", "new.not.synced", "raw.machine.order_of_atomic_durable_new_by_path", { "replacement.c",
    "    error = fsync(self->dir);\n", "    error = has(self, MODFS_OPEN_NEW) ? 0 : fsync(self->dir);\n" } },

  -- Names -------------------------------------------------------------------------------------------
  { "posix", "left.after.the.way", "paths.paths.of_5000_bytes_leave_nothing_open", { "attributes.c",
    "    posix_entry_leave(directory, &at);\n", "" } },
  { "file", "host.by.length", "raw.machine.hosts_of_uris_are_this_machine", { "path.c",
    "memcmp(host, local, length) == 0", "length == 9" } },
  { "file", "host.behind.in.the.alphabet", "raw.machine.hosts_of_uris_are_this_machine", { "path.c",
    "memcmp(host, local, length) == 0", "memcmp(host, local, length) >= 0" } },
  { "file", "host.has.no.children", "raw.machine.hosts_of_uris_are_this_machine", { "listing.c",
    "  if (error != 0) {\n", "  if (error > 0) {\n" } },
  { "file", "host.of.a.source.is.lost", "raw.machine.hosts_of_uris_are_this_machine", { "rename.c",
    "  if (error == 0) error = error_to;\n", "  error = error_to;\n" } },
  { "file", "host.closes.input", "raw.machine.hosts_of_uris_are_this_machine", { "space.c",
    "  int fd = -1;\n", "  int fd = 0;\n" } },
  { "posix", "name.taken.and.lost", "raw.machine.takes_a_new_name_where_the_system_cannot_by_EINVAL", {
    "replacement.c", "self->name, 0) != 0) return errno;", "self->name, 0) == 0) return EINVAL;" } },
  { "posix", "name.taken.from.nowhere", "raw.machine.takes_a_new_name_where_the_system_cannot_by_ENOSYS", {
    "replacement.c", "linkat(self->dir, self->temporary, self->dir, self->name, 0)",
    "linkat(self->dir, NULL, self->dir, self->name, 0)" } },
  { "posix", "new.of.nothing.leaks", "raw.resources.are_short_in_entries", { "replacement.c",
    "  int error = replacement_new(dir, wish->path, wish->flags, made);\n  if (error != 0) close(dir);\n",
    "  int error = replacement_new(dir, wish->path, wish->flags, made);\n" } },

  { "posix", "counts.swapped", "raw.delete_recursively.counts_what_is_left", { "delete.c",
    "    *files = self.files;\n    *dirs = self.dirs;\n",
    "    *files = self.dirs;\n    *dirs = self.files;\n" } },
  { "posix", "access.lists.lost", "raw.set_xattrs.keeps_lists_of_access", { "xattrs.c",
    "getxattr(of->way, name, at + sizeof value + named, LONGEST_VALUE);\n",
    "getxattr(of->way, name, at + sizeof value + named, LONGEST_VALUE);\n"
    .. "  if (name[0] == 's') return 0;\n" } },

  { "memory", "xattrs.of.a.page", "raw.set_xattrs.keeps_values_of_every_length", { "node.c",
    "  node->xattrs = xattrs;\n  node->xattrs_size = size;\n",
    "  node->xattrs = xattrs;\n  node->xattrs_size = size > 4200 ? 4200 : size;\n" } },
  { "posix", "stat.33.bits", "raw.size.beyond_2_36", { "stat.c",
    "    stats->length = (int64_t)info.st_size;",
    "    stats->length = (int64_t)(info.st_size & 0x1ffffffff);" } },

  -- What strangers found ---------------------------------------------------------------------------------
  { "memory", "rename.touches", "raw.rename_file.keeps_the_attributes", { "move.c",
    "  memory_place_unlink(from);\n  return MEMORY_OK;",
    "  memory_node_touch(from->node);\n  memory_place_unlink(from);\n  return MEMORY_OK;" } },
  { "memory", "rename.takes.the.mode", "raw.rename_file.keeps_the_attributes", { "move.c",
    "  memory_place_link(to, memory_node_share(from->node));\n",
    "  if (to->node) memory_node_inherit(from->node, to->node);\n"
    .. "  memory_place_link(to, memory_node_share(from->node));\n" } },
  { "memory", "name.2048.lost", "lists.lengths.of_5000_are_all_listed", { "names.c",
    "  if (names->count == INT_MAX) return MEMORY_TOO_MANY;\n",
    "  static int lost;\n  if (names->count == INT_MAX) return MEMORY_TOO_MANY;\n"
    .. "  if (names->count == 2047 && !lost++) return MEMORY_OK;\n" } },
  { "memory", "links.of.7", "raw.links.lead_through_eight_others", { "route.c",
    "++walk->links > MOST_LINKS", "++walk->links > 7" } },
  { "memory", "bytes.never.given.back", "options.limit_bytes.counts_what_is_there", { "node.c",
    "    memory_filesystem_discharge(node->filesystem, node->length + node->xattrs_size);\n",
    "    if (node->length < 64) memory_filesystem_discharge(node->filesystem, node->length);\n" } },
  { "posix", "copy.of.48.megabytes", "raw.copy.of_50_megabytes_is_whole", { "transfer.c",
    "      done += moved;\n", "      done += moved;\n      if (done >= 48 << 20) break;\n" } },

  -- Paths that begin in the working directory ---------------------------------------------------------
  { "posix", "parent.is.the.top", "raw.machine.writers_may_begin_here", { "replacement.c",
    'char parent[POSIX_PATH_STEP] = ".";', 'char parent[POSIX_PATH_STEP] = "/";' } },
  { "posix", "above.is.the.top", "raw.machine.paths_may_begin_here", { "delete.c",
    'slash == NULL ? "." :', 'slash == NULL ? "/" :' } },

  -- The function of a host that ends calls ------------------------------------------------------------
  { "posix", "interruption.ignored", "raw.interruption.is_asked_for", {
    "plugins/common/interrupt/interrupt.c",
    "  atomic_store(&interrupted, function);\n", "  (void)function;\n" } },
  { "posix", "interruption.as.end", "raw.interruption.ends_a_copy", { "transfer.c",
    "  errno = ECANCELED;\n  return -1;\n", "  return 0;\n" } },
  { "posix", "interruption.as.success", "raw.interruption.ends_a_deletion", { "delete.c",
    "      abandon(self, ECANCELED);\n", "      self->filled = 0;\n" } },
  { "posix", "interruption.leaks", "raw.interruption.loses_nothing", { "delete.c",
    "  free(self.names);\n", "  if (error != ECANCELED) free(self.names);\n" } },
}
