-- Script for wrk. The first argument is a file with one path per line; wrk requests these in turn. The second is a file
-- with one body per line; an answer with any other body is wrong. Without arguments wrk requests its URL only.
-- The last line of the output is JSON.

wrong = 0
sample = ''

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  if args[1] == nil then return end
  local requests = {}
  for path in io.lines(args[1]) do
    table.insert(requests, wrk.format(nil, path))
  end
  local at = 0
  request = function()
    at = at % #requests + 1
    return requests[at]
  end
  if args[2] == nil then return end
  local expected = {}
  for body in io.lines(args[2]) do
    expected[body] = true
  end
  response = function(status, headers, body)
    if status ~= 200 or not expected[body] then
      wrong = wrong + 1
      sample = status .. ' ' .. body:sub(1, 200)
    end
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  local wrongs, samples = 0, ''
  for _, thread in ipairs(threads) do
    wrongs = wrongs + thread:get('wrong')
    samples = samples .. thread:get('sample')
  end
  io.write(string.format(
    '\n{"micros":%d,"requests":%d,"bytes":%.0f,"errors":%d,"wrong":%d,"sample":"%s",' ..
      '"p50":%.3f,"p99":%.3f,"p999":%.3f}\n',
    summary.duration,
    summary.requests,
    summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    wrongs,
    samples:gsub('[^%w .:,_-]', ' '),
    latency:percentile(50) / 1000,
    latency:percentile(99) / 1000,
    latency:percentile(99.9) / 1000
  ))
end
