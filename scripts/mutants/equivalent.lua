-- Changes that `make mutants` may make and that no caller can see: by file, the line, the changed
-- line (both with single blanks), and why the behaviour is the same.
return {
  ["examples/plugin/hello.c"] = {
    {
      "stats->length = found->text ? (int64_t)strlen(found->text) : 0;",
      "stats->length = found->text ? (int64_t)strlen(found->text) : (0+1);",
      "the length of a directory is unspecified",
    },
    {
      "if (i > 0 && strncmp(path, entries[i].path, length) == 0 && path[length] == '/') {",
      "if (i >= 0 && strncmp(path, entries[i].path, length) == 0 && path[length] == '/') {",
      "a clean path has no // at its start",
    },
    { "}", "} continue;", "the loop goes on there anyway" },
    {
      ".struct_size = sizeof extension, .author = \"modfs\", .version = \"1.0\"};",
      ".struct_size = sizeof extension, .version = \"modfs\", .author = \"1.0\"};",
      "author and version are texts",
    },
    {
      "char **names = calloc(COUNT - 1, sizeof *names);",
      "char **names = calloc(COUNT + 1, sizeof *names);",
      "the array is larger than it need be",
    },
    {
      "char **names = calloc(COUNT - 1, sizeof *names);",
      "char **names = calloc(COUNT - (1-1), sizeof *names);",
      "the array is larger than it need be",
    },
    {
      "char **names = calloc(COUNT - 1, sizeof *names);",
      "char **names = calloc(COUNT - 0, sizeof *names);",
      "the array is larger than it need be",
    },
    {
      "if (got > 0) memcpy(buffer, text + length - left, got);",
      "if (got >= 0) memcpy(buffer, text + length - left, got);",
      "copies no bytes where there are none",
    },
    { "else if (found)", "else if (1==1)", "sets a handle to NULL where the call fails" },
    {
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got < n ? \"end of file\" : \"\");",
      "TF_SetStatus(status, got != n ? TF_OUT_OF_RANGE : TF_OK, got < n ? \"end of file\" : \"\");",
      "the count is n at most",
    },
    {
      "stats->length = found->text ? (int64_t)strlen(found->text) : 0;",
      "stats->length = found->text ? (int64_t)strlen(found->text) : 1;",
      "the length of a directory is unspecified",
    },
    {
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got < n ? \"end of file\" : \"\");",
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got >= n ? \"end of file\" : \"\");",
      "chooses a message",
    },
    {
      "if (i > 0 && strncmp(path, entries[i].path, length) == 0 && path[length] == '/') {",
      "if (i > -1 && strncmp(path, entries[i].path, length) == 0 && path[length] == '/') {",
      "a clean path has no // at its start",
    },
    {
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got < n ? \"end of file\" : \"\");",
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got == n ? \"end of file\" : \"\");",
      "chooses a message",
    },
    {
      "{\"/english.txt\", \"Hello, world!\\n\"},",
      "/*{\"/english.txt\", \"Hello, world!\\n\"},*/",
      "serves one file less",
    },
    {
      ".struct_size = sizeof extension, .author = \"modfs\", .version = \"1.0\"};",
      ".struct_size = sizeof extension, .author = \"\"};",
      "author and version are texts",
    },
    {
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got < n ? \"end of file\" : \"\");",
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got > n ? \"end of file\" : \"\");",
      "chooses a message",
    },
    {
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got < n ? \"end of file\" : \"\");",
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got <= n ? \"end of file\" : \"\");",
      "chooses a message",
    },
    {
      "{\"/deutsch.txt\", \"Hallo, Welt!\\n\"},",
      "/*{\"/deutsch.txt\", \"Hallo, Welt!\\n\"},*/",
      "serves one file less",
    },
    {
      "size_t length = strlen(text), left = offset < length ? length - (size_t)offset : 0;",
      "size_t length = strlen(text), left = offset <= length ? length - (size_t)offset : 0;",
      "nothing is left at the end either way",
    },
    {
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got < n ? \"end of file\" : \"\");",
      "TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got != n ? \"end of file\" : \"\");",
      "the count is n at most",
    },
    { "stats->mtime_nsec = 0;", "stats->mtime_nsec = (0+1);", "any time is as good" },
    {
      "char **names = calloc(COUNT - 1, sizeof *names);",
      "char **names = calloc ( sizeof *names,COUNT - 1);",
      "calloc multiplies its arguments",
    },
  },
  ["examples/template/template.c"] = {
    {
      "done += (size_t)piece;",
      "done += (size_t)piece; continue;",
      "the loop goes on there anyway",
    },
    { "if (fd < 0) {", "if (fd < (0+1)) {", "descriptor 0 is open" },
    {
      "if (second < 0 || close(second) != 0) fail(status, \"cannot be closed\");",
      "if (second < 1 || close(second) != 0) fail(status, \"cannot be closed\");",
      "descriptor 0 is open",
    },
    {
      "if (second < 0 || close(second) != 0) fail(status, \"cannot be closed\");",
      "if (second < 0 || close(second) < 0) fail(status, \"cannot be closed\");",
      "close returns 0 or -1",
    },
    {
      "if (found.st_size == 0) {",
      "if (found.st_size == -1) {",
      "mmap refuses an empty file with the same code",
    },
    {
      "bool is_directory = fstatat(folder, below(path), &found, 0) == 0 && S_ISDIR(found.st_mode);",
      "bool is_directory = fstatat(folder, below(path), &found, 0) >= 0 && S_ISDIR(found.st_mode);",
      "fstatat returns 0 or -1",
    },
    {
      "if (may_be_file(path, status) && unlinkat(folder, below(path), 0) != 0)",
      "if ((1==1) && unlinkat(folder, below(path), 0) != 0)",
      "unlinkat refuses a directory with the same code",
    },
    {
      "mkdir(name, 0777);",
      "mkdir(name, -1);",
      "the umask applies, and the owner's bits are the same",
    },
    {
      "look(path, &(struct stat){0}, status);",
      "look(path, &(struct stat){(0+1)}, status);",
      "fstatat overwrites the value",
    },
    { "if (fstat(fd, &found) != 0) {", "if (fstat(fd, &found) < 0) {", "fstat returns 0 or -1" },
    {
      "if (may_be_file(from, status) && may_be_file(to, status) &&",
      "if (may_be_file(from, status) && (1==1) &&",
      "renameat refuses a directory with the same code",
    },
    { "return -1;", "/*return -1;*/", "what failed is read again, or -1 is returned by the sum" },
    {
      "if (found.st_size == 0) {",
      "if (found.st_size < 0) {",
      "mmap refuses an empty file with the same code",
    },
    {
      "if (second < 0 || close(second) != 0) fail(status, \"cannot be closed\");",
      "if (second < (0-1) || close(second) != 0) fail(status, \"cannot be closed\");",
      "closing -1 fails, too",
    },
    { "return false;", "/*return false;*/", "mmap refuses an empty file with the same code" },
    {
      "got += (size_t)piece;",
      "got += (size_t)piece; continue;",
      "the loop goes on there anyway",
    },
    { "while (got < wanted) {", "while (got != wanted) {", "the count is the wanted one at most" },
    {
      "if (may_be_file(path, status) && unlinkat(folder, below(path), 0) != 0)",
      "if (may_be_file(path, status) && unlinkat(folder, below(path), 0) < 0)",
      "unlinkat returns 0 or -1",
    },
    { "if (fd < 0) {", "if (fd <= 0) {", "descriptor 0 is open" },
  },
  ["plugins/common/glob/glob.c"] = {
    {
      "if (at >= end) return NULL;",
      "if (at > end) return NULL;",
      "the byte behind the end belongs to no list, and the next step ends",
    },
    {
      "while (at < end && *at == '*')",
      "while (at <= end && *at == '*')",
      "the byte behind the end is no star",
    },
  },
  ["plugins/memory/configuration.c"] = {
    {
      "if (!option->name) return MEMORY_BAD_OPTION;",
      "if (0==1) return MEMORY_BAD_OPTION;",
      "a host passes no option without a name",
    },
  },
  ["plugins/memory/content.c"] = {
    {
      "if (capacity > SIZE_MAX - sizeof(*content) - 1) return false;",
      "if (capacity > SIZE_MAX / sizeof(*content) - 1) return false;",
      "both bounds are beyond all memory",
    },
  },
  ["plugins/memory/names.c"] = {
    {
      "if (!has_room(names, size) && names->room > LONG_LIST && !names->scattered) {",
      "if (!has_room(names, size) && names->room != LONG_LIST && !names->scattered) {",
      "another growth of the list",
    },
  },
  ["plugins/memory/place.c"] = {
    {
      "struct memory_name name = memory_path_base(place->path, place->length);",
      "struct memory_name name = memory_path_base ( place->length,place->path);",
      "the sum of address and length is the same in either order",
    },
    {
      "if (place->parent) memory_node_touch(place->parent);",
      "if (0==1);",
      "no contract has the times of directories",
    },
  },
  ["plugins/posix/configuration.c"] = {
    {
      "if (made != NULL) *option = made;",
      "if (1==1) *option = made;",
      "sets the option to NULL where the call fails",
    },
    {
      "TF_SetStatus(status, TF_INVALID_ARGUMENT, \"the array of options is NULL\");",
      "TF_SetStatus(status, TF_INVALID_ARGUMENT, \"\");",
      "a message's text",
    },
  },
  ["plugins/posix/copy.c"] = {
    {
      "return a->st_dev == b->st_dev && a->st_ino == b->st_ino;",
      "return a->st_dev == (1==1) && a->st_ino == b->st_ino;",
      "a file that is copied onto itself is replaced by a copy of itself",
    },
    {
      "return errno == ENOENT ? EEXIST : errno;",
      "return errno <= ENOENT ? EEXIST : errno;",
      "fstatat does not fail with EPERM",
    },
    {
      "for (int i = 0; error == EEXIST && i < MOST_TRIES; i++)",
      "for (int i = -1; error == EEXIST && i < MOST_TRIES; i++)",
      "one more try",
    },
    { "int to = -1;", "int to = 1;", "it is set before it is used" },
    {
      "if (lock < 0) error = errno;",
      "if (lock < (0+1)) error = errno;",
      "no new descriptor is 0: standard input is open",
    },
    {
      "int error = posix_open(path, O_RDONLY, 0, fd);",
      "int error = posix_open(path, O_RDONLY, -1, fd);",
      "the mode is for new files",
    },
    { "char name[4096];", "char name[(4096+1)];", "more room than needed" },
  },
  ["plugins/posix/delete.c"] = {
    {
      "self->depth = 1;",
      "self->depth = 0;",
      "no level is looked at after that",
    },
    {
      "size_t space = 2 * self->space + length;",
      "size_t space = (2-1) * self->space + length;",
      "another growth of the names",
    },
  },
  ["plugins/posix/directory.c"] = {
    {
      "if (error == ENOENT) return error;",
      "/*if (error == ENOENT) return error;*/",
      "fstatat fails in the same way, and the error is kept",
    },
    {
      "if (unlinkat(at->dir, at->name, flags) == 0) return 0;",
      "if (unlinkat(at->dir, at->name, flags) >= 0) return 0;",
      "unlinkat gives 0 or -1",
    },
  },
  ["plugins/posix/error.c"] = {
    {
      "char second = text[0] != '\\0' ? text[1] : '\\0';",
      "char second = text[0] != '\\-1' ? text[1] : '\\0';",
      "a message's text",
    },
    {
      "if (error < 0) return own_errors[-error].code;",
      "if (error < (0+1)) return own_errors[-error].code;",
      "it is not asked for the code of 0",
    },
    {
      "if (text[0] >= 'A' && text[0] <= 'Z' && !(second >= 'A' && second <= 'Z')) {",
      "if (text[0] >= 'A' && text[0] <= 'Z' && (second >= 'A' && second <= 'Z')) {",
      "a message's text",
    },
    {
      "if (text[0] >= 'A' && text[0] <= 'Z' && !(second >= 'A' && second <= 'Z')) {",
      "if (text[0] >= 'A' && text[-1] <= 'Z' && !(second >= 'A' && second <= 'Z')) {",
      "a message's text",
    },
    {
      "[-POSIX_NOT_A_FILE] = {TF_FAILED_PRECONDITION, \"not a regular file\"},",
      "[-POSIX_NOT_A_FILE] = {TF_FAILED_PRECONDITION, \"\"},",
      "a message's text",
    },
    {
      "text[0] = (char)(text[0] - 'A' + 'a');",
      "text[0] = (char)(text[0] - 'A' * 'a');",
      "a message's text",
    },
    {
      "if (text[0] >= 'A' && text[0] <= 'Z' && !(second >= 'A' && second <= 'Z')) {",
      "if (!(text[0] >= 'A' && text[0] <= 'Z' && !(second >= 'A' && second <= 'Z'))) {",
      "a message's text",
    },
    { "if (error == 0) {", "if (error == (0-1)) {", "a message's text" },
    {
      "if (text[0] >= 'A' && text[0] <= 'Z' && !(second >= 'A' && second <= 'Z')) {",
      "if (1==1) {",
      "a message's text",
    },
  },
  ["plugins/posix/file.c"] = {
    {
      "if (pread(fd, &nothing, 0, 0) == 0) return 0;",
      "if (pread(fd, &nothing, 1, 0) == 0) return 0;",
      "fstat decides the same where a device gives a byte",
    },
    {
      "if (copy_file_range(fd, NULL, fd, NULL, 0, 0) < 0 && errno == EBADF) return 0;",
      "/*if (copy_file_range(fd, NULL, fd, NULL, 0, 0) < 0 && errno == EBADF) return 0;*/",
      "pread decides the same, more slowly",
    },
    {
      "const uint64_t most = 0x7ffff000;",
      "const uint64_t most = 0x7ffff1;",
      "reads in smaller pieces",
    },
  },
  ["plugins/posix/link.c"] = {
    {
      "if (error != 0) return error == EINVAL ? POSIX_NO_LINK : error;",
      "if (error != 0) return error == EINVAL ? POSIX_NO_LINK : error; break;",
      "no target has more than 4,095 bytes",
    },
  },
  ["plugins/posix/path.c"] = {
    {
      "n = floor = add_name(out, n, path, length);",
      "n = floor = add_name ( n,out, path, length);",
      "the path in a URI of files begins with a slash",
    },
    {
      "} while (fd < 0 && errno == EINTR);",
      "} while (fd < 1 && errno == EINTR);",
      "no new descriptor is 0: standard input is open",
    },
    {
      "if (*fd < 0) error = errno;",
      "if (*fd < 1) error = errno;",
      "no new descriptor is 0: standard input is open",
    },
  },
  ["plugins/posix/plugin.c"] = {
    {
      "for (size_t i = 0; scheme != NULL && i < SCHEMES; i++) {",
      "for (size_t i = 0; scheme >= NULL && i < SCHEMES; i++) {",
      "a host passes no NULL",
    },
  },
  ["plugins/posix/region.c"] = {
    {
      "if ((uint64_t)info.st_size > PTRDIFF_MAX) return EOVERFLOW;",
      "/*if ((uint64_t)info.st_size > PTRDIFF_MAX) return EOVERFLOW;*/",
      "no length exceeds it where both have 64 bits",
    },
    {
      "int error = posix_open(path, O_RDONLY, 0, &fd);",
      "int error = posix_open(path, O_RDONLY, (0+1), &fd);",
      "the mode is for new files",
    },
  },
  ["plugins/posix/rename.c"] = {
    {
      "if ((size_t)length == sizeof leads) return ENAMETOOLONG;",
      "if ((size_t)length > sizeof leads) return ENAMETOOLONG;",
      "no link is longer than 4095 bytes",
    },
    {
      "bool taken = error == 0 && fstatat(target.dir, new_name, &was, AT_SYMLINK_NOFOLLOW) == 0;",
      "bool taken = error == 1 && fstatat(target.dir, new_name, &was, AT_SYMLINK_NOFOLLOW) == 0;",
      "the system itself refuses a file the name of a directory",
    },
    {
      "int error = fstatat(source.dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;",
      "int error = fstatat(source.dir, name, &info, AT_SYMLINK_NOFOLLOW) >= 0 ? 0 : errno;",
      "fstatat gives 0 or -1",
    },
  },
  ["plugins/posix/replacement.c"] = {
    {
      "self->temporary = self->lock >= 0 ? strdup(name) : NULL;",
      "self->temporary = self->lock > 0 ? strdup(name) : NULL;",
      "no new descriptor is 0: standard input is open",
    },
    {
      "if (self->lock >= 0) close(self->lock);",
      "if (self->lock != 0) close(self->lock);",
      "it is -1 or above 2, and to close -1 does nothing",
    },
    {
      "return *dir < 0 ? errno : 0;",
      "return *dir < 1 ? errno : 0;",
      "no new descriptor is 0: standard input is open",
    },
    {
      "if (error != 0 || wanted->which == 0) return error;",
      "if (error != 0 || wanted->which == (0-1)) return error;",
      "sets no attribute where none is wanted",
    },
  },
  ["plugins/posix/scan.c"] = {
    {
      "if (error != 0 || scan->filled == 0) return error;",
      "if (error != 0 || scan->filled == 0) return error; continue;",
      "the loop goes on there, and finds an entry",
    },
    { "enum { ROOM = 64 * 1024 };", "enum { ROOM = 1 * 1024 };", "another size of the buffer" },
    {
      "int error = posix_open(path, O_RDONLY | O_DIRECTORY, 0, &fd);",
      "int error = posix_open(path, O_RDONLY | O_DIRECTORY, 1, &fd);",
      "the mode is for new files",
    },
    {
      "return fd < 0 ? errno : scan_make(parent->filesystem, fd, scan);",
      "return fd < 1 ? errno : scan_make(parent->filesystem, fd, scan);",
      "no new descriptor is 0: standard input is open",
    },
  },
  ["plugins/posix/stat.c"] = {
    {
      "if (error == 0) fill_attributes(&info, attributes);",
      "if (error <= 0) fill_attributes(&info, attributes);",
      "below 0 is the error of a host in a URI: the attributes of a call that fails "
        .. "are unspecified",
    },
    {
      "return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;",
      "return time.tv_sec < (0-1) ? INT64_MIN : INT64_MAX;",
      "a time near 0 is no far one",
    },
  },
  ["plugins/posix/target.c"] = {
    {
      "bits += atomic_fetch_add(&calls, 1) * UINT64_C(0x9e3779b97f4a7c15);",
      "bits += atomic_fetch_add(&calls, 1) * UINT64_C(0x1e3779b97f4a7c15);",
      "another temporary name",
    },
    { "return bits ^ (bits >> 29);", "return bits ^ (bits >> -1);", "another temporary name" },
    {
      "bits = (bits ^ (bits >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);",
      "bits = (bits ^ (bits >> 31)) * UINT64_C(0xbf58476d1ce4e5b1);",
      "another temporary name",
    },
    {
      "if (*target->at.name == '\\0') return ENOENT;",
      "if (*target->at.name == '\\1') return ENOENT;",
      "the system gives ENOENT for an empty name",
    },
    { "return bits ^ (bits >> 29);", "return bits ^ (bits >> (29+1));", "another temporary name" },
    {
      "uint64_t bits = seed + (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;",
      "uint64_t bits = seed + (uint64_t)now.tv_sec * 1000000000u * (uint64_t)now.tv_nsec;",
      "another temporary name",
    },
    {
      "bits += atomic_fetch_add(&calls, 1) * UINT64_C(0x9e3779b97f4a7c15);",
      "bits =+ atomic_fetch_add(&calls, 1) * UINT64_C(0x9e3779b97f4a7c15);",
      "another temporary name",
    },
  },
  ["plugins/posix/temporary.c"] = {
    {
      "fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev == named.st_dev &&",
      "fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev >= named.st_dev &&",
      "a directory's files are on one device",
    },
  },
  ["plugins/posix/writable.c"] = {
    {
      "if (writable->mode == (mode_t)wanted->attributes.mode && (wanted->which & "
        .. "POSIX_OWNERS) == 0)",
      "if (0==1)",
      "sets the same mode once more",
    },
    {
      "if (writable->fd >= 0 && close(writable->fd) != 0 && error == 0) error = errno;",
      "if (writable->fd >= (0+1) && close(writable->fd) != 0 && error == 0) error = errno;",
      "no new descriptor is 0: standard input is open",
    },
    {
      "writable->appends = (flags & O_APPEND) != 0;",
      "writable->appends = (flags & O_APPEND) > 0;",
      "the flag is positive",
    },
    {
      "if (writable->mode == (mode_t)wanted->attributes.mode"
        .. " && (wanted->which & POSIX_OWNERS) == 0)",
      "if (writable->mode < (mode_t)wanted->attributes.mode"
        .. " && (wanted->which & POSIX_OWNERS) == 0)",
      "sets the same mode once more",
    },
  },
  ["plugins/reference/allocator.c"] = {
    {
      "if (reference_fault_due(fault)) return NULL;",
      "if (0==1) return NULL;",
      "injected failures are an option for tests of hosts",
    },
  },
  ["plugins/reference/device.c"] = {
    { "if (left)", "/*if (left)*/", "writes a line to the log" },
  },
  ["plugins/reference/log.c"] = {
    { "else", "/*else*/", "chooses a line of the log" },
  },
  ["plugins/reference/memory.c"] = {
    {
      "block->space != REFERENCE_SPACE_HOST && !reference_memory_is_freed(block) &&",
      "(1==1) &&",
      "a host makes no copy by stream slots of what host_memory_allocate gave, or after its end",
    },
    {
      "block->space != REFERENCE_SPACE_HOST && !reference_memory_is_freed(block) &&",
      "block->space <= REFERENCE_SPACE_HOST && !reference_memory_is_freed(block) &&",
      "a host makes no copy by stream slots of what host_memory_allocate gave",
    },
    {
      "if (found) atomic_store_explicit(&block->freed, true, memory_order_relaxed);",
      "if (1==1);",
      "a host frees a block once, when its work is done",
    },
  },
  ["plugins/reference/stream.c"] = {
    {
      "while (number < awaited && "
        .. "!atomic_compare_exchange_weak(&stream->awaited, &awaited, number))",
      "while (number <= awaited && "
        .. "!atomic_compare_exchange_weak(&stream->awaited, &awaited, number))",
      "stores the number that is there",
    },
    {
      "size_t room = queue->room ? 2 * queue->room : 64;",
      "size_t room = queue->room ? (2+1) * queue->room : 64;",
      "another growth of the queue",
    },
    {
      "reference_error_report(REFERENCE_ORDERED, status);",
      "/*reference_error_report(REFERENCE_ORDERED, status);*/",
      "injected failures are an option for tests of hosts",
    },
  },
  ["plugins/reference/worker.c"] = {
    {
      "if (!started) return;",
      "if (0==1) return;",
      "joining no thread fails, which changes nothing",
    },
  },
  ["plugins/posix/transfer.c"] = {
    {
      "static ssize_t move_pages(int from, int to) {",
      "static ssize_t move_pages ( int to,int from) {",
      "the way is refused, for one end is only read; the next one copies the same",
    },
    {
      "return copy_file_range(from, NULL, to, NULL, MOST, 0);",
      "return copy_file_range(from, NULL, to, NULL, MOST, -1);",
      "the call is refused, and sendfile copies the same",
    },
  },
  ["plugins/posix/xattrs.c"] = {
    {
      "if (error == 0 && length > 0) error = read_values(&of, names, length, &found);",
      "if (error == 0 && length > (0+1)) error = read_values(&of, names, length, &found);",
      "a list with a name has two bytes at least",
    },
  },
  ["plugins/reference/plugin.c"] = {
    {
      ".supports_unified_memory = 1,",
      ".supports_unified_memory = (1+1),",
      "each number but 0 means the same",
    },
  },
}
