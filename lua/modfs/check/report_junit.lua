-- The report as JUnit's XML.
local marks = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

-- How many bytes a sequence of UTF-8 has that begins with this one.
local function length_of(byte)
  return byte < 0x80 and 1 or byte >= 0xc2 and byte < 0xe0 and 2 or byte >= 0xe0 and byte < 0xf0
    and 3 or byte >= 0xf0 and byte < 0xf5 and 4 or 0
end

-- XML takes no bytes that are no UTF-8; they are written as \xNN.
local function plain(sequence)
  local length = length_of(sequence:byte())
  if #sequence == length and not sequence:find("^\239\191[\190\191]")
    and not sequence:find("^\237[\160-\191]") and not sequence:find("^\224[\128-\159]")
    and not sequence:find("^\240[\128-\143]") and not sequence:find("^\244[\144-\191]") then
    return sequence
  end
  return (sequence:gsub(".", function(c)
    return c:byte() < 0x80 and c or ("\\x%02x"):format(c:byte())
  end))
end

local function text_of(text)
  return (tostring(text):gsub("[%z\1-\127\192-\255][\128-\191]*", plain):gsub('[&<>"]', marks)
    :gsub("%c", " "))
end

return function(report)
  local lines = { '<?xml version="1.0" encoding="UTF-8"?>',
    ('<testsuite name="%s" tests="%d" failures="%d" skipped="%d" time="%.2f">'):format(
      text_of(report.file), #report.results, report.failed, report.refused, report.seconds) }
  for _, result in ipairs(report.results) do
    local inner = ""
    if result.verdict == "failed" then
      inner = ('<failure message="%s">%s</failure>'):format(text_of(result.why),
        text_of(("%s → %s"):format(result.called or "", result.answer or "")))
    elseif result.verdict == "refused" then
      inner = ('<skipped message="%s"/>'):format(text_of(result.why))
    end
    lines[#lines + 1] = ('  <testcase classname="level %d" name="%s">%s</testcase>'):format(
      result.level, text_of(result.name), inner)
  end
  lines[#lines + 1] = "</testsuite>"
  return table.concat(lines, "\n") .. "\n"
end
