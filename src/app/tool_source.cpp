#include "app/tool_source.hpp"

#include <utility>

namespace interline::app {
namespace {

net::awaitable<Result<Imported>> import_as_written(const EndpointTable& endpoint,
                                                   engine::Runtime& runtime,
                                                   const ImportSettings& settings) {
  if (!endpoint.manifest.empty()) {
    co_return read_manifest_file(endpoint.manifest, endpoint.name, settings.domain,
                                 settings.limits);
  }
  Result<engine::ImportedTools> tools = fail(ErrorKind::internal, "");
  if (!endpoint.tools.empty()) {
    tools = read_tools_file(endpoint.tools);
  } else {
    tools = co_await runtime.list_tools();
  }
  if (!tools) co_return std::unexpected(std::move(tools.error()));
  co_return import_tools(endpoint, *tools, runtime.features(), settings.domain, settings.limits);
}

}  // namespace

net::awaitable<Result<Imported>> import_endpoint(const EndpointTable& endpoint,
                                                 engine::Runtime& runtime,
                                                 const ImportSettings& settings) {
  auto imported = co_await import_as_written(endpoint, runtime, settings);
  if (imported) report_names(*imported, endpoint.name);
  if (imported && settings.stanza_out) report_misfits(*imported, *settings.stanza_out);
  co_return imported;
}

}  // namespace interline::app
