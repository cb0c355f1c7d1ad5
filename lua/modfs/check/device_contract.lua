-- What include/modfs/stream_executor.h says of each slot, in its words.
return {
  get_numa_node = {
    does = "Returns the NUMA node that the device is closest to.",
  },
  get_memory_bandwidth = {
    does = "Returns the bandwidth of the device's own memory in bytes per second.",
  },
  get_gflops = {
    does = "Returns the approximate speed in 10^9 floating-point operations per second.",
  },
  nanoseconds = {
    does = "Returns the time between start and stop of a timer, in nanoseconds; the stream "
      .. "has passed both.",
  },
  allocate = {
    does = "Allocates size bytes of device memory and fills in memory; opaque stays NULL "
      .. "on failure.",
  },
  deallocate = {
    does = "Frees memory from allocate; opaque may be NULL.",
  },
  host_memory_allocate = {
    does = "Returns size bytes of host memory that the device can access directly for "
      .. "copies, or NULL.",
  },
  host_memory_deallocate = {
    does = "Frees memory from host_memory_allocate.",
  },
  unified_memory_allocate = {
    does = "Returns size bytes that host and devices access at the same address, or NULL.",
  },
  unified_memory_deallocate = {
    does = "Frees memory from unified_memory_allocate.",
  },
  get_allocator_stats = {
    does = "Fills in stats; returns false if there are none.",
  },
  device_memory_usage = {
    does = "Stores the free and the total memory of the device in bytes; returns false if "
      .. "unknown.",
  },
  create_stream = {
    does = "Creates a stream.",
  },
  destroy_stream = {
    does = "Destroys a stream whose work is complete.",
  },
  create_stream_dependency = {
    does = "Makes dependent wait for all work enqueued on other so far.",
  },
  get_stream_status = {
    does = "Sets status to the stream's status so far, without waiting.",
  },
  create_event = {
    does = "Creates an event, whose status is UNKNOWN until it is recorded.",
  },
  destroy_event = {
    does = "Destroys an event.",
  },
  get_event_status = {
    does = "Returns the status of an event, without waiting.",
  },
  record_event = {
    does = "Enqueues an event, which is COMPLETE when the stream reaches this point; "
      .. "replaces an earlier record.",
  },
  wait_for_event = {
    does = "Enqueues a wait for an event of this device, recorded in any stream.",
  },
  create_timer = {
    does = "Creates a timer.",
  },
  destroy_timer = {
    does = "Destroys a timer.",
  },
  start_timer = {
    does = "Enqueues the start of a timer.",
  },
  stop_timer = {
    does = "Enqueues the stop of a timer.",
  },
  memcpy_dtoh = {
    does = "Enqueues a copy of size bytes from device to host.",
  },
  memcpy_htod = {
    does = "Enqueues a copy of size bytes from host to device.",
  },
  memcpy_dtod = {
    does = "Enqueues a copy of size bytes within the device.",
  },
  sync_memcpy_dtoh = {
    does = "Copies size bytes from device to host and returns when the copy is complete; "
      .. "the host memory may be of any kind.",
  },
  sync_memcpy_htod = {
    does = "Copies size bytes from host to device and returns when the copy is complete; "
      .. "the host memory may be of any kind.",
  },
  sync_memcpy_dtod = {
    does = "Copies size bytes within the device and returns when the copy is complete.",
  },
  block_host_for_event = {
    does = "Returns when an event is complete or has failed.",
  },
  block_host_until_done = {
    does = "Returns when all work enqueued on the stream so far is complete.",
  },
  synchronize_all_activity = {
    does = "Returns when all work enqueued on any stream of the device so far is complete.",
  },
  mem_zero = {
    does = "Enqueues setting size bytes to 0.",
  },
  memset = {
    does = "Enqueues setting size bytes to one byte value.",
  },
  memset32 = {
    does = "Enqueues filling size bytes, a multiple of 4, with a 32-bit value.",
  },
  host_callback = {
    does = "Enqueues one call of callback_fn(callback_arg, status) on a thread of the "
      .. "plugin; returns false on failure, when the callback has run at most once.",
    errors = "what the callback sets becomes the stream's status.",
  },
  get_device_count = {
    does = "Stores the number of devices.",
  },
  create_device = {
    does = "Fills in params->device for the device params->ordinal.",
  },
  destroy_device = {
    does = "Destroys a device whose streams, events, timers and memory have been released.",
  },
  create_device_fns = {
    does = "Fills in params->device_fns.",
  },
  destroy_device_fns = {
    does = "Destroys the device functions.",
  },
  create_stream_executor = {
    does = "Fills in params->stream_executor.",
  },
  destroy_stream_executor = {
    does = "Destroys the executor, after all devices.",
  },
  create_timer_fns = {
    does = "Fills in timer_fns.",
  },
  destroy_timer_fns = {
    does = "Destroys the timer functions.",
  },
}
