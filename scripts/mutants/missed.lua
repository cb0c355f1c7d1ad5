-- luacheck: no max line length
-- Changes that the measured runs of `make mutants` have missed: by file, the line, the changed line
-- (both with single blanks), and why no case sees it. docs/check.md tells more about the reasons.
-- `make mutants LIST=scripts/mutants/missed.lua` tries them again.
return {
  ["examples/plugin/hello.c"] = {
    {
      "if (got > 0) memcpy(buffer, text + length - left, got);",
      "if (got > 0) memcpy(buffer, text - length - left, got);",
      "content that a read-only plugin serves",
    },
    { "return &extension;", "/*return &extension;*/", "returns no value" },
    { 'TF_SetStatus(status, TF_OK, "");', '/*TF_SetStatus(status, TF_OK, "");*/', "leaves the status as it is" },
  },
  ["examples/template/template.c"] = {
    { 'if (!name) name = "template.files";', 'if (1==1) name = "template.files";', "starts in one way" },
    { "if (folder < 0) fail(status, name);", "if (folder == 0) fail(status, name);", "starts in one way" },
    { "if (folder < 0) fail(status, name);", "if (folder < -1) fail(status, name);", "starts in one way" },
    { "if (folder < 0) fail(status, name);", "/*if (folder < 0) fail(status, name);*/", "starts in one way" },
    { "if (path[1] == '\\0')", "if (path[1] == '\\-1')", "deletes the top of a scheme" },
    {
      "stats->mtime_nsec = (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;",
      "stats->mtime_nsec = (int64_t)found.st_mtim.tv_sec * (1000000000-1) + found.st_mtim.tv_nsec;",
      "a time that is wrong by seconds",
    },
  },
  ["plugins/memory/path.c"] = {
    { "return parent ? parent : 1;", "return parent ? parent : (1+1);", "transactions at the top" },
    { "if (top_length == 1) return true;", "if (top_length < 1) return true;", "transactions at the top" },
  },
  ["plugins/memory/scope.c"] = {
    {
      "scope->spare = length > 1 ? memory_entry_new(memory_path_base(path, length), NULL) : NULL;",
      "scope->spare = length > (1+1) ? memory_entry_new(memory_path_base(path, length), NULL) : NULL;",
      "entries of one letter in the top",
    },
  },
  ["plugins/reference/device.c"] = {
    {
      "return asked ? (int64_t)asked : reference_speed_bandwidth();",
      "/*return asked ? (int64_t)asked : reference_speed_bandwidth();*/",
      "returns no value",
    },
  },
  ["plugins/reference/memory.c"] = {
    {
      "for (size_t i = block_count; blocks && i-- > 0;) {",
      "for (size_t i = block_count; blocks && i-- > 1;) {",
      "processes that fork",
    },
    { "free_block(block);", "/*free_block(block);*/", "processes that fork", place = 3 },
  },
  ["plugins/reference/stream.c"] = {
    {
      "if (stream->epoch != reference_process_epoch()) return;",
      "if (stream->epoch > reference_process_epoch()) return;",
      "processes that fork",
    },
  },
  ["plugins/reference/worker.c"] = {
    {
      "if (stream->epoch != reference_process_epoch()) return false;",
      "/*if (stream->epoch != reference_process_epoch()) return false;*/",
      "processes that fork",
    },
  },
  ["plugins/posix/xattrs.c"] = {
    {
      "if (chmod(of->way, (info.st_mode & 07777) | S_IWUSR) != 0) return EACCES;",
      "if (1==1) return EACCES;",
      "a way around that is lost",
    },
    {
      'return strncmp(name, "user.", 5) == 0 || strcmp(name, "system.posix_acl_access") == 0 ||',
      'return strncmp(name, "user.", 0) == 0 || strcmp(name, "system.posix_acl_access") == 0 ||',
      "attributes of the system",
    },
    {
      'strcmp(name, "system.posix_acl_default") == 0;',
      'strcmp(name, "system.posix_acl_default") == -1;',
      "attributes of the system",
    },
    {
      "bool surplus = is_kept(name) && !contains(wanted, name);",
      "bool surplus = (1==1) && !contains(wanted, name);",
      "attributes of the system",
    },
    {
      "if (n <= 0) return n < 0 && errno != EOPNOTSUPP ? last_error() : 0;",
      "if (n <= 0) (1==1) && errno != EOPNOTSUPP ? last_error() : 0;",
      "storage without extended attributes",
    },
  },
  ["plugins/posix/configuration.c"] = {
    { "if (made != NULL) {", "if (1==1) {", "init without memory", place = 1 },
    {
      "posix_report(status, made != NULL ? 0 : ENOMEM);",
      "/*posix_report(status, made != NULL ? 0 : ENOMEM);*/",
      "init without memory",
      place = 1,
    },
  },
  ["plugins/posix/copy.c"] = {
    {
      "if (error == 0 && !target.exists) error = copy_new(from, info, &target.at);",
      "if (error >= 0 && !target.exists) error = copy_new(from, info, &target.at);",
      "others change names at two points",
    },
  },
  ["plugins/posix/delete.c"] = {
    {
      "bool full = fd < 0 && (errno == EMFILE || errno == ENFILE);",
      "bool full = fd < 0 && (errno != EMFILE || errno == ENFILE);",
      "a way around that is lost",
    },
    {
      "if ((error == ENOTEMPTY || error == EEXIST) && untouched && ++parent->visits < MOST_VISITS) {",
      "if ((error == ENOTEMPTY || error == EEXIST) && untouched && ++parent->visits >= MOST_VISITS) {",
      "others keep filling a directory",
    },
    {
      "bool full = fd < 0 && (errno == EMFILE || errno == ENFILE);",
      "bool full = fd > 0 && (errno == EMFILE || errno == ENFILE);",
      "a way around that is lost",
    },
    {
      "bool untouched = self->files + self->dirs == failures && reason == 0;",
      "bool untouched = self->files + self->dirs == failures && reason == (0+1);",
      "others keep filling a directory",
    },
    { "int error = fd < 0 ? errno : 0;", "int error = fd < (0-1) ? errno : 0;", "another code" },
    {
      "remove_directory(self, done.failures, 0);",
      "remove_directory(self , 0, done.failures);",
      "others keep filling a directory",
    },
  },
  ["plugins/posix/path.c"] = {
    { "if (dir < 0) return errno;", "if (1==1) return errno;", "refuses long paths" },
    { "if (error == 0) {", "if (error >= 0) {", "another code", place = 1 },
  },
  ["plugins/posix/rename.c"] = {
    {
      "return fstatat(at->dir, at->name, &info, 0) == 0 && S_ISDIR(info.st_mode);",
      "return fstatat(at->dir, at->name, &info, 0) != 0 && S_ISDIR(info.st_mode);",
      "a link to a directory is replaced, not refused",
    },
    {
      "return faccessat(at->dir, parent, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;",
      "return faccessat(at->dir, parent, W_OK | X_OK, AT_EACCESS) > 0 ? 0 : errno;",
      "a way around that is lost",
    },
  },
  ["plugins/posix/replacement.c"] = {
    {
      "if (*dir < 0 && errno == EACCES && (flags & MODFS_OPEN_DURABLE) == 0)",
      "if (*dir < 0 && errno == EACCES && (flags & MODFS_OPEN_DURABLE) == 1)",
      "a way around that is lost",
    },
  },
  ["plugins/posix/temporary.c"] = {
    {
      'int length = snprintf(name, 4096, "%.*s.modfs-%016" PRIx64 "-%u", (int)(base - at->name),',
      'int length = snprintf(name, -1, "%.*s.modfs-%016" PRIx64 "-%u", (int)(base - at->name),',
      "some bytes behind an array on the stack",
    },
    {
      "fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev == named.st_dev &&",
      "fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) <= 0 && opened.st_dev == named.st_dev &&",
      "others change names at two points",
    },
  },
}
