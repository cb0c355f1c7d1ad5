-- What GNU's programs call the kinds of entries.
local kinds = {}

local nouns = { file = "regular file", directory = "directory", link = "symbolic link",
  other = "special file" }

-- The noun for an entry that modfs.lstat describes.
function kinds.noun(info)
  if info.kind == "file" and info.length == 0 then
    return "regular empty file"
  end
  return nouns[info.kind]
end

return kinds
