-- Routes to other servers by address and port: static_s2s_routes = { ["remote.test"] = { "127.0.0.2", 15269 } }
module:set_global();
local service = require "net.resolvers.service";
local manual = require "net.resolvers.manual";
local routes = module:get_option("static_s2s_routes", {});
local original = service.new;

service.new = function (host, name, proto, extra)
  local route = routes[host];
  if route and name == "xmpps-server" then return manual.new({}, proto, extra); end
  if route then return manual.new({ { "tcp4", route[1], route[2], extra } }, proto, extra); end
  return original(host, name, proto, extra);
end

function module.unload() service.new = original; end
