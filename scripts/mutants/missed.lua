-- luacheck: no max line length
-- Changes that the measured runs of `make mutants` have missed: by file, the line, the changed line
-- (both with single blanks), and why no case sees it. docs/check.md tells more about the reasons.
-- `make mutants LIST=scripts/mutants/missed.lua` tries them again.
return {
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
      "others change the name in between",
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
    { "int error = fd < 0 ? errno : 0;", "int error = fd < (0-1) ? errno : 0;", "another code" },
    {
      "if (!delete_entry(self, top_level(self)->fd, names_top(self))) count_directory(self, error);",
      "if (1==1);",
      "others replace a directory in between",
    },
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
    {
      "if (has(self, MODFS_OPEN_NEW)) {",
      "if (0==1) {",
      "others create the name in between",
    },
  },
  ["plugins/posix/temporary.c"] = {
    {
      'int length = snprintf(name, 4096, "%.*s.modfs-%016" PRIx64 "-%u", (int)(base - at->name),',
      'int length = snprintf(name, -1, "%.*s.modfs-%016" PRIx64 "-%u", (int)(base - at->name),',
      "some bytes behind an array on the stack",
    },
    {
      "static bool is_named(int fd, int dir, const char *name) {",
      "static bool is_named(int fd , const char *name, int dir) {",
      "temporary files of dead writers",
    },
    {
      "fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev == named.st_dev &&",
      "(1==1) &&",
      "temporary files of dead writers",
    },
    {
      "fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev == named.st_dev &&",
      "fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) <= 0 && opened.st_dev == named.st_dev &&",
      "temporary files of dead writers",
    },
    {
      "opened.st_ino == named.st_ino;",
      "opened.st_ino > named.st_ino;",
      "temporary files of dead writers",
    },
    {
      "state = sweep(at->dir, name);",
      "state = sweep(at->dir, name); break;",
      "temporary files of dead writers",
    },
  },
}
