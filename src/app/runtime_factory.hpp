// What does an endpoint's work, made from its `runtime = { kind = ... }`. A new kind is a row in
// the table of runtime_factory.cpp.
#pragma once

#include <filesystem>
#include <memory>

#include "app/configuration.hpp"
#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "net/asio.hpp"
#include "runtimes/mcp/oauth_authorizer.hpp"
#include "runtimes/process_configuration.hpp"

namespace interline::app {

class XmppAgents;

/// What every runtime is given beside its table.
struct RuntimeServices {
  RuntimeServices(net::Executor runs_on, std::filesystem::path runs_in, Logger logs_to)
      : executor(std::move(runs_on)), directory(std::move(runs_in)), log(std::move(logs_to)) {}

  net::Executor executor;
  std::filesystem::path directory;  ///< of the configuration: commands run there
  Logger log;
  bool allow_private = false;                            ///< [egress]
  std::filesystem::path tokens;                          ///< folder of operators' consents
  std::shared_ptr<XmppAgents> agents;                    ///< of other gateways
  std::shared_ptr<runtimes::ProcessCounters> processes;  ///< what a runtime that has some counts in
};

/// Whether this version has such a runtime.
[[nodiscard]] bool has_runtime(RuntimeKind kind);
/// Whether it has processes of its own.
[[nodiscard]] bool has_processes(RuntimeKind kind);
/// How an operator is asked for consent: where the browser comes back to, and who shows it the URL.
struct Consent {
  std::string redirect_uri;
  runtimes::mcp::Browser browser;
};
/// Of a server at a URL, whose `oauth` has `browser`. Asks as soon as the server wants it; the
/// tokens are kept for the gateway.
[[nodiscard]] std::shared_ptr<engine::Runtime> make_asking_runtime(const EndpointTable& endpoint,
                                                                   const RuntimeServices& services,
                                                                   Consent consent);
/// In data_dir.
[[nodiscard]] std::filesystem::path tokens_folder(const std::filesystem::path& data_dir);

/// Nothing is started yet. The kind is one that has_runtime().
[[nodiscard]] std::shared_ptr<engine::Runtime> make_runtime(const EndpointTable& endpoint,
                                                            const RuntimeServices& services);

}  // namespace interline::app
