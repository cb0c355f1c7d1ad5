-- free_port() -> a port of 127.0.0.1 on which nobody listens now, below those that the kernel gives
-- to connections. It is drawn, as specs that run at once would all find the same first one.
local shell = require "spec.support.shell"

return function()
  return tonumber(shell.output("bash -c", [[
    while port=$((20000 + SRANDOM % 12000)) && (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null
    do :; done
    echo $port]]))
end
