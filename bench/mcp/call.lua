-- One tools/call after another for wrk; every answer is looked at. Arguments: NAME [TOKEN]
local wanted = '"text":"hello"'
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  wrong = 0
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Accept"] = "application/json, text/event-stream"
  wrk.headers["MCP-Protocol-Version"] = "2026-07-28"
  wrk.headers["Mcp-Method"] = "tools/call"
  wrk.headers["Mcp-Name"] = arguments[1]
  if arguments[2] then wrk.headers["Authorization"] = "Bearer " .. arguments[2] end
  wrk.body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"' .. arguments[1] ..
    '","arguments":{"text":"hello"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' ..
    '"io.modelcontextprotocol/clientCapabilities":{},' ..
    '"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}}}'
end

function response(status, headers, body)
  if status ~= 200 or not string.find(body, wanted, 1, true) then wrong = wrong + 1 end
end

function done(summary, latency, requests)
  local wrong = 0
  for _, thread in ipairs(threads) do wrong = wrong + thread:get("wrong") end
  local errors = summary.errors
  wrong = wrong + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"calls": %d, "seconds": %f, "p50": %f, "p99": %f, "wrong": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, wrong))
end
