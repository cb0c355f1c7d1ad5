-- Which folders a folder uses, by includes and by calls; lowest first, and each comes after those
-- that it uses, so no circle can be allowed. A name that ends in "/" stands for all folders below
-- it.
local floors = {
  { "src/runtime/" },
  { "src/core/base" },
  { "src/core/registry", "src/core/base" },
  { "src/core/fs", "src/core/registry", "src/core/base" },
  { "src/core/codec", "src/core/fs", "src/core/registry", "src/core/base" },
  { "src/core/tree", "src/core/fs", "src/core/registry", "src/core/base" },
  { "src/core/async", "src/core/registry", "src/core/base" },
  { "src/core/device", "src/core/async", "src/core/fs", "src/core/registry", "src/core/base" },
  { "src/core/host", "src/core/device", "src/core/async", "src/core/fs", "src/core/registry",
    "src/core/base" },
  { "src/lua", "src/core/" },
  { "src/check/shim" },
  { "src/check/runner", "src/check/shim", "src/core/" },
  { "src/check/binding", "src/check/runner", "src/check/shim", "src/lua", "src/core/" },
  { "plugins/common/interrupt", "plugins/common/slot" },
  { "plugins/common/net", "plugins/common/wiped" },
  { "plugins/common/xml", "plugins/common/wiped" },
  { "plugins/common/parallel", "plugins/common/interrupt", "plugins/common/slot" },
  { "plugins/common/blocks", "plugins/common/parallel" },
  { "plugins/common/options", "plugins/common/words", "plugins/common/slot" },
  { "plugins/common/read_only", "plugins/common/slot" },
  { "plugins/common/remote", "plugins/common/net", "plugins/common/blocks",
    "plugins/common/options", "plugins/common/parallel", "plugins/common/interrupt",
    "plugins/common/located", "plugins/common/region", "plugins/common/words",
    "plugins/common/slot" },
  { "plugins/common/region", "plugins/common/slot" },
  { "plugins/common/json", "plugins/common/utf8" },
  { "plugins/common/located", "plugins/common/slot" },
  { "plugins/common/objects", "plugins/common/remote", "plugins/common/located",
    "plugins/common/net", "plugins/common/blocks", "plugins/common/options",
    "plugins/common/fail", "plugins/common/utf8", "plugins/common/wiped",
    "plugins/common/slot" },
  { "plugins/common/xml_page", "plugins/common/objects", "plugins/common/net",
    "plugins/common/xml", "plugins/common/slot" },
  { "plugins/common/store", "plugins/common/objects", "plugins/common/remote",
    "plugins/common/region", "plugins/common/located", "plugins/common/glob", "plugins/common/net",
    "plugins/common/blocks", "plugins/common/options", "plugins/common/parallel",
    "plugins/common/interrupt", "plugins/common/about", "plugins/common/fail",
    "plugins/common/words", "plugins/common/slot" },
  { "plugins/common/" },
  { "plugins/gs", "plugins/s3", "plugins/common/" }, -- s3 for another service, and its own
  { "plugins/", "plugins/common/" },
}

local function covers(name, folder)
  return folder == name or name:sub(-1) == "/" and (folder .. "/"):sub(1, #name) == name
end

-- Whether files of one folder may use those of another. Folders that the table lacks may use
-- themselves.
local function may_use(folder, other)
  if folder == other then
    return true
  end
  for _, floor in ipairs(floors) do
    if covers(floor[1], folder) then
      for i = 2, #floor do
        if covers(floor[i], other) then
          return true
        end
      end
      return false
    end
  end
  return false
end

return { may_use = may_use }
