-- Checks what the house promises and a compiler does not see: rules.lua [root [build]]
-- Prints one line for each breach and ends with 1 when there is one.
local root = arg[1] or "."
local build = arg[2] or root .. "/build"
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local project = require("rules.project").open(root, build)

local rules = { "includes", "arrows", "words", "slots", "settled", "doors", "sizes", "symbols",
  "names", "house" }

local breaches = 0
for _, name in ipairs(rules) do
  local rule = require("rules." .. name)
  rule(project, function(where, what)
    breaches = breaches + 1
    print(("%s: %s: %s"):format(name, where, what))
  end, print)
end
print(("%d rules, %d breaches"):format(#rules, breaches))
os.exit(breaches == 0 and 0 or 1)
