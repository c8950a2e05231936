// The XMPP server's end of component streams, in memory: it authenticates whoever connects, says
// what a test wants said, and keeps every stanza that it is sent.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/xmpp/component.hpp"
#include "emitted.hpp"

namespace interline::testing {

/// Members are called on the test's thread; streams run on the engine's.
class FakeServer {
 public:
  explicit FakeServer(boost::asio::any_io_executor executor);
  ~FakeServer();

  /// What the component connects with.
  [[nodiscard]] xmpp::Connector connector();
  /// Whether those who connect are let in; else their attempts fail.
  void let_in(bool yes);

  /// Sends the bytes on the current stream.
  void say(std::string xml);
  /// Reads no more of the current stream than what it is about to: what is sent then waits.
  void stop_reading();
  /// Returns once what the streams' executor had to do before has been done.
  void turn();
  /// Ends the current stream without a word.
  void hang_up();
  /// Returns once that many streams have been authenticated; throws if that never happens.
  void wait_for_stream(std::size_t number);
  /// What it said to be let in, the last time.
  [[nodiscard]] std::string handshake() const;

  using Wanted = std::function<bool(const Emitted&)>;
  /// Takes the first stanza of that kind, waiting for it; throws if it never comes.
  Emitted take(const Wanted& wanted);
  /// The same, but only of what is there already.
  std::optional<Emitted> take_if_there(const Wanted& wanted);
  /// All that is there and was not taken, in order.
  std::vector<Emitted> take_all();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace interline::testing
