-- What servers and files bring to s3, hdfs and archives, mutated, goes to the functions that read
-- it, under a checker of memory: spec/fuzz has the targets. `make fuzz` does that for minutes, with
-- libFuzzer.
--   MODFS_FUZZ_ROUNDS=100000 MODFS_FUZZ_SEED=7 busted spec/s3_fuzz_spec.lua
local shell = require "spec.support.shell"

local rounds = os.getenv "MODFS_FUZZ_ROUNDS" or "2000"
local seed = os.getenv "MODFS_FUZZ_SEED" or "1"
local build = os.getenv "BUILD" or "build"
local compiler = "gcc -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"

local function missing()
  for _, library in ipairs { "libcurl", "expat", "libcrypto", "libcjson" } do
    if shell.run("pkg-config --exists", library) ~= 0 then
      return "modfs was built without s3 or hdfs: pkg-config does not know " .. library
    end
  end
  local program = "echo 'int main(void) { return 0; }' | %s -x c - -o /dev/null"
  if shell.run(program:format(compiler)) ~= 0 then
    return "gcc has no AddressSanitizer here"
  end
end

local function fuzz(target)
  local program = build .. "/fuzz/" .. target .. ".gcc"
  shell.output("spec/fuzz/build.sh " .. target .. " " .. program .. " " .. compiler)
  local run = "env -u LD_PRELOAD ASAN_OPTIONS=detect_leaks=0 timeout 600 %s %s %s " ..
    "spec/fuzz/corpus/%s/*"
  return shell.run(run:format(program, rounds, seed, target))
end

describe("fuzz of s3 and archives, seed " .. seed .. ":", function()
  local reason = missing()
  if reason then
    pending(reason)
    return
  end

  for name in shell.output("ls spec/fuzz"):gmatch "[^\n]+" do
    local target = name:match "^(%w+)%.c$"
    if target and target ~= "driver" and target ~= "control" then
      it(target, function()
        if target == "google" and shell.run "pkg-config --exists libcjson" ~= 0 then
          pending "modfs was built without libcjson-dev"
          return
        end
        local status, out, err = fuzz(target)
        assert.equal(0, status, err)
        assert.truthy(tonumber(out:match "^(%d+) inputs\n") > tonumber(rounds))
      end)
    end
  end

  it("finds what is wrong (the control)", function()
    local status, _, err = fuzz "control"
    assert.is_true(status ~= 0)
    assert.truthy(err:find "control.c:%d+", err)
  end)
end)
