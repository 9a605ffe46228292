-- A script for wrk. The arguments after the URL are the method and, optionally, the file with the body. wrk calls `init`
-- before the load and `done` after it, so the script does not lower the rate. It prints the figures exactly; wrk itself
-- rounds them to three digits.

function init(args)
  wrk.method = args[1]
  if args[2] then
    local file = assert(io.open(args[2], 'rb'))
    wrk.body = file:read('*a')
    file:close()
  end
end

function done(summary, latency)
  local function ms(us)
    return string.format('%.6f', us == us and us / 1e3 or 0)
  end
  local e = summary.errors
  io.write('\nbench-cli ', string.format('{"requests":%.0f,"durationSeconds":%.6f,"bytes":%.0f,',
    summary.requests, summary.duration / 1e6, summary.bytes))
  io.write(string.format('"connectErrors":%.0f,"readErrors":%.0f,"writeErrors":%.0f,"timeouts":%.0f,"non2xx":%.0f,',
    e.connect, e.read, e.write, e.timeout, e.status))
  io.write('"latency":{"meanMs":', ms(latency.mean), ',"stdevMs":', ms(latency.stdev), ',"maxMs":', ms(latency.max))
  for name, p in pairs({ p50Ms = 50, p75Ms = 75, p90Ms = 90, p99Ms = 99, p999Ms = 99.9 }) do
    io.write(',"', name, '":', ms(latency:percentile(p)))
  end
  io.write('}}\n')
end
