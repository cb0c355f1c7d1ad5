-- Clients of a web server that all come at once (luv_server_spec.lua). Arguments: how many, port,
-- path. Prints how many got the whole answer, the sum of the bytes, and the greatest time in ms.
local count, port, path = ...
local uv = require "luv"

local begun, good, bytes, slowest = uv.hrtime(), 0, 0, 0

local function finished(client, answer)
  client:close()
  local length, start = answer:match "^HTTP/1.1 200 OK\r\nContent%-Length: (%d+)\r\n.-\r\n\r\n()"
  if length and #answer - start + 1 == tonumber(length) then
    good, bytes = good + 1, bytes + tonumber(length)
  end
  slowest = math.max(slowest, (uv.hrtime() - begun) / 1e6)
end

for _ = 1, tonumber(count) do
  local client, parts = uv.new_tcp(), {}
  client:connect("127.0.0.1", tonumber(port), function(problem)
    assert(not problem, problem)
    client:write("GET " .. path .. " HTTP/1.1\r\nHost: here\r\n\r\n")
    client:read_start(function(_, chunk)
      parts[#parts + 1] = chunk
      if not chunk then
        finished(client, table.concat(parts))
      end
    end)
  end)
end
uv.run()
print(("%d %d %.0f"):format(good, bytes, slowest))
