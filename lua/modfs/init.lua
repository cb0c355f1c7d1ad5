-- require "modfs": the core, and what is said best in Lua.
local found, modfs = pcall(require, "modfs.core")
if not found then
  error(require "modfs.mismatch" (modfs), 0)
end

local compile, require = rawget(_G, "loadstring") or load, require
require "modfs.own" -- before its fields are replaced

-- What is said in Lua is read now, as its files may be out of reach later, but is compiled when it
-- is called first, as that takes ten times as long. Where this file lies is not always known.
local folder = debug.getinfo(1, "S").source:match "^@(/.*/)init%.lua$"

local function prepare(topic)
  local name, path = "modfs." .. topic, folder and folder .. topic .. ".lua"
  if package.loaded[name] or package.preload[name] then
    return
  end
  local text = path and modfs.read(path)
  if not text then
    return require(name)
  end
  package.preload[name] = function(...)
    local module = assert(compile(text, "@" .. path))(...)
    package.preload[name] = nil
    return module
  end
end

for _, topic in ipairs { "with", "options", "step", "plugin_path", "plugins", "tree", "temporary",
  "compile", "chunk", "devices" } do
  prepare(topic)
end

-- Lua 5.1 counts a tail call as a level more, where errors would not find their place.
local is_exact = not rawget(_G, "setfenv") or rawget(_G, "jit") ~= nil

local function compiled_later(topic, name)
  local fn
  return function(...)
    fn = fn or require("modfs." .. topic)[name]
    return fn(...)
  end
end

for topic, names in pairs { with = { "with" }, plugins = { "load", "available" },
  tree = { "copytree", "sync", "du", "rmtree" }, temporary = { "tempname", "tempdir" },
  chunk = { "loadfile", "dofile" }, devices = { "platforms", "devices" } } do
  for _, name in ipairs(names) do
    modfs[name] = is_exact and compiled_later(topic, name) or require("modfs." .. topic)[name]
  end
end

-- The modules beside it are fields as well, loaded when they are first asked for.
local beside = { async = true, check = true, codec = true, io = true, lfs = true, os = true,
  searcher = true, tfrecord = true }

getmetatable(modfs).__index = function(_, name)
  if beside[name] then
    local module = require("modfs." .. name)
    rawset(modfs, name, module)
    return module
  end
end

return modfs
