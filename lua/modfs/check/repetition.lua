-- The command that runs a case again.
local quote = require("modfs.inspect.shell").quote

local function plain(word)
  return word:find("^[%w%./_:-]+$") and word or quote(word)
end

-- repetition(report, result): the words that repeat one case, or all of them.
return function(report, result)
  local words = { "modfs check", plain(report.file) }
  if report.as then
    words[#words + 1] = "--as " .. plain(report.as)
  end
  local scheme = report.served or report.scheme
  if scheme and scheme ~= (report.as and "" or report.schemes[1]) then
    words[#words + 1] = "--scheme " .. plain(scheme)
  end
  if report.given_root then
    words[#words + 1] = "--root " .. plain(report.given_root)
  end
  for _, sample in ipairs(report.given_samples or {}) do
    words[#words + 1] = "--sample " .. plain(sample)
  end
  if result.level == 6 then
    words[#words + 1] = "--seed " .. report.seed
  end
  words[#words + 1] = "--only " .. plain(result.only or result.name)
  return table.concat(words, " ")
end
