-- Timers: the time between two marks in a stream, in nanoseconds. What the clock of the host says
-- of it is known from callbacks around the marks: at least the time between those inside, at most
-- the time between those outside, give or take 5 % and 0.1 ms. So a machine under load makes no
-- difference.
local slack, grain = 1.05, 1e5

-- A span that a timer measures in a stream: begin it, let it last, end it.
local function begin(t, stream, timer)
  local before = t:callback(stream)
  t:must(t.device:start_timer(stream, timer))
  return { timer = timer, before = before, within = t:callback(stream) }
end

local function finish(t, stream, span)
  span.last = t:callback(stream)
  t:must(t.device:stop_timer(stream, span.timer))
  span.after = t:callback(stream)
end

local function last(t, stream, seconds)
  t:callback(stream, { seconds = seconds })
end

-- The time of a span whose stream is done, between what the host saw.
local function measured(t, span, what)
  local time = t:ok(t.device:nanoseconds(span.timer))
  local least = (span.last:state().began_at - span.within:state().ended_at) * 1e9
  local most = (span.after:state().began_at - span.before:state().ended_at) * 1e9
  t:yes(time * slack + grain >= least,
    ("%s: %.0f ns, where %.0f ns passed inside"):format(what, time, least))
  t:yes(time <= most * slack + grain,
    ("%s: %.0f ns, where %.0f ns passed outside"):format(what, time, most))
  return time
end

local function measure(t, seconds, timer)
  local stream = t:stream()
  local span = begin(t, stream, timer or t:timer())
  last(t, stream, seconds)
  finish(t, stream, span)
  t:finish(stream)
  return measured(t, span, ("a callback of %g seconds"):format(seconds)), span.timer
end

local function single(case)
  case("count_nanoseconds", "nanoseconds", function(t)
    local time = measure(t, 0.03)
    t:yes(time * slack >= 0.03e9, ("%.0f ns for a callback of 30 ms"):format(time))
  end)

  case("grow_with_the_work", "nanoseconds", function(t)
    measure(t, 0.005)
    measure(t, 0.06)
  end)

  case("keep_their_time", "nanoseconds", function(t)
    local first, timer = measure(t, 0.002)
    t:callback(t:stream(), { seconds = 0.01 }):await(1, t.patience)
    t:equal(first, t.device:nanoseconds(timer))
  end)

  case("start_in_the_stream", "start_timer", function(t)
    local stream, timer = t:stream(), t:timer()
    local gate, held = t:hold(stream)
    local span = begin(t, stream, timer)
    finish(t, stream, span)
    gate:open(held and 0.3 or nil)
    t:finish(stream)
    measured(t, span, "behind a stream that was held up")
  end)

  case("start_again", "start_timer", function(t)
    local timer = t:timer()
    measure(t, 0.3, timer)
    measure(t, 0.001, timer)
  end)

  case("end_before_they_are_started", "destroy_timer", function(t)
    local timer = t:ok(t.device:create_timer())
    t:yes(t.device:destroy_timer(timer))
    measure(t, 0)
  end)
end

-- Two spans: one begins, then the other; turned says whether the first ends first.
local function two(t, stream, other, turned)
  local first = begin(t, stream, t:timer())
  last(t, stream, 0.03)
  local second = begin(t, other, t:timer())
  last(t, stream, 0.01)
  finish(t, turned and stream or other, turned and first or second)
  last(t, stream, 0.03)
  finish(t, turned and other or stream, turned and second or first)
  t:finish(stream)
  t:finish(other)
  return measured(t, first, "the first"), measured(t, second, "the second")
end

local function several(case)
  case("run_beside_each_other", "create_timer", function(t)
    two(t, t:stream(), t:stream(), false)
  end)

  case("measure_a_span_within_another", "start_timer", function(t)
    local stream = t:stream()
    local around, within = two(t, stream, stream, false)
    t:yes(within < around, ("%.0f ns within %.0f ns"):format(within, around))
  end)

  case("measure_spans_that_overlap", "stop_timer", function(t)
    local stream = t:stream()
    two(t, stream, stream, true)
  end)

  case("measure_one_span_after_the_other", "nanoseconds", function(t)
    local stream, spans = t:stream(), {}
    for i = 1, 4 do
      spans[i] = begin(t, stream, t:timer())
      last(t, stream, i % 2 * 0.03)
      finish(t, stream, spans[i])
    end
    t:finish(stream)
    for i = 4, 1, -1 do
      measured(t, spans[i], "span " .. i)
    end
  end)
end

return function(case)
  single(case)
  several(case)
end
