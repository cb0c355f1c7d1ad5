-- What each worker does first: start(threads, file_mode, directory_mode). Modes are octal.
local modfs = require "modfs"
local async = require "modfs.async"

return function(threads, file_mode, directory_mode)
  async.threads(threads)
  for _, scheme in ipairs { "", "file" } do
    assert(modfs.config(scheme, { file_mode = tonumber(file_mode, 8),
      directory_mode = tonumber(directory_mode, 8) }))
  end
end
