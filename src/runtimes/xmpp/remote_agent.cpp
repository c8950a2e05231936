#include "runtimes/xmpp/remote_agent.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "json/parse.hpp"
#include "runtimes/xmpp/call_memory.hpp"
#include "runtimes/xmpp/faults.hpp"

namespace interline::runtimes::xmpp {

namespace asio = boost::asio;
using namespace protocols::xmpp;
using engine::awaitable;

namespace {

std::string text_of(const json::Value* object, std::string_view name) {
  const json::Value* value =
      object != nullptr && object->is_object() ? object->find(name) : nullptr;
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

Result<engine::ImportedTools> tools_of(const ManifestText& manifest, bool input) {
  const auto document = json::parse_borrowed(manifest.text);
  const json::Value* tools =
      document && document->root().is_object() ? document->root().find("tools") : nullptr;
  if (tools == nullptr || !tools->is_array()) {
    return fail(ErrorKind::unavailable, "The remote agent's manifest has no tools.");
  }
  engine::ImportedTools imported;
  for (const json::Value& tool : tools->items()) {
    imported.definitions.push_back(with_pins(tool.source(), manifest.pins));
    const json::Value* extension = tool.is_object() ? tool.find("urn:xmpp:agent-api:0") : nullptr;
    const json::Value* asks =
        extension != nullptr && extension->is_object() ? extension->find("supportsInput") : nullptr;
    if (input && asks != nullptr && asks->is_boolean() && asks->as_bool()) {
      imported.losses.emplace_back(
          text_of(&tool, "name"), "",
          "what it asks can be answered, or the call cancelled: over XMPP nothing is declined");
    }
  }
  const json::Value* implementation = document->root().find("implementation");
  imported.server_name = text_of(implementation, "name");
  imported.server_version = text_of(implementation, "version");
  imported.mcp_protocol_version = text_of(&document->root(), "mcpProtocolVersion");
  return imported;
}

Error unavailable(const Fault& fault) {
  return {ErrorKind::unavailable, said_of(fault)};
}

}  // namespace

RemoteAgent::RemoteAgent(const net::Executor& executor, std::unique_ptr<Link> link,
                         AgentLimits limits, Logger log)
    : strand_(net::new_strand(executor)),
      link_(std::move(link)),
      limits_(limits),
      log_(std::move(log)),
      nap_(strand_) {}

void RemoteAgent::open() {
  auto ears = std::make_shared<LinkEars>();
  ears->on_event = [weak = weak_from_this()](Event event) {
    const auto self = weak.lock();
    if (!self) return;
    asio::post(self->strand_,
               [self, event = std::move(event)]() mutable { self->take(std::move(event)); });
  };
  ears->on_ready = [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self) asio::post(self->strand_, [self] { self->ready(); });
  };
  link_->listen(std::move(ears));
  auto work = [](std::shared_ptr<RemoteAgent> self) -> awaitable<void> { co_await self->watch(); };
  asio::co_spawn(strand_, work(shared_from_this()), asio::detached);
}

void RemoteAgent::close() {
  asio::post(strand_, [self = shared_from_this()] {
    self->closed_ = true;
    self->nap_.cancel();
  });
}

// --- what it is ---------------------------------------------------------------------------------

awaitable<Answered<AgentAnswer>> RemoteAgent::ask(AgentRequest request) {
  auto answer = co_await link_->ask(std::move(request));
  if (answer) reachable_ = true;
  if (!answer && passes(answer.error())) reachable_ = false;
  co_return answer;
}

awaitable<Answered<EndpointInfo>> RemoteAgent::meet() {
  AskEndpoint asked;
  auto answer = co_await ask(asked);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  auto* info = std::get_if<EndpointInfo>(&*answer);
  if (info == nullptr || !info->tasks || !info->manifests) {
    co_return std::unexpected(Fault(Fault::Kind::unreadable));
  }
  const std::lock_guard lock(mutex_);
  info_ = *info;
  co_return std::move(*info);
}

/// Checklist 67: what was found under one version and hash is what is taken over.
awaitable<Result<engine::ImportedTools>> RemoteAgent::list_tools() {
  const auto info = co_await meet();
  if (!info) co_return std::unexpected(unavailable(info.error()));
  AskManifest asked{info->pins.version};
  auto answer = co_await ask(std::move(asked));
  if (!answer) co_return std::unexpected(unavailable(answer.error()));
  const auto* manifest = std::get_if<ManifestText>(&*answer);
  if (manifest == nullptr || manifest->pins != info->pins) {
    co_return fail(ErrorKind::unavailable,
                   "The remote agent's manifest is not the one that it says is active.");
  }
  auto tools = tools_of(*manifest, info->input);
  if (tools) {
    const std::lock_guard lock(mutex_);
    imported_ = manifest->pins;
  }
  co_return tools;
}

std::optional<std::chrono::seconds> RemoteAgent::replay() const {
  const std::lock_guard lock(mutex_);
  if (!info_) return std::nullopt;
  return info_->replay;
}

engine::RuntimeFeatures RemoteAgent::features() const {
  engine::RuntimeFeatures features;
  features.resumable = true;
  const std::lock_guard lock(mutex_);
  features.progress = !info_ || info_->progress;
  features.cancel = !info_ || info_->cancel;
  features.input = !info_ || info_->input;
  return features;
}

// --- other versions -----------------------------------------------------------------------------

void RemoteAgent::on_change(std::function<void(const engine::AgentChange&)> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

void RemoteAgent::suspect() {
  nap_.cancel();
}

awaitable<void> RemoteAgent::watch() {
  std::optional<Pins> told;
  while (!closed_) {
    nap_.expires_after(limits_.look_every);
    co_await nap_.async_wait(net::use_tuple);
    std::optional<Pins> known;
    {
      const std::lock_guard lock(mutex_);
      known = imported_;
    }
    if (closed_ || !known || !link_->ready()) continue;
    const auto info = co_await meet();
    if (!info || told == info->pins) continue;
    told = info->pins;
    if (info->pins == *known) continue;
    log_.info("a remote agent has another version", {{"version", info->pins.version}});
    std::function<void(const engine::AgentChange&)> listener;
    {
      const std::lock_guard lock(mutex_);
      listener = listener_;
    }
    if (listener) listener(engine::AgentChange());
  }
}

// --- what is heard ------------------------------------------------------------------------------

void RemoteAgent::take(Event event) {
  if (const auto hearer = hearers_.find(event.task); hearer != hearers_.end()) {
    const Hearer hear = hearer->second;
    return hear(event);
  }
  if (expecting_ == 0) {
    log_.debug("an event of a task that no call waits for was ignored", {});
    return;
  }
  early_.push_back(std::move(event));
  if (early_.size() > limits_.early_events) early_.pop_front();
}

void RemoteAgent::hear(const std::string& task, Hearer hearer) {
  hearers_.erase(task);
  if (!hearer) return;
  hearers_.emplace(task, hearer);
  std::deque<Event> others;
  for (Event& event : std::exchange(early_, {})) {
    if (event.task == task) {
      hearer(event);
    } else {
      others.push_back(std::move(event));
    }
  }
  early_ = std::move(others);
}

void RemoteAgent::expect_no_more() {
  if (--expecting_ == 0) early_.clear();
}

void RemoteAgent::on_ready(std::weak_ptr<void> owner, std::function<void()> wake) {
  std::erase_if(sleepers_, [](const auto& sleeper) { return sleeper.first.expired(); });
  sleepers_.emplace_back(std::move(owner), std::move(wake));
}

void RemoteAgent::ready() {
  nap_.cancel();
  for (const auto& [owner, wake] : sleepers_) {
    if (const auto alive = owner.lock()) wake();
  }
}

}  // namespace interline::runtimes::xmpp
