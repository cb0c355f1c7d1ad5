-- Standard input as a File: where it cannot be read is not its end.
local input = {}

function input.read(_, format)
  local data, message = io.stdin:read(format)
  return data, data == nil and message and "standard input: " .. message or nil
end

function input.close() end

return input
