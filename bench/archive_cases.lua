-- Archives beside Info-ZIP, GNU tar and bsdtar: cases(context) -> array, finish. Each program
-- starts anew. Large: one member of 256 MiB of text; small: 1,000 of 1 KiB, in ten folders. "C"
-- creates the small files from memory, or writes them into a plain tar, and nothing else. Of the
-- large ones it keeps a compressed tar in a temporary file until it is checked as a whole, as modfs
-- must, or compresses by zstd in one thread, with a checksum.
local fixtures = require "bench.fixtures"
local modfs = require "modfs"
local program = require "bench.program"

local MIB = 1024 * 1024
local place, command, limit, bytes, files

-- Words in a random order, which deflate makes 3 times shorter. No window reaches back 16 MiB.
local function text(length)
  local words, next = {}, 1
  for i = 1, math.min(length, 16 * MIB) // 8 do
    next = (next * 1103515245 + 12345) % 2147483648
    words[i] = ("%07x "):format(next // 65536 % 2048 * 40503)
  end
  local block = table.concat(words)
  return block:rep(length // #block)
end

local function plant()
  for _, folder in ipairs { "large", "small" } do
    assert(modfs.makedirs(place .. "/" .. folder))
  end
  assert(modfs.write(place .. "/large/text", text(bytes)))
  for i = 0, files - 1 do
    local folder = ("%s/small/%d"):format(place, i % 10)
    assert(i >= 10 or modfs.makedirs(folder))
    assert(modfs.write(("%s/file%04d"):format(folder, i), text(1024)))
  end
end

-- A case from shell lines, which work in the place, without those of programs that are not here.
local function case(title, lines, before)
  local who = {}
  for _, name in ipairs { "modfs", "C", "unzip", "zip", "tar", "bsdtar" } do
    local line = lines[name]
    if line and (name == "modfs" or name == "C" or program.is_installed(name)) then
      who[#who + 1] = { name, function() program.run(("cd %s && %s"):format(place, line)) end }
    end
  end
  return { name = title, n = 1, against = "modfs", who = who,
    bytes = title:find "large" and bytes or nil,
    prepare = function() program.run(("cd %s && %s"):format(place, before)) end }
end

local function extracting(name, archive, lines)
  local scheme = archive:match "%.zip$" and "zip" or "tar"
  lines.modfs = ("%s cp -r '%s://%s!/' out/x"):format(command, scheme, archive)
  local kept = archive:find "^large.tar%."
    and ("%s %d keep %s out/text"):format(limit, bytes, archive)
  lines.C = archive:find "^small" and ("%s %d unpack out"):format(limit, files) or kept
  return case(name, lines, "rm -rf out && mkdir out")
end

local function creating(name, folder, archive, lines)
  local scheme = archive:match "%.zip$" and "zip" or "tar"
  lines.modfs = ("%s cp -r %s '%s://new/%s!/'"):format(command, folder, scheme, archive)
  local compressed = archive:find "zst$" and ("%s 0 compress large/text new/a"):format(limit)
  lines.C = folder == "small" and ("%s %d pack small new/a.tar"):format(limit, files) or compressed
  return case(name, lines, "rm -rf new && mkdir new")
end

local function pack()
  for _, folder in ipairs { "large", "small" } do
    program.run(([[cd %s/%s && zip -qr ../%s.zip . && zip -qr0 ../%s0.zip . && tar cf ../%s.tar . &&
      tar czf ../%s.tar.gz . && tar c . | zstd -q >../%s.tar.zst]]):format(place,
      folder, folder, folder, folder, folder, folder))
  end
end

local function unzips(archive)
  return { unzip = "unzip -q -d out " .. archive, bsdtar = "bsdtar -C out -xf " .. archive }
end

local function untars(archive)
  return { tar = "tar -C out -xf " .. archive, bsdtar = "bsdtar -C out -xf " .. archive }
end

local function zips(folder)
  return { zip = ("cd %s && zip -qr ../new/a.zip ."):format(folder),
    bsdtar = ("bsdtar --format zip -cf new/a.zip -C %s ."):format(folder) }
end

local function tars(folder, archive)
  return { tar = ("tar -caf new/%s -C %s ."):format(archive, folder),
    bsdtar = ("bsdtar -caf new/%s -C %s ."):format(archive, folder) }
end

return function(context)
  bytes, files = (context.short and 1 or 256) * MIB, context.short and 20 or 1000
  place = fixtures.place()
  local function absolute(path)
    return path:find "^/" and path or os.getenv "PWD" .. "/" .. path
  end
  command = ("%s %s/bin/modfs"):format(os.getenv "LUA" or "lua5.4", absolute(context.here))
  limit = absolute(os.getenv "BUILD" or "build") .. "/bench/archive_limit"
  plant()
  pack()
  local cases = {
    extracting("extract large, stored zip", "large0.zip", unzips "large0.zip"),
    extracting("extract large, zip", "large.zip", unzips "large.zip"),
    creating("create large, zip", "large", "a.zip", zips "large"),
    extracting("extract small, stored zip", "small0.zip", unzips "small0.zip"),
    extracting("extract small, zip", "small.zip", unzips "small.zip"),
    creating("create small, zip", "small", "a.zip", zips "small"),
  }
  for _, ending in ipairs { "tar", "tar.gz", "tar.zst" } do
    for _, size in ipairs { "large", "small" } do
      cases[#cases + 1] = extracting(("extract %s, %s"):format(size, ending), size .. "." .. ending,
        untars(size .. "." .. ending))
      cases[#cases + 1] = creating(("create %s, %s"):format(size, ending), size, "a." .. ending,
        tars(size, "a." .. ending))
    end
  end
  return cases, function() program.run("rm -rf " .. place) end
end
