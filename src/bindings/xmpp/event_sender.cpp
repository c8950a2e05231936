#include "bindings/xmpp/event_sender.hpp"

#include <utility>

#include "bindings/xmpp/event_projection.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

struct Sending {
  explicit Sending(bool& flag) : flag_(flag) { flag_ = true; }
  ~Sending() { flag_ = false; }
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

 private:
  bool& flag_;
};

}  // namespace

EventSender::EventSender(engine::Engine& engine, Component& component, Logger log,
                         EventSenderLimits limits)
    : engine_(engine),
      component_(component),
      log_(std::move(log)),
      limits_(limits),
      routes_(limits.routes) {}

std::string EventSender::invocation_key(std::string_view owner, std::string_view endpoint,
                                        std::string_view request_id) {
  // None of the three can have a line feed.
  return std::string(owner).append("\n").append(endpoint).append("\n").append(request_id);
}

void EventSender::begin_invocation(const std::string& key) {
  ++invocations_[key].under_way;
}

void EventSender::end_invocation(const std::string& key) {
  const auto found = invocations_.find(key);
  if (found == invocations_.end() || --found->second.under_way > 0) return;
  for (Waiting& event : found->second.events) enqueue(std::move(event));
  invocations_.erase(found);
}

void EventSender::set_route(const std::string& task, const std::string& full_jid) {
  routes_.put(task, full_jid);
  lost_.erase(full_jid);
}

void EventSender::lose_route(const std::string& full_jid) {
  if (lost_.size() >= limits_.lost) lost_.clear();
  lost_.insert(full_jid);
}

void EventSender::bounced(std::string_view stanza_id, std::string_view from) {
  const auto found = sent_.find(std::string(stanza_id));
  if (found == sent_.end()) return;
  const auto sender = Jid::parse(from);
  const auto addressee = Jid::parse(found->second);
  if (!sender || !addressee || sender->text() != addressee->text()) return;
  if (!addressee->is_bare()) lose_route(addressee->text());
}

void EventSender::committed(const tasks::Task& task, const tasks::LogEntry& entry) {
  const tasks::Admission& admission = *task.admission;
  Waiting event{task.id(), admission.endpoint,
                std::string(policy::Principal(admission.owner).name()), entry};
  if (!admission.request_key.empty()) {
    const auto invocation = invocations_.find(
        invocation_key(admission.owner, admission.endpoint, admission.request_key));
    if (invocation != invocations_.end()) {
      invocation->second.events.push_back(std::move(event));
      return;
    }
  }
  enqueue(std::move(event));
}

void EventSender::enqueue(Waiting event) {
  waiting_bytes_ += event.entry.body.size();
  waiting_.push_back(std::move(event));
  std::size_t dropped = 0;
  while (waiting_bytes_ > limits_.waiting_bytes && waiting_.size() > 1) {
    waiting_bytes_ -= waiting_.front().entry.body.size();
    waiting_.pop_front();
    ++dropped;
  }
  if (dropped > 0)
    log_.warning("events were dropped; their tasks can be asked for", {{"count", dropped}});
}

bool EventSender::has_work() const {
  return !sending_ && !waiting_.empty() && component_.ready();
}

net::awaitable<std::string> EventSender::route_of(const Waiting& event) {
  std::string route;
  if (auto cached = routes_.find(event.task)) {
    route = *std::move(cached);
  } else {
    engine::RecordKey key;
    key.binding = kBinding;
    key.kind = kRouteKind;
    key.key = event.task;
    const auto record = co_await engine_.record(std::move(key));
    route = record && *record ? (*record)->bytes : event.owner;
    if (!routes_.find(event.task)) routes_.put(event.task, route);
  }
  co_return lost_.contains(route) ? event.owner : route;
}

net::awaitable<void> EventSender::send_waiting() {
  if (!has_work()) co_return;
  const Sending sending(sending_);
  for (;;) {
    co_await component_.room();
    if (waiting_.empty() || !component_.ready()) co_return;
    Waiting event = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= event.entry.body.size();
    const std::string route = co_await route_of(event);
    if (!component_.ready()) {  // the stream was lost meanwhile: the first of the next one
      waiting_bytes_ += event.entry.body.size();
      waiting_.push_front(std::move(event));
      co_return;
    }
    const auto sender = component_.domain().endpoint(event.endpoint);
    if (!sender) continue;
    const tasks::LogEntry& entry = event.entry;
    OutgoingStanza stanza = OutgoingStanza::message("normal", *sender, route, entry.event_id);
    XmlWriter& w = stanza.xml();
    w.begin(element::kEvent, ns::kAgentTask);
    w.attribute(attribute::kTaskId, event.task);
    w.attribute(attribute::kEventId, entry.event_id);
    w.attribute(attribute::kRevision, std::to_string(*entry.revision));
    w.attribute(attribute::kType, tasks::to_string(entry.type));
    w.text(project_body(entry.type == tasks::EntryType::completed, entry.body));
    w.end();
    remember_sent(entry.event_id, route);
    if (tasks::is_terminal(entry.state)) routes_.forget(event.task);
    const auto sent = component_.send(SendKind::event, std::move(stanza));
    if (!sent) log_.debug("an event was not sent", {{"error", sent.error()}});
  }
}

void EventSender::remember_sent(std::string event_id, std::string to) {
  if (sent_order_.size() >= limits_.sent) {
    sent_.erase(sent_order_.front());
    sent_order_.pop_front();
  }
  sent_order_.push_back(event_id);
  sent_.insert_or_assign(std::move(event_id), std::move(to));
}

}  // namespace interline::xmpp
