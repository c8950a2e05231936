// Where an endpoint's tools come from: a manifest file, a file of tools, or its runtime.
#pragma once

#include "app/importer.hpp"
#include "net/asio.hpp"

namespace interline::app {

/// The endpoint's manifest as its table says. The arguments outlive the call. Errors: unavailable
/// where the runtime did not answer; else what is wrong with the file or the tools.
[[nodiscard]] net::awaitable<Result<Imported>> import_endpoint(const EndpointTable& endpoint,
                                                               engine::Runtime& runtime,
                                                               const ImportSettings& settings);

}  // namespace interline::app
