-- The suite that every filesystem passes: upstream's 104 cases and what upstream leaves out.
-- filesystem(name, place) declares it; place() returns a Filesystem, the URI of a directory that
-- does not exist but whose parent does, and a function that cleans up.
local busted = require "busted"
local assert = require "luassert"
local site = require "spec.conformance.site"

local upstream = { "opening", "directories", "deleting", "renaming", "copying", "asking", "bytes" }
local beyond = { "reading", "writing", "regions", "names", "trees", "globs", "replacing", "rest" }

-- How a part declares its specs; the numbers and names of upstream's cases are noted in seen.
local function upstream_case(here, seen)
  return function(number, title, body)
    assert(not seen[number], "case declared twice: " .. number)
    seen[number] = title
    busted.it(("%03d %s"):format(number, title), function()
      body(here)
    end)
  end
end

local function own_case(here)
  return function(title, body)
    busted.it(title, function()
      body(here)
    end)
  end
end

return function(name, place)
  local here = site(place)

  busted.describe(name .. " conformance,", function()
    busted.before_each(here.open)
    busted.after_each(here.close)
    local seen = {}

    for _, part in ipairs(upstream) do
      busted.describe("upstream " .. part, function()
        require("spec.conformance.upstream." .. part)(upstream_case(here, seen))
      end)
    end

    busted.it("has all 104 upstream cases", function()
      local expected = require "spec.conformance.upstream.titles"
      assert.equal(104, #expected)
      assert.same(expected, seen)
    end)

    for _, part in ipairs(beyond) do
      busted.describe("beyond upstream " .. part, function()
        require("spec.conformance." .. part)(own_case(here))
      end)
    end
  end)
end
