-- A script for wrk. The argument after the URL is Lua that returns the requests. wrk calls `init` before the
-- load and `done` after it, so the script does not lower the rate unless there are several requests or all
-- answers must be checked. It prints the figures exactly; wrk itself rounds them to three digits.

local threads = {}

-- The latencies in `latency` are corrected for requests that could not be sent in time. Those of the requests
-- that were sent are computed back (`stats_correct` of wrk): of each latency above the interval between two
-- requests of a connection, wrk adds the latencies that are one, two, ... intervals shorter, as far as they
-- are above the interval.
local function sent_latencies(latency, interval)
  local has_ffi, ffi = pcall(require, 'ffi')
  if not has_ffi then return nil end
  -- count, limit, min, max, and the number of requests for each microsecond.
  local stats = ffi.cast('uint64_t **', latency)[0]
  local least, most = tonumber(stats[2]), tonumber(stats[3])
  if least ~= latency.min or most ~= latency.max then return nil end
  local function count(us) return us <= most and tonumber(stats[4 + us]) or 0 end
  return least, most, function(us)
    return us > interval and count(us) - count(us + interval) or count(us)
  end
end

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local load = loadstring(args[1])()
  wrk.method = load.requests[1].method
  wrk.body = load.requests[1].body
  connections = load.connections
  wrong = load.isChecked and 0 or nil
  if #load.requests > 1 or load.pipelining > 1 then
    local texts = {}
    for i, it in ipairs(load.requests) do
      texts[i] = wrk.format(it.method, it.path, it.headers, it.body)
    end
    local at = 0
    -- wrk sends what it returns at once.
    function request()
      local batch = {}
      for i = 1, load.pipelining do
        at = at % #texts + 1
        batch[i] = texts[at]
      end
      return table.concat(batch)
    end
  end
  if load.isChecked then
    function response(status, _, body)
      local isStatus = load.status and status == load.status or not load.status and status >= 200 and status < 300
      if not isStatus or load.answer and body ~= load.answer then
        wrong = wrong + 1
      end
    end
  end
end

function done(summary, latency)
  local e = summary.errors
  local non2xx = e.status
  if threads[1]:get('wrong') then
    non2xx = 0
    for _, thread in ipairs(threads) do
      non2xx = non2xx + thread:get('wrong')
    end
  end
  local connections = threads[1]:get('connections')
  io.write('\nbench-cli {"counts":[')
  local last, sum
  local function add(us, count)
    -- The steps of an HDR histogram with three digits: there can be too many different latencies to print.
    us = us - us % 2 ^ math.max(0, math.floor(math.log(math.max(1, us)) / math.log(2)) - 10)
    if us ~= last then
      if last then io.write(string.format('[%.0f,%.0f],', last, sum)) end
      last, sum = us, 0
    end
    sum = sum + count
  end
  local each = math.floor(summary.requests / connections)
  local interval = each > 0 and math.floor(summary.duration / each) or math.huge
  local least, most, count_of = sent_latencies(latency, interval)
  for us = least or 1, most or 0 do
    local count = count_of(us)
    if count > 0 then add(us, count) end
  end
  io.write(last and string.format('[%.0f,%.0f]', last, sum) or '')
  -- An error shows the end of the output.
  io.write(string.format('],"requests":%.0f,"durationSeconds":%.6f,"bytes":%.0f,',
    summary.requests, summary.duration / 1e6, summary.bytes))
  io.write(string.format('"connectErrors":%.0f,"readErrors":%.0f,"writeErrors":%.0f,"timeouts":%.0f,"non2xx":%.0f}\n',
    e.connect, e.read, e.write, e.timeout, non2xx))
end
