-- A network of its own for one command, which may have the address 169.254.169.254 of clouds.
local shell = require "spec.support.shell"
local web = require "spec.support.web"

local own_network = {}

-- The words that run a command there.
own_network.unshare = shell.output "id -u" == "0" and "unshare --net" or
  "unshare --map-root-user --net"

-- Why there can be none here, or no server at that address; nil when there can.
function own_network.missing()
  for _, program in ipairs { "unshare", "ip", "curl" } do
    if not shell.has(program) then
      return program .. " is not installed"
    end
  end
  if not web.can_launch() then
    return "luv for Lua 5.4 is not installed"
  end
  local status, _, err = shell.run(own_network.unshare .. " sh -c",
    "ip link set lo up && ip address add 169.254.169.254/32 dev lo")
  return status ~= 0 and "no network of its own here: " .. err:gsub("%s+$", "") or nil
end

return own_network
