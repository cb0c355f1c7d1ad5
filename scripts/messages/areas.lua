-- Where messages are looked for, and which literals there are none.
local areas = {}

areas.list = {
  { "Core", "^src/core/", "^src/runtime/" },
  { "Lua binding", "^src/lua/" },
  { "Shared code of the plugins", "^plugins/common/" },
  { "Plugin posix", "^plugins/posix/" },
  { "Plugin memory", "^plugins/memory/" },
  { "Plugin http", "^plugins/http/" },
  { "Plugins s3 and gs", "^plugins/s3/", "^plugins/gs/" },
  { "Plugin az", "^plugins/az/" },
  { "Plugin hdfs", "^plugins/hdfs/" },
  { "Plugin archive", "^plugins/archive/" },
  { "Plugin reference", "^plugins/reference/" },
  { "Plugin null", "^plugins/null/" },
  { "Command line", "^lua/modfs/cli/", "^lua/modfs/repl", "^bin/" },
  { "Drop-ins", "^lua/modfs/io", "^lua/modfs/lfs", "^lua/modfs/os%.", "^lua/modfs/searcher%.",
    "^lua/modfs/refusal%.", "^lua/modfs/compile%." },
  { "Lua module", "^lua/modfs/" },
}

-- Files whose texts are data, verdicts of `modfs check`, or pages that are printed.
areas.left_out = {
  "^src/check/", "^lua/modfs/check/", "^lua/modfs/meta/", "^lua/modfs/errno%.",
  "^lua/modfs/inspect/demangle%.", "^lua/modfs/inspect/tensorflow%.",
  "^lua/modfs/inspect/text%.", "^lua/modfs/repl/manual%.", "^lua/modfs/repl/show%.",
  "^plugins/http/options%.c$", "^plugins/s3/options%.c$", "^plugins/az/options%.c$",
  "^plugins/archive/options%.c$", "^plugins/hdfs/options%.c$",
}

-- Calls whose literals are messages even when they are one word.
areas.sinks = {}
for name in ([[TF_SetStatus TF_Log modfs_set_status TF_SetStatusFromIOError fs_breach
  platform_breach device_breach luaL_error luaL_argerror luaL_argcheck push_failure_code arg_error
  refuse s3_fail http_fail damaged set_text reference_log tree_refuse fail error fault elf.fault
  task:fail task:refuse self:fail self:refuse refusal.because refusal.of_argument
  modfs_stream_fail fail_varint push_beyond fail_with fail_errno fail_damaged]]):gmatch "%S+" do
  areas.sinks[name] = true
end

-- Calls whose literals are searched, printed or sent, or say what an object is.
areas.others = {}
for name in ([[strftime _Static_assert strstr strcmp strncmp memmem s3_headers_add add ask stpcpy
  os.date os.execute io.popen shell.output text:gsub gsub said:find entry:match
  string.format parser:flag parser:option parser:argument command.define ends.definition argparse
  task:write self.out:write print lua_pushliteral lua_pushfstring file:place self:take self:unpack
  find match]]):gmatch "%S+" do
  areas.others[name] = true
end

-- Texts that are no messages: headers and bodies of requests, patterns, commands, names of objects.
areas.no_messages = {
  "^[%w-]+: [%%%w*][%w-=*]*$", "^Range: ", "^Authorization: ", "^Accept%-Encoding: ",
  "^X%-aws%-", "^Content%-", "^http://169%.", "^<", "^, Signature=", "^%^", "^test %-",
  "^ulimit ", "^; ulimit",
  "^exec ", "^kill ", "^package%.path", "^readlink", "^usage: ", "^ 2>", "^cd ", "^pwd ",
  "^modfs authors$", "^%%s %(", "^modfs%.", "^Lua %d", "^ AES256", "^AWS_", "%-path ",
  "^[%l%-]+ file$", "^record %l+$", "^%S+ device$", "^LuaFileSystem", "^Copyright",
  "^modfs%%%.core", "^san%%", "^false$", "^true$", "^Exit status", "^help%(", "^Event or ",
  "^Memory or ", "^Memory, ", "^%u%l+Object%w*$", "^permissions of ",
  "^%u%l+%u%w+ %u%l+%u%w+", "^%l+%u%w+ %l", "^%u%w+Exception ", -- words of servers
  "^bytes that all files ", "^1: closing ", "^File, ", "^%(%[%^", "^module .%(%[",
}

return areas
