-- Rooms stay small: lengths of functions (reported) and of files (at most 500 lines).
local most_file, most_function = 500, 60

local function check_files(project, report)
  for path in project:files("%.[ch]$") do
    local _, lines = project:read(path):gsub("\n", "")
    if lines > most_file and path:find("^src/") or lines > most_file and path:find("^plugins/") then
      report(path, lines .. " lines: split it by what it talks to")
    end
  end
end

-- A function starts at an unindented line before "{" and ends at the next unindented "}".
local function each_function(project, path, visit)
  local start, name
  for n, line in project:lines(path) do
    local called = line:match("^[%a_].-([%w_]+)%(")
    if called and not line:find(";%s*$") and not line:find("^#") then
      start, name = n, called
    elseif line == "}" and start then
      visit(name, n - start + 1, start)
      start = nil
    elseif line:find("^};") or line:find(";%s*$") and not line:find("^%s") then
      start = nil
    end
  end
end

return function(project, report, say)
  check_files(project, report)
  local lengths, longest = {}, { 0, "" }
  for _, where in ipairs({ "^src/.*%.c$", "^plugins/.*%.c$" }) do
    for path in project:files(where) do
      each_function(project, path, function(name, length, line)
        lengths[#lengths + 1] = length
        if length > longest[1] then
          longest = { length, ("%s at %s:%d"):format(name, path, line) }
        end
        if length > most_function then
          report(path .. ":" .. line, ("%s has %d lines"):format(name, length))
        end
      end)
    end
  end
  table.sort(lengths)
  if #lengths > 0 then
    local over = 0
    for _, length in ipairs(lengths) do
      over = over + (length > 40 and 1 or 0)
    end
    say(("%d functions: median %d lines, longest %d (%s), %d over 40"):format(
      #lengths, lengths[math.ceil(#lengths / 2)], longest[1], longest[2], over))
  end
end
