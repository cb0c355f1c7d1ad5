-- What the built libraries export, and what they must not call.
local filesystem = { TF_InitPlugin = true, modfs_extension = true }
local device = { SE_InitPlugin = true }
local exports = {
  ["modfs/core.so"] = { luaopen_modfs_core = true },
  ["modfs/runner.so"] = { luaopen_modfs_runner = true },
  ["modfs/plugins/posix.so"] = filesystem,
  ["modfs/plugins/mem.so"] = filesystem,
}
local runtime = "modfs/libtensorflow_framework.so.2"

-- Not safe with threads, without a bound, or acting behind the host's back. glibc's asprintf writes
-- beyond a block that it cannot shrink.
local forbidden = {}
for name in ([[
  strerror setenv putenv unsetenv clearenv strtok localtime gmtime ctime asctime system popen gets
  sprintf vsprintf strcpy strcat tmpnam tempnam mktemp readdir64_r readdir_r getpwuid getpwnam
  getgrgid getgrnam rand srand drand48 signal exit chdir fchdir umask setlocale
  asprintf vasprintf __asprintf_chk __vasprintf_chk __sprintf_chk __vsprintf_chk __strcpy_chk
  __strcat_chk
]]):gmatch("%S+") do
  forbidden[name] = true
end

-- The runner calls it in a child, between fork and exec.
local excepted = { ["modfs/runner.so"] = { chdir = true } }

local function check_exports(project, file, allowed, report)
  local seen = {}
  for _, symbol in ipairs(project.symbols("-D --defined-only", project.build .. "/" .. file)) do
    seen[symbol.name] = true
    if not allowed[symbol.name] then
      report(file, "exports " .. symbol.name)
    end
  end
  for name in pairs(allowed) do
    if not seen[name] then
      report(file, "does not export " .. name)
    end
  end
end

local function check_runtime(project, report)
  local symbols = project.symbols("-D --defined-only", project.build .. "/" .. runtime)
  for _, symbol in ipairs(symbols) do
    local is_node = symbol.name == "tensorflow" and not symbol.node
    if not is_node and not symbol.name:find("^TF_") then
      report(runtime, "exports " .. symbol.name)
    elseif not is_node and symbol.node ~= "tensorflow" then
      report(runtime, symbol.name .. " is not under the version node tensorflow")
    end
  end
  if #symbols == 0 then
    report(runtime, "exports nothing")
  end
end

local function check_calls(project, file, report)
  for _, symbol in ipairs(project.symbols("-D --undefined-only", project.build .. "/" .. file)) do
    if forbidden[symbol.name] and not (excepted[file] or {})[symbol.name] then
      report(file, "calls " .. symbol.name)
    end
  end
end

-- What every library has to export, and nothing else: the filesystems (http, s3, gs, az and hdfs
-- where their libraries are), and one device each for the other folders of plugins.
local optional = { http = true, s3 = true, gs = true, az = true, hdfs = true }

local function expected(project)
  local all = {}
  for file, names in pairs(exports) do
    all[file] = names
  end
  for folder in pairs(optional) do
    local file = "modfs/plugins/" .. folder .. ".so"
    all[file] = project.has(project.build .. "/" .. file) and filesystem or nil
  end
  for map in project:files("^plugins/.*%.map$") do
    local folder = map:match("^plugins/([^/]*)/")
    if folder == "archive" then
      all["modfs/plugins/archive.so"] = filesystem
    elseif folder ~= "posix" and folder ~= "memory" and not optional[folder] then
      all["modfs/plugins/" .. folder .. ".so"] = device
    end
  end
  return all
end

return function(project, report)
  check_runtime(project, report)
  check_calls(project, runtime, report)
  for file, names in pairs(expected(project)) do
    check_exports(project, file, names, report)
    check_calls(project, file, report)
  end
end
