-- No public function of the core ends the process for a string that is NULL: one with a status
-- fails with INVALID_ARGUMENT and a message, the others return NULL, false or nothing. The calls
-- are made from the headers, so that a new function is among them.
local build = require "spec.fixtures.build"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

-- Strings that may be NULL: FUNCTION.PARAMETER. What is called data is bytes, as for memcpy.
local optional = { ["modfs_plugin_load.symbol"] = true, ["modfs_plugin_load_as.symbol"] = true }

-- A format is never NULL: compilers know that.
local left_out = { modfs_set_status = true }

-- What stands for an argument of a type, or of one name with that type.
local values = {
  ["bool"] = "false", ["double"] = "0.0", ["size_t"] = "1", ["uint64_t"] = "1",
  ["int64_t"] = "1", ["TF_Code"] = "TF_UNKNOWN", ["modfs_write_mode"] = "MODFS_WRITE_REPLACE",
  ["TF_Status *"] = "status", ["const modfs_fs *"] = "fs", ["modfs_choice *"] = "choice",
  ["modfs_writable *"] = "NULL", ["modfs_walk *"] = "walk", ["modfs_bytes *"] = "bytes",
  ["const modfs_codec *"] = 'modfs_codec_find("gzip")', ["modfs_device *"] = "device",
  ["modfs_stream *"] = "stream",
  ["modfs_transaction *"] = "transaction", ["const modfs_renaming *"] = "NULL",
  ["const modfs_copy_progress *"] = "NULL", ["const modfs_tree_options *"] = "&options",
  ["uint64_t *"] = "room", ["TF_FileStatistics *"] = "room", ["modfs_attributes *"] = "room",
  ["const modfs_attributes *"] = "room", ["modfs_space *"] = "room",
  ["modfs_string_list *"] = "room", ["TF_Code *"] = "room", ["modfs_options *"] = "room",
  ["double *"] = "room", ["const char *"] = '"mem://a"',
  ["modfs_fs_search.path"] = '"mem://a"', ["modfs_fs_find.scheme"] = '"mem"',
}

local function words_of(text)
  return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- "const char *path" -> "const char *", "path"
local function parameter_of(text)
  local kind, name = words_of(text):match "^(.-)([%w_]+)$"
  return { type = words_of(kind), name = name }
end

-- The functions of a header that have a string among their parameters.
local function functions_of(header)
  local text = tmpdir.content("include/modfs/" .. header):gsub("/%*.-%*/", "")
  local list = {}
  for result, name, inside in text:gmatch "MODFS_API%s([^;()]-)([%w_]+)%(([^;]-)%)[^;()]*;" do
    if inside:find "const char %*[%w]" and not left_out[name] then
      local one = { result = words_of(result), name = name, parameters = {} }
      for part in inside:gmatch "[^,]+" do
        one.parameters[#one.parameters + 1] = parameter_of(part)
      end
      list[#list + 1] = one
    end
  end
  return list
end

local function is_string(parameter)
  return parameter.name ~= "data"
    and (parameter.type == "const char *" or parameter.type == "const char *const *")
end

-- How the result of a failure looks, by the type of the result.
local function is_failure(result)
  if result == "void" then
    return "%s;", "true"
  elseif result == "modfs_path" then
    return "modfs_path it = %s;", "it.path_length == 0 && it.scheme_length == 0"
  elseif result == "bool" or result:find "%*$" then
    return result .. " it = %s;", "!it"
  end
  return result .. " it = %s;", "it == -1"
end

-- The call of a function with NULL for its n-th parameter, as a case of a switch; none: "NULL" in
-- the array.
local function call_of(one, n, none)
  local words, has_status = {}, false
  for i, parameter in ipairs(one.parameters) do
    local word = i == n and none or values[one.name .. "." .. parameter.name]
      or values[parameter.type]
    assert(word, ("no value for %s of %s"):format(parameter.type, one.name))
    has_status = has_status or word == "status"
    words[i] = word
  end
  local statement, failed = is_failure(one.result)
  return ("    { %s return said(%s, %s); }"):format(statement:format(("%s(%s)"):format(one.name,
    table.concat(words, ", "))), failed, has_status and "true" or "false")
end

local calls = {}
for _, header in ipairs { "modfs.h", "device.h", "async.h" } do
  for _, one in ipairs(functions_of(header)) do
    for n, parameter in ipairs(one.parameters) do
      local name = one.name .. "." .. parameter.name
      if is_string(parameter) and not optional[name] then
        calls[#calls + 1] = { name = name, code = call_of(one, n, "NULL") }
        if parameter.type:find "const %*$" then
          calls[#calls + 1] = { name = name .. "[0]", code = call_of(one, n, "&none") }
        end
      end
    end
  end
end

-- Strings in structures.
local function more(name, code)
  calls[#calls + 1] = { name = name, code = "    { " .. code .. " }" }
end

for _, member in ipairs { "scheme", "as" } do
  more("modfs_plugin_load_as.renaming->" .. member, ([[modfs_renaming names = {"mem", "other"};
      names.%s = NULL;
      return said(!modfs_plugin_load_as(plugin, NULL, true, &names, status), true);]])
    :format(member))
end
more("modfs_path_common.paths[0]", [[modfs_string_list list = {1, &nothing, NULL};
      return said(!modfs_path_common(&list, status), true);]])
more("modfs_fs_set_configuration.items[0].name", [[TF_Filesystem_Option option = {NULL};
      modfs_options options = {1, &option};
      modfs_fs_set_configuration(fs, &options, status);
      return said(true, true);]])
more("modfs_fs_set_configuration_option.option->name", [[TF_Filesystem_Option option = {NULL};
      modfs_fs_set_configuration_option(fs, &option, status);
      return said(true, true);]])
more("the control", "return (int)strlen(nothing);")

local program = [[
#include <modfs/async.h>
#include <modfs/device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char space[4096];
static void *const room = space;
static const char *const none = NULL;
static char *nothing;
static TF_Status *status;
static const modfs_fs *fs;

static int said(bool failed, bool by_status) {
  if (!failed) printf("does not return what a failure returns; ");
  if (by_status)
    printf("%%s: %%s\n", modfs_code_name(TF_GetCode(status)), TF_Message(status));
  else
    printf("returned\n");
  return failed ? 0 : 1;
}

/* What one call does, in a process of its own. */
static int call(int number, const char *plugin, const char *folder) {
  const modfs_tree_options options = {0};
  status = TF_NewStatus();
  modfs_start(status);
  if (TF_GetCode(status) != TF_OK) return 2;
  fs = modfs_fs_find("mem", 3);
  modfs_choice *choice = modfs_choice_new(NULL, status);
  modfs_walk *walk = modfs_walk_open(fs, "mem://", false, status);
  modfs_bytes *bytes = modfs_bytes_new(8, status);
  modfs_transaction *transaction = modfs_transaction_start(fs, status);
  const modfs_platform *platform = modfs_platform_search("reference", folder, status);
  modfs_device *device = platform ? modfs_device_open(platform, 0, status) : NULL;
  modfs_stream *stream = device ? modfs_stream_open(device, status) : NULL;
  if (!walk || !modfs_walk_next(walk, status) || !choice || !bytes || !transaction || !stream) {
    printf("cannot begin: %%s\n", TF_Message(status));
    return 2;
  }
  switch (number) {
%s
  }
  return 3;
}

int main(int count, char **arguments) {
  for (int number = 1; number <= atoi(arguments[count - 3]); number++) {
    int ended = 0;
    printf("%%d: ", number);
    fflush(stdout);
    if (fork() == 0) {
      int result = call(number, arguments[count - 2], arguments[count - 1]);
      fflush(stdout);
      _exit(result);
    }
    wait(&ended);
    if (ended != 0) printf("ended with %%d\n", ended);
  }
  return 0;
}
]]

describe("a string that is NULL", function()
  if sanitized then
    it("is refused", function()
      pending "the library wants a sanitizer that a plain program does not start with"
    end)
    return
  end

  local root = shell.output("realpath", os.getenv "BUILD" or "build")
  local place
  local said = {}

  setup(function()
    place = build.shelf()
    shell.output(("cd %s && cp %s/libmodfs.so.0 . && ln -s %s/modfs/plugins plugins"):format(
      place.folder, root, root))
    local cases = {}
    for i, call in ipairs(calls) do
      cases[i] = ("  case %d:\n%s"):format(i, call.code)
    end
    local source = place:write("null_strings.c", program:format(table.concat(cases, "\n")))
    local binary = place.folder .. "/null_strings"
    shell.output(("cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Iinclude %s -o %s "
      .. "%s/libmodfs.so.0 %s/modfs/libtensorflow_framework.so.2 -Wl,-rpath,'$ORIGIN' "
      .. "-Wl,-rpath,%s/modfs"):format(source, binary, place.folder, root, root))
    local out = shell.output(binary .. " " .. #calls, root .. "/modfs/plugins/mem.so",
      root .. "/modfs/plugins/?.so")
    for i, text in out:gmatch "(%d+): ([^\n]*)" do
      said[tonumber(i)] = text
    end
  end)

  teardown(function()
    place:remove()
  end)

  it("is put to many functions", function()
    assert.is_true(#calls > 80, #calls .. " calls")
  end)

  it("ends the process where nothing looks at it", function()
    assert.is_truthy(said[#calls]:find "^ended with ")
  end)

  for i = 1, #calls - 1 do
    it("is refused: " .. calls[i].name, function()
      assert.is_truthy(said[i] == "returned" or said[i]:find "^INVALID_ARGUMENT: .", said[i])
    end)
  end
end)
