#include "app/runtime_factory.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "app/xmpp_agents.hpp"
#include "app/xmpp_link.hpp"
#include "bindings/xmpp/jid.hpp"
#include "net/egress.hpp"
#include "net/tls_context.hpp"
#include "runtimes/builtin/builtin_runtime.hpp"
#include "runtimes/exec/exec_runtime.hpp"
#include "runtimes/mcp/mcp_runtime.hpp"
#include "runtimes/script/script_runtime.hpp"
#include "runtimes/xmpp/xmpp_runtime.hpp"

namespace interline::app {
namespace {

using Made = std::shared_ptr<engine::Runtime>;

net::Program program_of(const EndpointTable& endpoint, const RuntimeServices& services) {
  net::Program program;
  program.command = endpoint.runtime.command;
  program.directory = services.directory.string();
  program.environment = endpoint.runtime.environment;
  const auto& more = endpoint.runtime.inherit;
  program.inherit.insert(program.inherit.end(), more.begin(), more.end());
  return program;
}

Made make_builtin(const EndpointTable&, const RuntimeServices& services) {
  return std::make_shared<runtimes::builtin::BuiltinRuntime>(services.executor);
}

runtimes::ProcessConfiguration processes_of(const EndpointTable& endpoint,
                                            const RuntimeServices& services) {
  runtimes::ProcessConfiguration configuration;
  configuration.program = program_of(endpoint, services);
  configuration.processes = endpoint.processes;
  configuration.concurrency = endpoint.concurrency;
  configuration.cold_start = endpoint.cold_start;
  if (services.processes) configuration.counters = services.processes;
  return configuration;
}

Made make_exec(const EndpointTable& endpoint, const RuntimeServices& services) {
  return std::make_shared<runtimes::exec::ExecRuntime>(
      services.executor, processes_of(endpoint, services), services.log);
}

std::string secret_of(const OAuthTable& oauth, const Logger& log) {
  if (oauth.client_secret_file.empty()) return std::string(oauth.client_secret.reveal());
  auto read = read_secret_file(oauth.client_secret_file);
  if (read) return std::string(read->reveal());
  log.error("a client's secret cannot be read", {{"error", read.error()}});
  return {};
}

runtimes::mcp::HttpConfiguration server_at(const EndpointTable& endpoint,
                                           const RuntimeServices& services) {
  runtimes::mcp::HttpConfiguration configuration;
  configuration.url = endpoint.runtime.url;
  configuration.headers = endpoint.runtime.headers;
  if (!endpoint.runtime.token_file.empty()) {
    configuration.authorizer =
        std::make_shared<runtimes::mcp::TokenFile>(endpoint.runtime.token_file);
  }
  const OAuthTable& oauth = endpoint.runtime.oauth;
  if (oauth.wanted) {
    auto& wanted = configuration.oauth.emplace();
    wanted.server_url = endpoint.runtime.url;
    wanted.client.id = oauth.client_id;
    wanted.client.secret = secret_of(oauth, services.log);
    wanted.client_issuer = oauth.issuer;
    wanted.scope = oauth.scope;
    wanted.endpoint = endpoint.name;
    if (oauth.browser) wanted.kept = services.tokens / (endpoint.name + ".json");
  }
  configuration.limits.silence = endpoint.runtime.idle_timeout;
  if (!services.allow_private) configuration.client.connect.guard = net::public_addresses_only();
  // A call has a connection of its own as long as it runs; the rest asks about tasks and listens.
  configuration.client.max_connections_per_origin = endpoint.concurrency + 32;
  auto tls = net::TlsContext::client({});
  if (tls) {
    configuration.client.tls = *std::move(tls);
  } else {
    services.log.error("TLS cannot be set up", {{"error", tls.error()}});
  }
  return configuration;
}

Made make_mcp(const EndpointTable& endpoint, const RuntimeServices& services) {
  runtimes::mcp::McpConfiguration configuration;
  if (!endpoint.runtime.url.empty()) configuration.http = server_at(endpoint, services);
  configuration.process = processes_of(endpoint, services);
  return std::make_shared<runtimes::mcp::McpRuntime>(services.executor, std::move(configuration),
                                                     services.log);
}

Made make_asking(const EndpointTable& endpoint, const RuntimeServices& services, Consent consent) {
  runtimes::mcp::McpConfiguration configuration;
  configuration.http = server_at(endpoint, services);
  configuration.http->oauth->redirect_uri = std::move(consent.redirect_uri);
  configuration.http->oauth->browser = std::move(consent.browser);
  return std::make_shared<runtimes::mcp::McpRuntime>(services.executor, std::move(configuration),
                                                     services.log);
}

Made make_script(const EndpointTable& endpoint, const RuntimeServices& services) {
  return std::make_shared<runtimes::script::ScriptRuntime>(services.executor,
                                                           endpoint.runtime.file);
}

Made make_xmpp(const EndpointTable& endpoint, const RuntimeServices& services) {
  auto agent = xmpp::parse_endpoint_jid(endpoint.runtime.jid);  // checked with the configuration
  const auto agents = services.agents ? services.agents : std::make_shared<XmppAgents>();
  return std::make_shared<runtimes::xmpp::XmppRuntime>(
      services.executor, agents->link(endpoint.name, *std::move(agent)),
      std::make_shared<SystemClock>(), services.log);
}

struct MakerRow {
  RuntimeKind kind;
  Made (*make)(const EndpointTable&, const RuntimeServices&);
  bool processes;
};
constexpr std::array kMakers = {
    MakerRow{RuntimeKind::builtin, make_builtin, false},
    MakerRow{RuntimeKind::exec, make_exec, true},
    MakerRow{RuntimeKind::mcp, make_mcp, true},
    MakerRow{RuntimeKind::script, make_script, false},
    MakerRow{RuntimeKind::xmpp, make_xmpp, false},
};

const MakerRow* find_maker(RuntimeKind kind) {
  const auto row = std::ranges::find(kMakers, kind, &MakerRow::kind);
  return row == kMakers.end() ? nullptr : &*row;
}

}  // namespace

bool has_runtime(RuntimeKind kind) {
  return find_maker(kind) != nullptr;
}

bool has_processes(RuntimeKind kind) {
  const MakerRow* row = find_maker(kind);
  return row != nullptr && row->processes;
}

std::shared_ptr<engine::Runtime> make_asking_runtime(const EndpointTable& endpoint,
                                                     const RuntimeServices& services,
                                                     Consent consent) {
  return make_asking(endpoint, services, std::move(consent));
}

std::filesystem::path tokens_folder(const std::filesystem::path& data_dir) {
  return data_dir / "oauth";
}

std::shared_ptr<engine::Runtime> make_runtime(const EndpointTable& endpoint,
                                              const RuntimeServices& services) {
  return find_maker(endpoint.runtime.kind)->make(endpoint, services);
}

}  // namespace interline::app
