-- Failures as the C library numbers them, for the drop-ins: numbers and texts are Linux's.
local core = require "modfs.core"

local texts = {
  [1] = "Operation not permitted", [2] = "No such file or directory", [5] = "Input/output error",
  [9] = "Bad file descriptor", [11] = "Resource temporarily unavailable",
  [12] = "Cannot allocate memory", [13] = "Permission denied", [17] = "File exists",
  [18] = "Invalid cross-device link", [20] = "Not a directory", [21] = "Is a directory",
  [22] = "Invalid argument", [28] = "No space left on device", [29] = "Illegal seek",
  [34] = "Numerical result out of range", [39] = "Directory not empty",
  [95] = "Operation not supported", [110] = "Connection timed out", [116] = "Stale file handle",
  [125] = "Operation canceled",
}

-- FAILED_PRECONDITION and RESOURCE_EXHAUSTED stand for several: see below.
local numbers = {
  CANCELLED = 125, UNKNOWN = 5, INVALID_ARGUMENT = 22, DEADLINE_EXCEEDED = 110, NOT_FOUND = 2,
  ALREADY_EXISTS = 17, PERMISSION_DENIED = 13, ABORTED = 116, OUT_OF_RANGE = 34,
  UNIMPLEMENTED = 95, INTERNAL = 5, UNAVAILABLE = 11, DATA_LOSS = 5, UNAUTHENTICATED = 13,
}

-- Codes of which the number tells less than the message does.
local vague = {
  UNKNOWN = true, UNIMPLEMENTED = true, INTERNAL = true, UNAVAILABLE = true, DATA_LOSS = true,
  UNAUTHENTICATED = true, ABORTED = true, RESOURCE_EXHAUSTED = true,
}

local on_directory = { rmdir = 39 }
local on_file = { rmdir = 20, dir = 20, chdir = 20 }

-- What stands at the path tells which precondition it was; without a path it was the handle.
local function precondition(path, operation)
  if not path then
    return 9
  elseif core.isdir(path) then
    return on_directory[operation] or 21
  end
  local there = core.exists(path)
  return there and (on_file[operation] or 1) or 20
end

local function number(code, path, operation)
  if code == "FAILED_PRECONDITION" then
    return precondition(path, operation)
  elseif code == "RESOURCE_EXHAUSTED" then
    return operation == "read" and 12 or 28
  end
  return numbers[code] or 5
end

-- The C library's text and number for a failure of modfs; what only the message tells is added.
local function translate(message, code, path, operation)
  local value = number(code, path, operation)
  local detail = vague[code] and (" (%s)"):format(message:sub(#code + 3)) or ""
  return texts[value] .. detail, value
end

-- nil, "path: reason", number: as io.open and its like fail.
local function failure(message, code, path, operation)
  local reason, value = translate(message, code, path, operation)
  return nil, ("%s: %s"):format(path, reason), value
end

return { failure = failure, texts = texts, translate = translate }
