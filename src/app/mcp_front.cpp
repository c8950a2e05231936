#include "app/mcp_front.hpp"

#include <algorithm>
#include <utility>

#include "base/sha256.hpp"
#include "protocols/mcp/params.hpp"

namespace interline::app {
namespace {

// Beside the arguments, what a message has around them.
constexpr std::size_t kAround = 65'536;

/// A key of its own for what clients carry, so that no token of another kind opens as one.
Secret seal_key(std::string_view token_key) {
  const Digest digest = sha256(std::string("interline:mcp:seal:1:").append(token_key));
  return Secret({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

protocols::mcp::server::Settings settings_of(const Configuration& configuration,
                                             std::string_view token_key) {
  const McpSection& section = configuration.mcp;
  protocols::mcp::server::Settings made;
  made.self.name = "interline";
  made.self.title = configuration.gateway.title;
  made.self.version = INTERLINE_VERSION;
  made.instructions = section.instructions;
  // What was sealed before a shared key was configured is still taken.
  const std::string_view shared = section.seal_key.reveal();
  if (!shared.empty()) made.seal_keys.push_back(seal_key(shared));
  made.seal_keys.push_back(seal_key(token_key));
  made.page = section.page;
  made.lists.ttl_ms = static_cast<std::uint64_t>(section.lists_ttl.count());
  made.task_grace = section.task_grace;
  made.poll_interval = section.poll_interval;
  made.state_life = std::chrono::duration_cast<std::chrono::seconds>(section.state_life);
  made.max_rounds = static_cast<std::uint32_t>(section.max_rounds);
  made.max_listens = section.subscriptions;
  return made;
}

/// "https://gateway.example:8443/x" -> "gateway.example"
std::string host_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find('/'));
  const auto bracket = rest.rfind(']');
  const auto colon = rest.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return std::string(rest.substr(0, has_port ? colon : rest.size()));
}

mcp::Options options_of(const Configuration& configuration) {
  mcp::Options made;
  made.legacy = configuration.mcp.legacy;
  made.sessions = configuration.mcp.sessions;
  made.allowed_origins = configuration.http.allowed_origins;
  made.allowed_hosts = configuration.mcp.allowed_hosts;
  if (std::string host = host_of(configuration.http.public_url); !host.empty()) {
    made.allowed_hosts.push_back(std::move(host));
  }
  made.body_limit =
      std::max(configuration.limits.arguments_bytes, configuration.limits.input_bytes) + kAround +
      protocols::mcp::kMaxRequestState;
  return made;
}

mcp::LineOptions line_options_of(const mcp::Options& options) {
  mcp::LineOptions made;
  made.legacy = options.legacy;
  made.line_limit = options.body_limit;
  return made;
}

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address.starts_with("[::1]") ||
         address.starts_with("localhost:");
}

}  // namespace

McpFront::McpFront(engine::Engine& engine, const Configuration& configuration,
                   std::string_view token_key, protocols::oauth::TokenAuthority* tokens,
                   const Clock& clock, Logger log)
    : engine_(engine),
      clock_(clock),
      log_(std::move(log)),
      options_(options_of(configuration)),
      server_(engine, clock, settings_of(configuration, token_key), log_),
      lines_(server_, line_options_of(options_)) {
  options_.tokens = tokens;
  options_.public_url = configuration.http.public_url;
}

void McpFront::add_routes(net::http::Router& router, const net::Executor& executor,
                          std::string_view address, bool secure) {
  options_.loopback = !secure && is_loopback(address);
  binding_ = mcp::add_routes(router, executor, engine_, server_, clock_, options_, log_);
}

control::McpLines McpFront::lines() {
  control::McpLines lines;
  lines.check = [this](policy::Principal who,
                       std::string endpoint) -> engine::awaitable<Result<void>> {
    const auto offered = co_await server_.offered(std::move(who), std::move(endpoint));
    if (!offered) co_return std::unexpected(offered.error());
    co_return Result<void>();
  };
  lines.serve = [this](net::Stream& stream, policy::Principal who, std::string endpoint) {
    return lines_.serve(stream, std::move(who), std::move(endpoint));
  };
  return lines;
}

void McpFront::end_streams() {
  server_.end_subscriptions();
  if (binding_) binding_->end_streams();
  lines_.end();
}

}  // namespace interline::app
