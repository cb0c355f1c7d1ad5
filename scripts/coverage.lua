-- Sums up what gcov says of a build with --coverage: coverage.lua BUILD
-- Prints lines and branches of src and of plugins, each as "reached of all"; with -v for each file.
local build, verbose = arg[1], arg[2] == "-v"

local function lines_of(command)
  local pipe = assert(io.popen(command))
  local lines = {}
  for line in pipe:lines() do
    lines[#lines + 1] = line
  end
  pipe:close()
  return lines
end

local function share(percent, count)
  return math.floor(tonumber(percent) * tonumber(count) / 100 + 0.5), tonumber(count)
end

-- files[path] = { lines reached, lines, branches taken, branches }, of C files alone.
local function read_counts()
  local files, file = {}, nil
  local command = ("find '%s/o/src' '%s/o/plugins' -name '*.gcno' | xargs gcov -n -b 2>/dev/null")
    :format(build, build)
  for _, line in ipairs(lines_of(command)) do
    local path = line:match "^File '(.*)'"
    if path then
      file = path:find "%.c$" and { 0, 0, 0, 0 } or nil
      files[path] = file
    elseif file and line:find "^Calls executed" or line == "No calls" then
      file = nil -- gcov's total has no name
    elseif file then
      local percent, count = line:match "^Lines executed:([%d.]+)%% of (%d+)"
      if percent then
        file[1], file[2] = share(percent, count)
      end
      percent, count = line:match "^Taken at least once:([%d.]+)%% of (%d+)"
      if percent then
        file[3], file[4] = share(percent, count)
      end
    end
  end
  return files
end

local function show(name, counts)
  print(("%-40s lines %6d of %6d  %5.1f %%   branches %6d of %6d  %5.1f %%"):format(name, counts[1],
    counts[2], 100 * counts[1] / counts[2], counts[3], counts[4],
    counts[4] > 0 and 100 * counts[3] / counts[4] or 100))
end

local sums, paths = {}, {}
local files = read_counts()
for path, counts in pairs(files) do
  paths[#paths + 1] = path
  local top = path:match "^[^/]+"
  sums[top] = sums[top] or { 0, 0, 0, 0 }
  for i = 1, 4 do
    sums[top][i] = sums[top][i] + counts[i]
  end
end
table.sort(paths)
for _, path in ipairs(verbose and paths or {}) do
  show(path, files[path])
end
for _, top in ipairs { "src", "plugins" } do
  show(top, assert(sums[top], "nothing of " .. top .. " was run"))
end
