// Tasks' events on their way to those who invoked them (ProtoXEP "Task Events").
//
// Events are hints: whoever gets none asks for the state. What is sent of a task is sent in order,
// with the bytes of its log, after the answer that named the task, to the full JID that invoked it
// last, or to its bare JID once that route is known to be lost. What has not been written when a
// stream breaks is sent on the next one, what was being written again; a crash of the gateway, or
// more than the bounds keep, leaves events out.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "bindings/xmpp/component.hpp"
#include "bindings/xmpp/routes.hpp"
#include "engine/engine.hpp"

namespace interline::xmpp {

struct EventSenderLimits {
  std::size_t routes = 65'536;          ///< cached; the rest are read from their records
  std::size_t sent = 16'384;            ///< events whose bounces are recognised
  std::size_t lost = 16'384;            ///< full JIDs known to be gone
  std::size_t waiting_bytes = 8 << 20;  ///< of events without a stream; then the oldest are dropped
};

/// All members are called on the component's strand.
class EventSender {
 public:
  EventSender(engine::Engine& engine, Component& component, Logger log,
              EventSenderLimits limits = {});

  /// What an invocation is known by before it has a task: events of its task wait until its answer
  /// is on its way.
  [[nodiscard]] static std::string invocation_key(std::string_view owner, std::string_view endpoint,
                                                  std::string_view request_id);
  void begin_invocation(const std::string& key);
  void end_invocation(const std::string& key);

  /// The task was invoked from there, now or again.
  void set_route(const std::string& task, const std::string& full_jid);
  /// There is nobody any more.
  void lose_route(const std::string& full_jid);
  /// A stanza of ours came back: if it is an event, and from where it went, that route is lost.
  void bounced(std::string_view stanza_id, std::string_view from);

  void committed(const tasks::Task& task, const tasks::LogEntry& entry);
  /// Sends what waits, for as long as there is a stream. Runs until then; at most one at a time.
  [[nodiscard]] net::awaitable<void> send_waiting();
  /// Whether send_waiting() has something to do.
  [[nodiscard]] bool has_work() const;

 private:
  struct Waiting {
    std::string task;
    std::string endpoint;
    std::string owner;  ///< bare JID
    tasks::LogEntry entry;
  };
  struct Invocation {
    std::size_t under_way = 0;
    std::vector<Waiting> events;
  };

  void enqueue(Waiting event);
  void remember_sent(std::string event_id, std::string to);
  [[nodiscard]] net::awaitable<std::string> route_of(const Waiting& event);

  engine::Engine& engine_;
  Component& component_;
  const Logger log_;
  const EventSenderLimits limits_;
  RouteCache routes_;
  std::unordered_map<std::string, Invocation> invocations_;
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::deque<std::string> sent_order_;
  std::unordered_map<std::string, std::string> sent_;  // event id -> addressee
  std::unordered_set<std::string> lost_;
  bool sending_ = false;
};

}  // namespace interline::xmpp
