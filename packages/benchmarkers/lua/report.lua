-- A script for wrk. The argument after the URL is Lua that returns what to send. wrk calls `init` before the load and `done`
-- after it, so the script does not lower the rate unless there are several requests or all answers must be checked. It prints the
-- figures exactly; wrk itself rounds them to three digits.

local threads = {}

-- Takes a fraction of a second.
local most_steps = 2e8
local percentiles = {}
for half = 1, 199 do table.insert(percentiles, half / 2) end
for _, percentile in ipairs({ 99.6, 99.7, 99.8, 99.9, 99.95, 99.99, 100 }) do table.insert(percentiles, percentile) end

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local load = loadstring(args[1])()
  wrk.method = load.requests[1].method
  wrk.body = load.requests[1].body
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
  -- For each latency and each percentile, wrk goes through all microseconds up to it.
  if #latency * (latency.max - latency.min) <= most_steps then
    for i = 1, #latency do add(latency(i)) end
  else
    local counted = 0
    for _, percentile in ipairs(percentiles) do
      -- Rounded up, as where percentiles are read from these counts.
      local rank = math.ceil(percentile / 100 * summary.requests)
      if rank > counted then
        add(percentile < 100 and latency:percentile(percentile) or latency.max, rank - counted)
        counted = rank
      end
    end
  end
  io.write(last and string.format('[%.0f,%.0f]', last, sum) or '')
  -- An error shows the end of the output.
  io.write(string.format('],"requests":%.0f,"durationSeconds":%.6f,"bytes":%.0f,',
    summary.requests, summary.duration / 1e6, summary.bytes))
  io.write(string.format('"connectErrors":%.0f,"readErrors":%.0f,"writeErrors":%.0f,"timeouts":%.0f,"non2xx":%.0f}\n',
    e.connect, e.read, e.write, e.timeout, non2xx))
end
