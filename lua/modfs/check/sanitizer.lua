-- Plugins that are built with a sanitizer of GCC or Clang. Its runtime must be loaded before all
-- else, so it is preloaded into the children, and what it reports there fails the case.
local elf = require "modfs.inspect.elf"

local sanitizer = {}

-- A preloaded library that replaces malloc leaves no room for the shim.
local kinds = {
  { "asan", "AddressSanitizer", replaces_malloc = true },
  { "tsan", "ThreadSanitizer", replaces_malloc = true },
  { "lsan", "LeakSanitizer", replaces_malloc = true },
  { "ubsan", "UndefinedBehaviorSanitizer" },
}

-- Leaks are counted by cases of their own; one of the interpreter's is not the plugin's.
local settings = {
  asan = "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1",
  tsan = "TSAN_OPTIONS=allocator_may_return_null=1",
  lsan = "LSAN_OPTIONS=allocator_may_return_null=1",
}

local function is_runtime(library, short)
  return library:find("^lib" .. short .. "%.so") or library:find("^libclang_rt%." .. short)
end

-- Whether the runtime of one is preloaded into this process, and so into its children.
function sanitizer.is_preloaded()
  return (os.getenv "LD_PRELOAD" or ""):find "san%.so" ~= nil
end

-- The limit of memory for a child that is to have that many MiB: 0, none, where the runtime that
-- stands in it (of this process, or of kind) reserves terabytes of addresses.
function sanitizer.memory_limit(megabytes, kind)
  if sanitizer.is_preloaded() or kind and kind.replaces_malloc then
    return 0
  end
  return megabytes
end

-- of(file) -> the sanitizer whose runtime a file needs: name, library, replaces_malloc; or nil.
function sanitizer.of(path)
  local file = elf.open(path)
  local needed = file and file.needed or {}
  if file then
    file:close()
  end
  for _, kind in ipairs(kinds) do
    for _, library in ipairs(needed) do
      if is_runtime(library, kind[1]) then
        return { short = kind[1], name = kind[2], library = library,
          replaces_malloc = kind.replaces_malloc }
      end
    end
  end
end

-- The variable that sets up the runtime in a child; what the user has set there comes last.
function sanitizer.setting(kind)
  local words = settings[kind.short]
  if not words then
    return nil
  end
  local given = os.getenv(words:match "^[^=]+")
  return given and words .. ":" .. given or words
end

-- What a child's standard error holds of a sanitizer's report, in one line; or nil.
function sanitizer.report_in(text)
  return text:match "SUMMARY: (%a+Sanitizer: [^\n]+)"
    or text:match "WARNING: (ThreadSanitizer: [^\n]+)"
    or text:match "ERROR: (%a+Sanitizer: [^\n]+)"
    or ("\n" .. text):match "\n([^\n]+:%d+:%d+: runtime error: [^\n]+)"
end

return sanitizer
