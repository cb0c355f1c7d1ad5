-- The report as a badge for a README: an SVG image that needs no server.
local markup = require "modfs.check.markup"

local label = "modfs check"

local svg = [[
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">
<title>%s: %s</title>
<rect width="%d" height="20" rx="3" fill="#555"/>
<rect x="%d" width="%d" height="20" rx="3" fill="%s"/>
<rect x="%d" width="4" height="20" fill="%s"/>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
<text x="6" y="14" textLength="%d">%s</text>
<text x="%d" y="14" textLength="%d">%s</text>
</g>
</svg>
]]

local function verdict_of(report)
  if not report.tested then
    return "nothing tested", "#6e6e6e"
  elseif report.failed > 0 then
    return report.failed .. " failed", "#c0392b"
  end
  return report.passed .. " passed", "#2e7d32"
end

-- How wide a text is, about.
local function width_of(text)
  return math.ceil(#text * 6.6)
end

return function(report)
  local message, color = verdict_of(report)
  message = markup.text(message)
  local left, right = width_of(label) + 12, width_of(message) + 12
  return svg:format(left + right, label, message, label, message, left + right, left, right, color,
    left, color, left - 12, label, left + 6, right - 12, message)
end
