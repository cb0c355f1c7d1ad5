-- Each crashing plugin of a device, the case that meets it, and what the report says of it.
-- spec/check/crashing.lua has more of what a child can do to itself and others.
return {
  { "crash.in.allocate", "device.upstream.07.Allocate", "crashes: SIGSEGV" },
  { "exit.in.create.stream", "device.upstream.12.CreateStream",
    "ends the process: exit status 0" },
  { "loop.in.synchronize", "device.upstream.29.SynchronizeAllActivity", "hangs" },
  { "crash.in.callback", "device.upstream.30.HostCallbackOk", "crashes: SIGSEGV" },
  { "end.of.thread.in.callback", "device.upstream.30.HostCallbackOk", "it runs" },
  { "callback.never", "device.upstream.12.CreateStream", "callbacks that ran" },
  { "crash.in.destroy.device", "device.upstream.07.Allocate", "crashes: SIGSEGV" },
  { "crash.in.init", "load", "crashes: SIGSEGV" },
  { "constructor.crash", "load", "crashes: SIGSEGV" },
  { "threads.in.create.stream", "device.upstream.12.CreateStream", "threads" },
  { "descriptors.in.create.stream", "device.upstream.12.CreateStream", "descriptors" },
  { "umask.in.create.stream", "device.upstream.12.CreateStream", "umask" },
}
