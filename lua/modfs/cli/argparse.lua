-- argparse, which others bring.
local lacking = "the Lua module argparse is missing: install Debian's lua-argparse, "
  .. "or run `luarocks install argparse`"

-- Ends the command where it is missing.
local function find()
  local found, argparse = pcall(require, "argparse")
  if not found then
    error({ failure = lacking }, 0)
  end
  return argparse
end

return { find = find, lacking = lacking }
