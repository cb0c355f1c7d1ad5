-- The slot that a method of a handle reaches; other methods carry the operation's own name.
return { pread = "read", read = "read", readinto = "read", lines = "read", write = "append",
  sub = "data", byte = "data", bytes = "data", add = "add_to_transaction",
  commit = "end_transaction" }
