-- Ends, in the way of its argument, while a Job waits for the answer of a filter.
local how = ...
local modfs = require "modfs"
local async = require "modfs.async"

for i = 1, 20 do
  assert(modfs.makedirs("mem://a/d" .. i))
end

local function ended()
  io.write("ended\n")
  io.flush()
end

local function exit(close)
  ended()
  os.exit(_VERSION == "Lua 5.1" and 0 or true, close)
end

local job
local ends = {
  ["exit"] = function() exit(false) end,
  ["close"] = function() exit(true) end,
  ["by itself"] = ended,
}

local function filter()
  if how == "exit within" then
    exit(false)
  elseif how == "close within" then
    exit(true)
  end
  return true
end

job = async.du("mem://a", { filter = filter })
if how:find "within" then
  job:wait()
end
async(assert(modfs.watch "/")):next(0.02):wait()
job = async.du("mem://a", { filter = filter })
local other = async.glob("mem://a/*", { filter = filter })
while other:progress().state == "queued" or job:progress().state == "queued" do
  async.exists("mem://a"):wait(0)
end
ends[how]()
