-- The order in which a plugin makes files of this machine durable, by the system calls that the
-- shim notes. Of other plugins the cases are refused.

-- Runs work; the calls that it made, and for each name of a call the index of the last one of an
-- inode.
local function noted(t, work)
  t.runner.note(true)
  work()
  local events, last = t.runner.note(), {}
  for i, event in ipairs(events) do
    last[event.name .. " " .. event.inode] = i
  end
  return last
end

return function(case)
  local ways = { new_writable_file = true, new_appendable_file = true, [""] = false,
    ["atomic"] = false, ["durable"] = false, ["atomic durable"] = false }

  case("machine.sync_is_of_what_was_written", "sync", function(t)
    local path = t:need_local()
    t:need_shim()
    for way, is_slot in pairs(ways) do
      if is_slot or t.plugin:has("open_writer") then
        local file = is_slot and t:fine(t.p[way](t.p, t:at("a_file")))
          or t:fine(t.p:open_writer(t:at("a_file"), way))
        for _ = 1, 2 do
          t.runner.note(true)
          t:fine(file:append("test"))
          t:code("OK", file:sync())
          local inodes, synced = {}, {}
          for _, event in ipairs(t.runner.note()) do
            inodes[event.inode] = event.name == "write" or inodes[event.inode]
            if event.name == "write" then
              synced[event.inode] = nil
            elseif event.name == "sync" then
              synced[event.inode] = true
            end
          end
          if not next(inodes) then
            t:refuse "no call is seen that writes"
          end
          for inode in pairs(inodes) do
            t:yes(synced[inode] == true, way
              .. ": sync is of another file, or comes before a write")
          end
        end
        t:fine(file:close())
        file:cleanup_writable()
      end
    end
    t:equal("OK", t.p:path_exists(t:at("a_file")).code, path)
  end)

  -- A crash may come between any two calls: content before the name, then the directory.
  for _, how in ipairs { "durable", "atomic durable", "atomic durable new", "durable new" } do
    for _, by in ipairs { "path", "entry" } do
      local name = ("machine.order_of_%s_by_%s"):format(how:gsub(" ", "_"), by)
      case(name, "open_writer", function(t)
        local path, dir = t:need_local(), t:directory("a_dir")
        t:need_shim()
        if not t.plugin:has("open_writer") or not t.plugin:has("open_subdirectory") then
          t:refuse "open_writer or open_subdirectory is an empty slot"
        end
        if not how:find "new" then
          t:file("a_dir/a_file", "old")
        end
        local last = noted(t, function()
          local directory = t:fine(t.p:directory(dir))
          local file = by == "path" and t:fine(t.p:open_writer(dir .. "/a_file", how))
            or t:fine(directory:open_writer("a_file", how))
          t:fine(file:append("test"))
          t:code("OK", file:close())
          file:cleanup_writable()
          directory:close_directory()
        end)
        local inode = t.runner.look(path .. "/a_dir/a_file").inode
        local above = t.runner.look(path .. "/a_dir").inode
        local written, synced = last["write " .. inode], last["sync " .. inode]
        local named = last["rename " .. inode] or last["create " .. inode] or 0
        if not written then
          t:refuse "no call is seen that writes"
        end
        t:yes(synced ~= nil and synced > written, "the content is not synced after it was written")
        t:yes(not last["rename " .. inode] or synced < last["rename " .. inode],
          "the file gets its name before its content is synced")
        t:yes((last["sync " .. above] or 0) > named,
          "the directory is not synced after the file has its name")
      end)
    end
  end
end
