// GET /v1/tasks/ID/events?after=N: server-sent events. First `snapshot`, the task as it is; then
// each later log entry as `entry`, with its sequence as the event's id. Ends when the task has
// settled and all was told. With `after` (or Last-Event-ID) entries up to the snapshot are not
// repeated either: the snapshot says what they came to.
#include <charconv>

#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"
#include "bindings/control/views.hpp"
#include "net/http/sse.hpp"

namespace interline::control {
namespace {

/// Keeps a watch among the open streams.
class Membership {
 public:
  Membership(OpenStreams& streams, engine::Watch& watch) : streams_(streams), watch_(watch) {
    member_ = streams.add(watch);
  }
  ~Membership() {
    if (member_) streams_.remove(watch_);
  }
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  [[nodiscard]] bool taken() const { return member_; }

 private:
  OpenStreams& streams_;
  engine::Watch& watch_;
  bool member_ = false;
};

Result<tasks::Sequence> read_after(const Request& request) {
  const auto text = request.query_value("after");
  if (!text) return engine::kFromSnapshot;
  tasks::Sequence after = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, after);
  if (error != std::errc() || stop != end) {
    return fail(ErrorKind::malformed, "after is the sequence of the last entry that was seen.");
  }
  return after;
}

std::string event_text(std::string type, std::string data, tasks::Sequence sequence) {
  net::http::SseEvent event;
  event.type = std::move(type);
  event.data = std::move(data);
  event.id = std::to_string(sequence);
  return net::http::encode_event(event);
}

awaitable<void> refuse(net::http::Responder& responder, const Error& error) {
  Response response = error_response(error);
  const Result<void> sent = co_await responder.send(std::move(response));
  (void)sent;
}

awaitable<void> tell(engine::Watch& watch, bool answerable, std::optional<Load> load,
                     net::http::Responder& responder) {
  const tasks::Task& snapshot = watch.snapshot();
  const std::string first =
      event_text("snapshot", task_json(snapshot, {}, answerable, load), snapshot.sequence);
  if (auto written = co_await responder.write(first); !written) co_return;
  for (;;) {
    auto entry = co_await watch.next();
    // A store that cannot be read ends the connection without the body's end: the follower sees
    // that it was cut off.
    if (!entry) co_return;
    if (!*entry) break;
    const std::string text = event_text("entry", entry_json(**entry), (*entry)->sequence);
    if (auto written = co_await responder.write(text); !written) co_return;
  }
  const Result<void> ended = co_await responder.end();
  (void)ended;
}

}  // namespace

bool OpenStreams::add(engine::Watch& watch) {
  const std::lock_guard lock(mutex_);
  if (!over_) open_.insert(&watch);
  return !over_;
}

void OpenStreams::remove(engine::Watch& watch) {
  const std::lock_guard lock(mutex_);
  open_.erase(&watch);
}

void OpenStreams::end_all() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  for (engine::Watch* watch : open_) watch->stop();
}

awaitable<void> follow_task(std::shared_ptr<Services> services, Principal who, Request& request,
                            net::http::Responder& responder) {
  const auto after = read_after(request);
  if (!after) co_return co_await refuse(responder, after.error());
  auto watch = co_await services->engine.watch(who, std::string(request.parameter("id")), *after);
  if (!watch) co_return co_await refuse(responder, watch.error());
  const Membership membership(*services->streams, **watch);
  if (!membership.taken()) {
    const Error error(ErrorKind::unavailable, "The gateway is about to end.");
    co_return co_await refuse(responder, error);
  }
  // Dropped before the watch is: the responder forgets it when this handler returns.
  responder.on_disconnect([follower = watch->get()] { follower->stop(); });
  Response head(200);
  head.fields.add("Content-Type", "text/event-stream");
  head.fields.add("Cache-Control", "no-store");
  auto begun = co_await responder.begin(std::move(head));
  const bool answerable = may_answer(*services, who, (*watch)->snapshot());
  const auto load = load_before(*services, (*watch)->snapshot());
  if (begun) co_await tell(**watch, answerable, load, responder);
}

}  // namespace interline::control
