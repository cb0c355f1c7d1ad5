-- A failing case as a C program that makes the same calls of the plugin's slots, without modfs: it
-- needs the headers, libdl, and a library with the TF_Status functions.
--
-- A statement for each step. A call that the host answers itself, or that is no call of one slot of
-- a filesystem or its handles, becomes a comment. If it is the last step, there is no program.
local steps_of = require "modfs.check.steps"
local survey = require "modfs.check.survey"

local program = {}

-- The buffers of a program are at most this large.
local largest = 2 ^ 20

-- C text ------------------------------------------------------------------------------------------

-- A string literal, whatever the bytes are.
local function literal(text)
  return '"' .. text:gsub('[%c"\\\127-\255]', function(c)
    return ("\\%03o"):format(c:byte())
  end):gsub("%?", "\\?") .. '"'
end

-- Text for a comment.
local function plain(text)
  return (tostring(text):gsub("[^ -~]", function(c)
    return c:find "%c" and " " or ("\\x%02x"):format(c:byte())
  end):gsub("%*/", "* /"):gsub("/%*", "/ *"):gsub("%?", "? "):gsub("%? $", "?"))
end

-- Arguments ---------------------------------------------------------------------------------------

local refuse = {}

local function missing(what)
  error({ [refuse] = what }, 0)
end

local function number(argument)
  local digits = argument and argument.number or missing "an argument that is no number"
  if not digits:find "^%-?%d+$" then
    missing "a number that is not whole"
  end
  return tonumber(digits) > 2 ^ 63 - 1024 and digits .. "u" or digits
end

-- A number of bytes for a buffer.
local function amount(argument, least)
  local n = tonumber(number(argument):match "^%d+" or "0")
  return ("%.0f"):format(math.max(math.min(n, largest), least or 0))
end

-- A URI as an expression in the plugin's own form.
local function path(self, argument)
  local uri = argument and argument.text or missing "a path that is not text"
  local text
  if self.root ~= "" and uri:sub(1, #self.root) == self.root then
    self.uses_root = true
    local rest = uri:sub(#self.root + 1)
    text = rest == "" and "ROOT" or "ROOT " .. literal(rest)
  else
    text = literal(self.translates and uri or self.strip(uri))
  end
  return self.translates and ("PATH(%s)"):format(text) or text
end

-- Statements --------------------------------------------------------------------------------------

local function call(self, ...)
  table.insert(self.lines, "CALL(" .. (...):format(select(2, ...)) .. ");")
end

local function count(self, ...)
  table.insert(self.lines, "COUNT(" .. (...):format(select(2, ...)) .. ");")
end

local function line(self, ...)
  table.insert(self.lines, (...):format(select(2, ...)))
end

local fs = {}

for name in ("create_dir recursively_create_dir delete_file delete_dir path_exists"):gmatch "%S+" do
  fs[name] = function(self, step)
    call(self, "fs->%s(&f, %s, s)", name, path(self, step[1]))
  end
end

for name in ("rename_file copy_file"):gmatch "%S+" do
  fs[name] = function(self, step)
    call(self, "fs->%s(&f, %s, %s, s)", name, path(self, step[1]), path(self, step[2]))
  end
end

for name in ("is_directory get_file_size"):gmatch "%S+" do
  fs[name] = function(self, step)
    count(self, "fs->%s(&f, %s, s)", name, path(self, step[1]))
  end
end

local classes = { new_random_access_file = "TF_RandomAccessFile",
  new_writable_file = "TF_WritableFile", new_appendable_file = "TF_WritableFile",
  new_read_only_memory_region_from_file = "TF_ReadOnlyMemoryRegion" }

for name, class in pairs(classes) do
  fs[name] = function(self, step, i)
    line(self, "%s h%d = {0};", class, i)
    call(self, "fs->%s(&f, %s, &h%d, s)", name, path(self, step[1]), i)
    self.made[i] = { class = class, position = 0 }
  end
end

for name in ("get_children get_matching_paths"):gmatch "%S+" do
  fs[name] = function(self, step, i)
    line(self, "char **names%d = NULL;", i)
    count(self, "fs->%s(&f, %s, &names%d, s)", name, path(self, step[1]), i)
    line(self, 'for (long long i = 0; i < count; i++) printf("    %%s\\n", names%d[i]);', i)
  end
end

function fs.stat(self, step, i)
  line(self, "TF_FileStatistics stat%d = {0};", i)
  call(self, "fs->stat(&f, %s, &stat%d, s)", path(self, step[1]), i)
  line(self, 'printf("    length %%lld, mtime_nsec %%lld, is_directory %%d\\n", '
    .. "(long long)stat%d.length, (long long)stat%d.mtime_nsec, stat%d.is_directory);", i, i, i)
end

function fs.delete_recursively(self, step, i)
  line(self, "uint64_t left%d[2] = {0};", i)
  call(self, "fs->delete_recursively(&f, %s, &left%d[0], &left%d[1], s)", path(self, step[1]), i, i)
  line(self, 'printf("    %%llu files and %%llu directories are left\\n", '
    .. "(unsigned long long)left%d[0], (unsigned long long)left%d[1]);", i, i)
end

function fs.translate_name(self, step)
  local uri = step[1] and step[1].text or missing "a URI that is not text"
  line(self, 'printf("translate_name: %%s\\n", fs->translate_name(&f, %s));', literal(uri))
end

function fs.flush_caches(self)
  line(self, "fs->flush_caches(&f);")
end

-- Handles -----------------------------------------------------------------------------------------

local function read(self, h, i, offset, n)
  line(self, "static char b%d[%s];", i, n == "0" and "1" or n)
  count(self, "ops->random_access_file_ops->read(&h%d, %s, %s, %s, s)", h, offset, n,
    n == "0" and "NULL" or "b" .. i)
  line(self, "show(b%d, count);", i)
end

-- A method that goes on where the one before it ended.
local function read_on(self, step, i, made)
  local all = step[1] and step[1].text
  local n = all and ("%.0f"):format(65536) or amount(step[1])
  read(self, step.of, i, ("%.0f"):format(made.position), n)
  made.position = made.position + tonumber(n)
end

local file = {}

function file.pread(self, step, i)
  read(self, step.of, i, number(step[1]), amount(step[2]))
end

function file.read(self, step, i, made)
  if self.native then
    return file.pread(self, step, i)
  end
  read_on(self, step, i, made)
end

function file.close(self, step)
  line(self, "ops->random_access_file_ops->cleanup(&h%d);", step.of)
end

file.cleanup_file = file.close

local writable = {}

function writable.append(self, step)
  local argument = step[1] or {}
  if argument.text then
    local n = #argument.text
    call(self, "ops->writable_file_ops->append(&h%d, %s, %d, s)", step.of,
      n > 0 and literal(argument.text) or "NULL", n)
  elseif argument.unit then
    call(self, "ops->writable_file_ops->append(&h%d, repeat(%s, %d, %.0f), %.0f, s)", step.of,
      literal(argument.unit), #argument.unit, argument.size, argument.size)
    self.repeats = true
  else
    missing "a long text"
  end
end

writable.write = writable.append

for name in ("flush sync"):gmatch "%S+" do
  writable[name] = function(self, step)
    call(self, "ops->writable_file_ops->%s(&h%d, s)", name, step.of)
  end
end

function writable.tell(self, step)
  count(self, "ops->writable_file_ops->tell(&h%d, s)", step.of)
end

function writable.cleanup_writable(self, step)
  line(self, "ops->writable_file_ops->cleanup(&h%d);", step.of)
end

function writable.close(self, step)
  call(self, "ops->writable_file_ops->close(&h%d, s)", step.of)
  if not self.native then
    writable.cleanup_writable(self, step)
  end
end

local region = {}

function region.bytes(self, step)
  line(self, "show(ops->read_only_memory_region_ops->data(&h%d), "
    .. "(long long)ops->read_only_memory_region_ops->length(&h%d));", step.of, step.of)
end

region.sub, region.byte, region.length = region.bytes, region.bytes, region.bytes

function region.close(self, step)
  line(self, "ops->read_only_memory_region_ops->cleanup(&h%d);", step.of)
end

region.cleanup_region = region.close

local methods = { TF_RandomAccessFile = file, TF_WritableFile = writable,
  TF_ReadOnlyMemoryRegion = region }

-- The whole ---------------------------------------------------------------------------------------

local head = [[
/* %s
 * %s
 * The contract: %s
 *
 * cc FILE.c -ldl && LD_LIBRARY_PATH=FOLDER ./a.out
 * FOLDER has libtensorflow_framework.so.2. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <modfs/filesystem.h>

#define ROOT %s
%s#define CALL(...) (puts(#__VA_ARGS__), set(s, TF_OK, ""), (void)(__VA_ARGS__), \
  printf("    status %%d %%s\n", code(s), message(s)))
%s
int main(void) {
  void *host = dlopen("libtensorflow_framework.so.2", RTLD_NOW | RTLD_GLOBAL);
  void *plugin = host ? dlopen(%s, RTLD_NOW) : NULL;
  if (!plugin) return puts(dlerror()), 2;
  void (*start)(TF_FilesystemPluginInfo *) = dlsym(plugin, "TF_InitPlugin");
  TF_Status *(*new_status)(void) = dlsym(host, "TF_NewStatus"), *s = new_status();
  void (*set)(TF_Status *, TF_Code, const char *) = dlsym(host, "TF_SetStatus");
  TF_Code (*code)(const TF_Status *) = dlsym(host, "TF_GetCode");
  const char *(*message)(const TF_Status *) = dlsym(host, "TF_Message");
  TF_FilesystemPluginInfo info = {0};
  TF_Filesystem f = {0};
%s  setbuf(stdout, NULL);
  start(&info);
  TF_FilesystemPluginOps *ops = info.ops;
  while (strcmp(ops->scheme, %s) != 0) ops++;
  const TF_FilesystemOps *fs = ops->filesystem_ops;
  if (fs->init) fs->init(&f, s);

]]

local counting = [[
#define COUNT(...) (puts(#__VA_ARGS__), set(s, TF_OK, ""), count = (long long)(__VA_ARGS__), \
  printf("    %lld, status %d %s\n", count, code(s), message(s)))
]]

local show = [[

static void show(const char *bytes, long long n) {
  printf("    \"%.*s\"\n", (int)(n < 0 ? 0 : n > 200 ? 200 : n), bytes);
}
]]

local repetition = [[

static char *repeat(const char *unit, size_t length, size_t n) {
  char *text = malloc(n);
  for (size_t i = 0; text && i < n; i++) text[i] = unit[i % length];
  return text;
}
]]

-- Whether a step only makes the root of the case, which the program makes itself.
local function makes_root(self, step)
  local uri = step[1] and step[1].text
  return uri and step.method:find "create_dir$" ~= nil
    and self.root:sub(1, #uri) == uri and #uri <= #self.root
end

-- Whether the plugin itself has the slot, as far as the report knows.
local function is_served(report, operation)
  local known = report.operations[operation]
  return not known or known.source ~= "default" and known.source ~= "missing"
end

-- Writes one step; returns why it cannot be written.
local function write(self, report, step, i)
  local made = self.made[step.of]
  local method
  if made then
    method = methods[made.class][step.method]
  elseif step.object == "fs" or step.object == "plugin" then
    method = is_served(report, step.method) and fs[step.method]
  end
  if not method then
    return ("%s is no call of one slot of the plugin"):format(step.method)
  end
  local fine, why = pcall(method, self, step, i, made)
  if not fine and not (type(why) == "table" and why[refuse]) then
    error(why, 0)
  end
  return not fine and step.method .. " has " .. why[refuse] or nil
end

-- The steps of a case without those that make its root; nil and why there is no program.
local function select_steps(report, result)
  if result.name:find "^device%." or result.name == "load" then
    return nil, "the case is not about a filesystem"
  elseif not result.steps or #result.steps == 0 then
    return nil, "the case made no call"
  elseif #result.steps >= steps_of.most then
    return nil, ("the case makes more than %d calls"):format(steps_of.most)
  elseif result.why:find("injected fault", 1, true) then
    return nil, "it needs a call that is made to fail"
  end
  local native = false
  local list = {}
  for i, text in ipairs(result.steps) do
    list[i] = steps_of.decode(text)
    native = native or list[i].object == "plugin"
  end
  local translate = report.operations.translate_name
  return { list = list, native = native, root = result.root or "", lines = {}, made = {},
    translates = translate ~= nil and translate.source == "plugin" }
end

-- Where the program works: as the cases do, but in a place that does not change.
local function place(report, scheme)
  if report.given_root then
    return (report.given_root:gsub("/+$", "")) .. "/modfs.bug"
  elseif scheme == "" then
    return "/tmp/modfs.bug"
  elseif scheme == "file" then
    return "file:///tmp/modfs.bug"
  end
  return scheme .. "://modfs.bug/modfs.bug"
end

local function write_steps(self, report)
  local begun, last = false, nil
  for i, step in ipairs(self.list) do
    begun = begun or not makes_root(self, step)
    if begun then
      if i == #self.list then
        line(self, "/* %s */", plain(self.why))
      end
      last = write(self, report, step, i)
      if last then
        line(self, "/* left out: %s */", plain(last))
      end
    end
  end
  self.uses_root = self.uses_root or not begun
  return last
end

-- Makes the root, and deletes it in the end.
local function frame(self, report, root)
  local before, after = {}, { "return 0;" }
  local function in_form(text)
    return self.translates and ("PATH(%s)"):format(text) or text
  end
  if self.uses_root then
    local levels = survey.levels(root)
    for i, uri in ipairs(levels) do
      before[i] = ("CALL(fs->create_dir(&f, %s, s));"):format(in_form(i == #levels and "ROOT"
        or literal(self.translates and uri or self.strip(uri))))
    end
    if is_served(report, "delete_recursively") then
      table.insert(after, 1, ("uint64_t left[2];\n  fs->delete_recursively(&f, %s, &left[0], "
        .. "&left[1], s);"):format(in_form "ROOT"))
    end
  end
  return before, after
end

-- program.of(report, result) -> the text of a C program; nil and why there is none.
function program.of(report, result)
  local self, reason = select_steps(report, result)
  if not self then
    return nil, reason
  end
  local scheme = report.served or report.scheme
  self.why, self.strip = result.why, require("modfs.check.native").without_host
  reason = write_steps(self, report)
  if reason then
    return nil, reason
  end
  local root = place(report, scheme)
  local before, after = frame(self, report, root)
  local body = {}
  for _, list in ipairs { before, self.lines, after } do
    for _, text in ipairs(list) do
      body[#body + 1] = "  " .. text .. "\n"
    end
  end
  local statements = table.concat(body)
  local counts = statements:find("COUNT(", 1, true)
  local functions = (counts and counting or "")
    .. (statements:find("show(", 1, true) and show or "") .. (self.repeats and repetition or "")
  return head:format(plain(result.name), plain(result.why), plain(result.contract or "none"),
    literal(self.translates and root or self.strip(root)),
    self.translates and "#define PATH(uri) fs->translate_name(&f, uri)\n" or "", functions,
    literal(report.file), counts and "  long long count = 0;\n" or "", literal(scheme))
    .. statements .. "}\n"
end

return program
