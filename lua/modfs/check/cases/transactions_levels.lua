-- Transactions over trees, with every observer outside of them all along.
local observe = require "modfs.check.observe"

local content = observe.content

-- A transaction whose changes the model learns at the commit.
local staged = {}
staged.__index = staged

local function begin(o, ...)
  local self = setmetatable({ o = o, t = o.t, changes = {} }, staged)
  o:after "start_transaction"
  self.token = o.t:code("OK", o.t.p:start_transaction()).token
  for _, path in ipairs { ... } do
    self:add(path)
  end
  return self
end

function staged:add(path, code)
  self.o:after("add_to_transaction %s", path)
  local answer = self.t:code(code or "OK",
    self.t.p:add_to_transaction(self.o:uri(path), self.token))
  self.t:equal(code and -1 or 0, answer.value, "add_to_transaction")
end

-- Makes one change and asks every observer, who must not see it.
function staged:change(verb, path, second)
  local o, t = self.o, self.t
  self.changes[#self.changes + 1] = { verb, path, second }
  if verb == "write" or verb == "append" then
    local how = verb == "write" and "new_writable_file" or "new_appendable_file"
    t:append(o:uri(path), second, how)
    o:after("%s of %s in a transaction", verb, path)
    o:at(path)
  else
    o:call(verb, path, second)
    o:after("%s %s %s in a transaction", verb, path, second or "")
    o:at(path, second)
  end
end

-- Asks about every path of the tree and of the changes.
function staged:look(step)
  local paths = { [""] = true }
  for path in pairs(self.o.tree.nodes) do
    paths[path] = true
  end
  for _, change in ipairs(self.changes) do
    paths[change[2]] = true
  end
  self.o:after(step)
  for path in pairs(paths) do
    self.o:at(path)
  end
end

function staged:commit()
  local t, o = self.t, self.o
  t:equal(0, t:code("OK", t.p:end_transaction(self.token)).value, "end_transaction")
  for _, change in ipairs(self.changes) do
    o.times[change[2]] = nil
    o:note(change[1], change[2], change[3])
  end
  self:look "end_transaction"
end

function staged:abort()
  if not self.t.plugin:has "abort_transaction" then
    self.t:refuse "the plugin has no abort_transaction: it promises no abort"
  end
  self.t:code("OK", self.t.p:abort_transaction(self.token))
  self:look "abort_transaction"
end

-- a/b/c with files at each level, and names beside it.
local function tree(t)
  local o = observe.new(t)
  for _, path in ipairs { "a", "a/b", "a/b/c", "ab", "a-b" } do
    o:directory(path)
  end
  for _, path in ipairs { "a/one", "a/b/two", "a/b/c/three", "a/b/c/four", "ab/five", "a-b/six" } do
    o:file(path, content(#path * 50, #path))
  end
  o:at("a/one", "a/b/two", "a/b/c/three", "ab/five")
  return o
end

local function change_all(transaction)
  for _, change in ipairs { { "write", "a/b/c/new", "new content" }, { "write", "a/one", "short" },
    { "write", "a/b/c/three", content(5000, 9) }, { "append", "a/b/two", "more" },
    { "append", "a/b/c/four", content(9000, 3) }, { "create_dir", "a/b/c/d" },
    { "write", "a/b/c/d/deep", "deep" }, { "recursively_create_dir", "a/x/y/z" },
    { "write", "a/x/y/z/far", content(100) } } do
    transaction:change(change[1], change[2], change[3])
  end
end

return function(case)
  local function transactions(name, run)
    case(name, "end_transaction", run, { seconds = 60 })
  end

  for _, ending in ipairs { "commit", "abort" } do
    transactions("levels.all_show_at_the_" .. ending, function(t)
      local o = tree(t)
      local transaction = begin(o, "a")
      o:hold "a/one"
      o:hold "a/b/c/four"
      change_all(transaction)
      transaction[ending](transaction)
      o:release()
    end)
  end

  transactions("deletions.show_at_the_commit", function(t)
    local o = tree(t)
    local transaction = begin(o, "a", "ab/five")
    o:hold "a/b/two"
    transaction:change("delete_file", "a/b/two")
    transaction:change("delete_file", "ab/five")
    transaction:change("delete_file", "a/b/c/three")
    transaction:change("delete_file", "a/b/c/four")
    transaction:change("delete_dir", "a/b/c")
    transaction:commit()
    o:release()
    transaction = begin(o, "a/b", "a-b")
    transaction:change("delete_recursively", "a/b")
    transaction:change("delete_recursively", "a-b")
    transaction:commit()
  end)

  transactions("moves.show_at_the_commit", function(t)
    local o = tree(t)
    local transaction = begin(o, "a")
    transaction:change("rename_file", "a/one", "a/b/c/moved")
    transaction:change("copy_file", "a/b/two", "a/copied")
    transaction:change("rename_file", "a/b/c/three", "a/b/c/four")
    transaction:commit()
  end)

  -- What one transaction has made is as much the readers' to the next one.
  transactions("commits.follow_each_other", function(t)
    local o = tree(t)
    for i = 1, 3 do
      local transaction = begin(o, "a")
      transaction:change("write", "a/b/c/new" .. i, content(i * 100))
      transaction:change("append", "a/b/c/four", content(100, i))
      transaction:change("write", "a/b/c/three", content(300, i))
      transaction:change("create_dir", "a/b/d" .. i)
      transaction:commit()
    end
  end)

  transactions("paths.are_covered_below_and_not_beside", function(t)
    local o = tree(t)
    local transaction = begin(o, "a")
    for path, inside in pairs { a = true, ["a/b"] = true, ["a/b/c/none/deeper"] = true, ab = false,
      ["ab/five"] = false, ["a-b"] = false, ["a-b/six"] = false, ["a.b"] = false, b = false } do
      local answer = t:code(inside and "OK" or "NOT_FOUND",
        t.p:get_transaction_for_path(o:uri(path)))
      t:yes(not inside or answer.token == transaction.token, "another transaction for " .. path)
    end
    for _, path in ipairs { "ab/five", "a-b/six", "a.b", "a " } do
      o:write(path, "new_writable_file", { "at once" })
    end
    transaction:change("write", "a/one", "staged")
    transaction:commit()
    t:code("NOT_FOUND", t.p:get_transaction_for_path(o:uri "a/one"))
  end)

  transactions("names_in_any_order_are_covered", function(t)
    local o = tree(t)
    o:directory "a b"
    local transaction = begin(o, "a-b", "a/b", "ab", "a b", "a/b-x", "a/new", "a/b x")
    for _, path in ipairs { "a/b/c/three", "a-b/six", "ab/five", "a b/new", "a/new", "a/b/new",
      "a-b/new" } do
      t:equal(transaction.token, t:code("OK", t.p:get_transaction_for_path(o:uri(path))).token)
      transaction:change("write", path, "staged " .. path)
    end
    o:write("a/one", "new_writable_file", { "at once" })
    transaction:commit()
  end)

  transactions("directories_above_keep_what_is_staged_below", function(t)
    local o = tree(t)
    local transaction = begin(o, "a/b/c", "a/one")
    transaction:change("write", "a/b/c/three", "staged")
    transaction:change("delete_file", "a/one")
    transaction:change("write", "a/b/c/new", "new")
    transaction:add "a"
    transaction:look "add_to_transaction a"
    transaction:change("write", "a/b/two", "staged, too")
    transaction:commit()
  end)

  transactions("missing_directories_are_covered", function(t)
    local o = tree(t)
    local transaction = begin(o, "a/later", "new")
    transaction:change("recursively_create_dir", "a/later/than/that")
    transaction:change("write", "a/later/than/that/file", "deep")
    transaction:change("create_dir", "new")
    transaction:change("write", "new/file", "test")
    transaction:commit()
  end)

  transactions("transactions_are_apart", function(t)
    local o = tree(t)
    local one, two = begin(o, "a/b"), begin(o, "ab", "a/one")
    for _, path in ipairs { "a/b", "a/b/c", "a/b/none" } do
      two:add(path, "FAILED_PRECONDITION")
    end
    one:add("ab/five", "FAILED_PRECONDITION")
    one:change("write", "a/b/two", "of one")
    two:change("write", "ab/five", "of two")
    two:change("write", "a/one", "of two")
    one:change("append", "a/b/c/four", "of one")
    one:commit()
    two:look "the commit of another"
    t:equal(two.token, t:code("OK", t.p:get_transaction_for_path(o:uri "ab/new")).token)
    two:change("write", "ab/new", "of two")
    two:commit()
  end)
end
