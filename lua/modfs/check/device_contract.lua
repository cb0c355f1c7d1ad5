-- What include/modfs/stream_executor.h says of each slot, in its words.
return {
  get_numa_node = {
    does = "The NUMA node that the device is near to.",
  },
  get_memory_bandwidth = {
    does = "How many bytes a second the device moves to and from its own memory.",
  },
  get_gflops = {
    does = "How many thousand million floating-point operations it does a second, roughly.",
  },
  nanoseconds = {
    does = "The time between start and stop of a timer, in nanoseconds; both are in the "
      .. "past.",
  },
  allocate = {
    does = "Fills memory with size bytes of the device; opaque stays NULL on failure.",
  },
  deallocate = {
    does = "Frees what allocate made; opaque may be NULL.",
  },
  host_memory_allocate = {
    does = "Returns size bytes of host memory that the device copies from and to by "
      .. "itself, or NULL.",
  },
  host_memory_deallocate = {
    does = "Frees what host_memory_allocate made.",
  },
  unified_memory_allocate = {
    does = "Returns size bytes that host and devices reach under one address, or NULL.",
  },
  unified_memory_deallocate = {
    does = "Frees what unified_memory_allocate made.",
  },
  get_allocator_stats = {
    does = "Fills stats; false when there are none.",
  },
  device_memory_usage = {
    does = "Fills in how much of the device's memory is free, and how much it has; false "
      .. "when unknown.",
  },
  create_stream = {
    does = "Makes a stream.",
  },
  destroy_stream = {
    does = "Frees a stream, whose work is done.",
  },
  create_stream_dependency = {
    does = "Enqueues to dependent a wait for all that other has got so far.",
  },
  get_stream_status = {
    does = "Sets status to how the stream's work went so far, without waiting for any.",
  },
  create_event = {
    does = "Makes an event; until it is recorded its status is UNKNOWN.",
  },
  destroy_event = {
    does = "Frees an event.",
  },
  get_event_status = {
    does = "Says where an event stands, without waiting.",
  },
  record_event = {
    does = "Enqueues an event: it is COMPLETE when the stream has come there; an earlier "
      .. "record of it is forgotten.",
  },
  wait_for_event = {
    does = "Enqueues a wait for an event of this device, in whatever stream it is.",
  },
  create_timer = {
    does = "Makes a timer.",
  },
  destroy_timer = {
    does = "Frees a timer.",
  },
  start_timer = {
    does = "Enqueues the timer's first mark.",
  },
  stop_timer = {
    does = "Enqueues the timer's second mark.",
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
    does = "Copies size bytes from device to host, and returns when they are there; any "
      .. "host memory will do.",
  },
  sync_memcpy_htod = {
    does = "Copies size bytes from host to device, and returns when they are there; any "
      .. "host memory will do.",
  },
  sync_memcpy_dtod = {
    does = "Copies size bytes within the device, and returns when they are there.",
  },
  block_host_for_event = {
    does = "Returns when an event is complete or failed.",
  },
  block_host_until_done = {
    does = "Returns when all that the stream has got so far is done.",
  },
  synchronize_all_activity = {
    does = "Returns when all streams of the device have done what they have got so far.",
  },
  mem_zero = {
    does = "Enqueues the filling of size bytes with 0.",
  },
  memset = {
    does = "Enqueues the filling of size bytes with one byte.",
  },
  memset32 = {
    does = "Enqueues the filling of size bytes, a multiple of 4, with one 32-bit number.",
  },
  host_callback = {
    does = "Enqueues a call of callback_fn(callback_arg, status), once, on a thread of the "
      .. "plugin; false: it failed, and the callback has run at most once.",
    errors = "what the callback sets becomes the stream's status.",
  },
  get_device_count = {
    does = "Fills in how many devices there are.",
  },
  create_device = {
    does = "Fills params->device for the device params->ordinal.",
  },
  destroy_device = {
    does = "Ends a device, whose streams, events, timers and memory are gone.",
  },
  create_device_fns = {
    does = "Fills params->device_fns.",
  },
  destroy_device_fns = {
    does = "Ends the device functions.",
  },
  create_stream_executor = {
    does = "Fills params->stream_executor.",
  },
  destroy_stream_executor = {
    does = "Ends the executor, after all devices.",
  },
  create_timer_fns = {
    does = "Fills timer_fns.",
  },
  destroy_timer_fns = {
    does = "Ends the timer functions.",
  },
}
