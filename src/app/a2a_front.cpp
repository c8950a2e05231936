#include "app/a2a_front.hpp"

#include <algorithm>
#include <utility>

#include "app/front_place.hpp"

namespace interline::app {

/// Read by every request, written by a reload.
class A2aFront::DefaultTools {
 public:
  void set(const Configuration& configuration) {
    std::unordered_map<std::string, std::string> fresh;
    for (const EndpointTable& endpoint : configuration.endpoints) {
      if (!endpoint.default_tool.empty()) fresh.emplace(endpoint.name, endpoint.default_tool);
    }
    const std::lock_guard lock(mutex_);
    tools_ = std::move(fresh);
  }
  [[nodiscard]] std::string of(std::string_view endpoint) const {
    const std::lock_guard lock(mutex_);
    const auto found = tools_.find(std::string(endpoint));
    return found == tools_.end() ? std::string() : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::string> tools_;
};

namespace {

// Beside the arguments, what a message has around them.
constexpr std::size_t kAround = 65'536;

protocols::a2a::server::Settings settings_of(const Configuration& configuration,
                                             std::string_view token_key) {
  constexpr std::string_view kPurpose = "interline:a2a:seal:1:";
  const A2aSection& section = configuration.a2a;
  protocols::a2a::server::Settings made;
  made.edition =
      section.old_edition ? protocols::a2a::Edition::v1_0_0 : protocols::a2a::Edition::v1_0_1;
  made.assume_version = section.assume_version;
  made.once = section.once;
  if (!configuration.gateway.title.empty()) made.title = configuration.gateway.title;
  made.version = INTERLINE_VERSION;
  made.default_agent = section.default_endpoint;
  const std::string_view shared = configuration.mcp.seal_key.reveal();
  if (!shared.empty()) made.seal_keys.push_back(derived_key(kPurpose, shared));
  made.seal_keys.push_back(derived_key(kPurpose, token_key));
  made.blocking_wait = section.blocking_wait;
  made.cancel_wait = section.cancel_wait;
  made.history = section.history;
  return made;
}

a2a::MediaType media_type_of(A2aMediaType type) {
  switch (type) {
    case A2aMediaType::json:
      return a2a::MediaType::json;
    case A2aMediaType::a2a_json:
      return a2a::MediaType::a2a_json;
    case A2aMediaType::negotiate:
      break;
  }
  return a2a::MediaType::negotiate;
}

a2a::Options options_of(const Configuration& configuration,
                        protocols::oauth::TokenAuthority* tokens) {
  a2a::Options made;
  made.media_type = media_type_of(configuration.a2a.media_type);
  made.web = web_options(configuration, tokens);
  made.body_limit =
      std::max(configuration.limits.arguments_bytes, configuration.limits.input_bytes) + kAround;
  return made;
}

}  // namespace

A2aFront::A2aFront(engine::Engine& engine, const Configuration& configuration,
                   std::string_view token_key, protocols::oauth::TokenAuthority* tokens,
                   const Clock& clock, Logger log)
    : engine_(engine),
      clock_(clock),
      log_(std::move(log)),
      default_tools_(std::make_shared<DefaultTools>()),
      options_(options_of(configuration, tokens)),
      server_(
          engine, clock,
          [&] {
            auto settings = settings_of(configuration, token_key);
            settings.default_tool = [tools = default_tools_](std::string_view endpoint) {
              return tools->of(endpoint);
            };
            return settings;
          }(),
          log_) {
  default_tools_->set(configuration);
}

void A2aFront::add_routes(net::http::Router& router, std::string_view address, bool secure) {
  options_.web.loopback = !secure && is_loopback(address);
  a2a::add_routes(router, engine_, server_, clock_, options_, log_);
}

void A2aFront::reload(const Configuration& configuration) {
  default_tools_->set(configuration);
}

}  // namespace interline::app
