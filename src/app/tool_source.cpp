#include "app/tool_source.hpp"

#include <utility>

namespace interline::app {

net::awaitable<Result<Imported>> import_endpoint(const EndpointTable& endpoint,
                                                 engine::Runtime& runtime, std::string_view domain,
                                                 const catalog::ManifestLimits& limits) {
  if (!endpoint.manifest.empty()) {
    co_return read_manifest_file(endpoint.manifest, endpoint.name, domain, limits);
  }
  Result<engine::ImportedTools> tools = fail(ErrorKind::internal, "");
  if (!endpoint.tools.empty()) {
    tools = read_tools_file(endpoint.tools);
  } else {
    tools = co_await runtime.list_tools();
  }
  if (!tools) co_return std::unexpected(std::move(tools.error()));
  co_return import_tools(endpoint, *tools, runtime.features(), domain, limits);
}

}  // namespace interline::app
