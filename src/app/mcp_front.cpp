#include "app/mcp_front.hpp"

#include <algorithm>
#include <utility>

#include "app/front_place.hpp"
#include "protocols/mcp/params.hpp"

namespace interline::app {
namespace {

// Beside the arguments, what a message has around them.
constexpr std::size_t kAround = 65'536;

constexpr std::string_view kPurpose = "interline:mcp:seal:1:";

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
  if (!shared.empty()) made.seal_keys.push_back(derived_key(kPurpose, shared));
  made.seal_keys.push_back(derived_key(kPurpose, token_key));
  made.page = section.page;
  made.lists.ttl_ms = static_cast<std::uint64_t>(section.lists_ttl.count());
  made.task_grace = section.task_grace;
  made.poll_interval = section.poll_interval;
  made.state_life = std::chrono::duration_cast<std::chrono::seconds>(section.state_life);
  made.max_rounds = static_cast<std::uint32_t>(section.max_rounds);
  made.max_listens = section.subscriptions;
  return made;
}

mcp::Options options_of(const Configuration& configuration,
                        protocols::oauth::TokenAuthority* tokens) {
  mcp::Options made;
  made.legacy = configuration.mcp.legacy;
  made.sessions = configuration.mcp.sessions;
  made.web = web_options(configuration, tokens);
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

}  // namespace

McpFront::McpFront(engine::Engine& engine, const Configuration& configuration,
                   std::string_view token_key, protocols::oauth::TokenAuthority* tokens,
                   const Clock& clock, Logger log)
    : engine_(engine),
      clock_(clock),
      log_(std::move(log)),
      options_(options_of(configuration, tokens)),
      server_(engine, clock, settings_of(configuration, token_key), log_),
      lines_(server_, line_options_of(options_)) {}

void McpFront::add_routes(net::http::Router& router, const net::Executor& executor,
                          std::string_view address, bool secure) {
  options_.web.loopback = !secure && is_loopback(address);
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
