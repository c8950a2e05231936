#include "runtimes/mcp/server_state.hpp"

#include "protocols/mcp/notifications.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace notification = protocols::mcp::notification;
using engine::ChangeKind;
using engine::ConsultationKind;
using protocols::mcp::Features;

struct OfferRow {
  bool Features::*feature;
  ConsultationKind kind;
};
constexpr OfferRow kOffers[] = {
    {&Features::prompts, ConsultationKind::list_prompts},
    {&Features::prompts, ConsultationKind::get_prompt},
    {&Features::resources, ConsultationKind::list_resources},
    {&Features::resources, ConsultationKind::list_resource_templates},
    {&Features::resources, ConsultationKind::read_resource},
    {&Features::completions, ConsultationKind::complete},
};

struct ChangeRow {
  std::string_view method;
  ChangeKind kind;
};
constexpr ChangeRow kChanges[] = {
    {notification::kToolsChanged, ChangeKind::tools},
    {notification::kPromptsChanged, ChangeKind::prompts},
    {notification::kResourcesChanged, ChangeKind::resources},
    {notification::kResourceUpdated, ChangeKind::resource},
};

}  // namespace

void ServerState::learned(const protocols::mcp::ServerHello& hello) {
  const std::lock_guard lock(mutex_);
  hello_ = hello;
}

std::optional<protocols::mcp::ServerHello> ServerState::hello() const {
  const std::lock_guard lock(mutex_);
  return hello_;
}

engine::Offers ServerState::offers() const {
  const std::lock_guard lock(mutex_);
  engine::Offers offers;
  if (!hello_) return offers;
  for (const OfferRow& row : kOffers) {
    if (hello_->features.*row.feature) offers.add(row.kind);
  }
  return offers;
}

void ServerState::listen(Listener listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

void ServerState::changed(const engine::AgentChange& change) const {
  Listener listener;
  {
    const std::lock_guard lock(mutex_);
    listener = listener_;
  }
  if (listener) listener(change);
}

void ServerState::told(std::string_view method, std::string_view uri) const {
  for (const ChangeRow& row : kChanges) {
    if (row.method == method) changed({row.kind, std::string(uri)});
  }
}

bool ServerState::follow(const std::string& uri, bool wanted) {
  const std::lock_guard lock(mutex_);
  const auto found = followed_.find(uri);
  if (wanted) {
    const bool first = found == followed_.end();
    followed_.insert(uri);
    return first;
  }
  if (found == followed_.end()) return false;
  followed_.erase(found);
  return !followed_.contains(uri);
}

std::vector<std::string> ServerState::followed() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> uris;
  for (auto one = followed_.begin(); one != followed_.end(); one = followed_.upper_bound(*one)) {
    uris.push_back(*one);
  }
  return uris;
}

}  // namespace interline::runtimes::mcp
