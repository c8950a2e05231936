#include "fake_server.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <stdexcept>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/testing.hpp"
#include "emitted_output.hpp"
#include "net/pipe_stream.hpp"
#include "net/test_support.hpp"

namespace interline::testing {
namespace {

using net::awaitable;
using xmpp::StreamEvent;

/// Cuts the bytes of a stream into those of its stanzas.
class Cutter {
 public:
  std::vector<Emitted> feed(std::string_view bytes) {
    pending_ += bytes;
    std::vector<StreamEvent> events;
    stream_.feed(bytes, events);
    std::vector<Emitted> out;
    for (StreamEvent& event : events) {
      if (std::holds_alternative<xmpp::StreamOpened>(event)) {
        const auto end = pending_.find('>', pending_.find("<stream:stream"));
        pending_.erase(0, end + 1);
      } else if (auto* stanza = std::get_if<xmpp::Stanza>(&event)) {
        pending_.erase(0, pending_.find('<'));
        const std::size_t size = stanza->wire_size();
        out.push_back(Emitted{pending_.substr(0, size),
                              std::make_shared<const xmpp::Stanza>(std::move(*stanza))});
        pending_.erase(0, size);
      } else if (std::holds_alternative<xmpp::StreamClosed>(event)) {
        closed = true;
      } else if (const auto* fault = std::get_if<xmpp::StreamFault>(&event)) {
        throw std::runtime_error("the gateway's XML is broken: " + std::string(fault->why));
      }
    }
    return out;
  }

  bool closed = false;

 private:
  static xmpp::StreamBounds bounds() {
    xmpp::StreamBounds bounds;
    bounds.stanza = 16 << 20;
    return bounds;
  }
  std::string pending_;
  xmpp::XmlStream stream_{bounds(), 1};
};

}  // namespace

struct FakeServer::Shared : std::enable_shared_from_this<Shared> {
  void took(Emitted emitted) {
    if (emitted.root().name() == "handshake") {
      say("<handshake/>");
      const std::lock_guard lock(mutex);
      last_handshake = emitted.root().text();
      ++authenticated;
      changed.notify_all();
      return;
    }
    if (emitted.root().is(xmpp::ns::kStream, "error")) return;  // no stanza
    record_output(emitted);
    const std::lock_guard lock(mutex);
    stanzas.push_back(std::move(emitted));
    changed.notify_all();
  }

  awaitable<void> read(std::shared_ptr<net::Stream> from) {
    const auto self = shared_from_this();
    Cutter cutter;
    std::vector<char> buffer(65'536);
    bool opened = false;
    for (;;) {
      auto count = co_await from->read_some(buffer);
      if (!count || *count == 0) break;
      if (!std::exchange(opened, true)) say(std::string(xmpp::testing::kHeader));
      for (Emitted& each : cutter.feed({buffer.data(), *count})) took(std::move(each));
      if (cutter.closed) say("</stream:stream>");
      if (deaf) co_return;
    }
    from->close();
  }

  awaitable<void> write(std::shared_ptr<net::Stream> to) {
    const auto self = shared_from_this();
    if (std::exchange(writing, true)) co_return;
    while (!unsaid.empty()) {
      const std::string next = std::move(unsaid.front());
      unsaid.pop_front();
      if (auto written = co_await to->write_all(next); !written) break;
    }
    writing = false;
  }

  /// On the streams' executor.
  void say(std::string xml) {
    if (!stream) return;
    unsaid.push_back(std::move(xml));
    boost::asio::co_spawn(stream->executor(), write(stream), boost::asio::detached);
  }

  boost::asio::any_io_executor executor;
  // On the current stream's executor, which is the component's strand:
  std::shared_ptr<net::Stream> stream;
  std::deque<std::string> unsaid;
  bool writing = false;
  bool deaf = false;

  std::mutex mutex;
  std::condition_variable changed;
  boost::asio::any_io_executor strand;  // guarded by mutex, as below
  std::deque<Emitted> stanzas;
  std::size_t authenticated = 0;
  std::string last_handshake;
  bool open = true;
};

FakeServer::FakeServer(boost::asio::any_io_executor executor)
    : shared_(std::make_shared<Shared>()) {
  shared_->executor = std::move(executor);
}
FakeServer::~FakeServer() = default;

xmpp::Connector FakeServer::connector() {
  return [shared = shared_]() -> awaitable<xmpp::ConnectResult> {
    const auto strand = co_await boost::asio::this_coro::executor;
    {
      const std::lock_guard lock(shared->mutex);
      if (!shared->open) co_return fail(ErrorKind::unavailable, "nobody lets it in");
      shared->strand = strand;
    }
    auto [near, far] = net::make_pipe(strand);
    shared->stream = std::move(far);
    shared->unsaid.clear();
    shared->writing = false;
    shared->deaf = false;
    boost::asio::co_spawn(strand, shared->read(shared->stream), boost::asio::detached);
    co_return std::move(near);
  };
}

void FakeServer::let_in(bool yes) {
  const std::lock_guard lock(shared_->mutex);
  shared_->open = yes;
}

void FakeServer::say(std::string xml) {
  const std::lock_guard lock(shared_->mutex);
  boost::asio::post(shared_->strand, [shared = shared_, xml = std::move(xml)]() mutable {
    shared->say(std::move(xml));
  });
}

void FakeServer::stop_reading() {
  const std::lock_guard lock(shared_->mutex);
  boost::asio::post(shared_->strand, [shared = shared_] { shared->deaf = true; });
}

void FakeServer::turn() {
  std::promise<void> done;
  {
    const std::lock_guard lock(shared_->mutex);
    boost::asio::post(shared_->strand, [&done] { done.set_value(); });
  }
  done.get_future().wait();
}

void FakeServer::hang_up() {
  const std::lock_guard lock(shared_->mutex);
  boost::asio::post(shared_->strand, [shared = shared_] {
    if (shared->stream) shared->stream->close();
  });
}

void FakeServer::wait_for_stream(std::size_t number) {
  std::unique_lock lock(shared_->mutex);
  const auto enough = [&] { return shared_->authenticated >= number; };
  if (!shared_->changed.wait_for(lock, net::testing::kHung, enough)) {
    throw std::runtime_error("no stream comes");
  }
}

std::string FakeServer::handshake() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->last_handshake;
}

Emitted FakeServer::take(const Wanted& wanted) {
  std::unique_lock lock(shared_->mutex);
  auto& stanzas = shared_->stanzas;
  auto found = stanzas.end();
  const auto there = [&] {
    found = std::ranges::find_if(stanzas, wanted);
    return found != stanzas.end();
  };
  if (!shared_->changed.wait_for(lock, net::testing::kHung, there)) {
    throw std::runtime_error("no such stanza comes");
  }
  Emitted taken = std::move(*found);
  stanzas.erase(found);
  return taken;
}

std::optional<Emitted> FakeServer::take_if_there(const Wanted& wanted) {
  const std::lock_guard lock(shared_->mutex);
  auto& stanzas = shared_->stanzas;
  const auto found = std::ranges::find_if(stanzas, wanted);
  if (found == stanzas.end()) return std::nullopt;
  Emitted taken = std::move(*found);
  stanzas.erase(found);
  return taken;
}

std::vector<Emitted> FakeServer::take_all() {
  const std::lock_guard lock(shared_->mutex);
  std::vector<Emitted> all(shared_->stanzas.begin(), shared_->stanzas.end());
  shared_->stanzas.clear();
  return all;
}

}  // namespace interline::testing
