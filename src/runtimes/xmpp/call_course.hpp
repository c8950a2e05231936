// One task of ours at a remote agent, from `<invoke/>` to its end.
//
// Everything that is sent may be sent again as it is: an invocation under the request-id that was
// remembered before, an answer and a cancellation with the revision they were made for. Events are
// hints: where one is missing, where nothing is heard for a while, after a restart of ours and
// after a new stream, the state is asked for. Nothing but an end ends the call: what cannot be
// reached is tried again as long as our task lives. Lives on its agent's strand.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "base/clock.hpp"
#include "engine/runtime.hpp"
#include "protocols/xmpp/event_body.hpp"
#include "protocols/xmpp/history.hpp"
#include "runtimes/xmpp/call_memory.hpp"
#include "runtimes/xmpp/remote_agent.hpp"

namespace interline::runtimes::xmpp {

class CallCourse : public std::enable_shared_from_this<CallCourse> {
 public:
  CallCourse(std::shared_ptr<RemoteAgent> agent, std::shared_ptr<engine::Job> job,
             std::shared_ptr<const Clock> clock);

  /// To the end of the call. Spawned once, on the strand.
  [[nodiscard]] net::awaitable<void> run();
  /// The gateway ends: nothing more is done or reported; the next start goes on.
  void drop() { end(); }

 private:
  /// A question of the agent's, as it was asked of our caller.
  struct Asked {
    protocols::xmpp::RemoteQuestion question;
    std::string key;  ///< of ours: the request-id that the question had first
    tasks::Revision revision = 0;
    std::optional<std::string> value;  ///< the answer, until it was taken
    bool taken = false;
    bool refused = false;  ///< what was sent last under this revision was in conflict
  };

  void listen();
  void wake() { nap_.cancel(); }
  [[nodiscard]] net::awaitable<void> nap(std::chrono::milliseconds time);
  /// After an attempt that may be repeated: until it is time, or the link is there again.
  [[nodiscard]] net::awaitable<void> back_off();
  [[nodiscard]] net::awaitable<protocols::xmpp::Answered<protocols::xmpp::AgentAnswer>> ask(
      protocols::xmpp::AgentRequest request);

  // Until there is a task.
  [[nodiscard]] net::awaitable<bool> begin();
  [[nodiscard]] net::awaitable<bool> make_memory();
  [[nodiscard]] net::awaitable<bool> admit();
  [[nodiscard]] net::awaitable<bool> take_acceptance(const protocols::xmpp::AgentAnswer& answer);
  [[nodiscard]] net::awaitable<bool> remember();

  // Then.
  [[nodiscard]] net::awaitable<void> follow();
  [[nodiscard]] net::awaitable<void> listen_on();
  [[nodiscard]] net::awaitable<void> look();
  [[nodiscard]] net::awaitable<void> fetch_result();
  [[nodiscard]] net::awaitable<void> send_answer();
  [[nodiscard]] net::awaitable<void> send_cancel();
  void hear(const protocols::xmpp::Event& event);
  void apply(const protocols::xmpp::EventBody& body, tasks::Revision revision);
  void question(protocols::xmpp::RemoteQuestion asked, tasks::Revision revision);
  void ask_caller();
  void answered(const tasks::Answer& answer);

  // Its end.
  void fail(tasks::Failure failure);
  void give_up(tasks::Failure failure);
  void abandon_remote();
  void end();

  const std::shared_ptr<RemoteAgent> agent_;
  const std::shared_ptr<engine::Job> job_;
  const std::shared_ptr<const Clock> clock_;
  boost::asio::steady_timer nap_;

  CallMemory memory_;
  protocols::xmpp::History history_;
  std::optional<Asked> asked_;
  std::optional<std::string> cancel_reason_;
  std::optional<tasks::Revision> cancel_expected_;  ///< of the cancellation as it was sent
  std::chrono::milliseconds retry_;
  std::chrono::milliseconds silence_;
  bool ended_ = false;
  bool look_ = false;       ///< the state is to be asked for
  bool uncertain_ = false;  ///< an invocation may have arrived
  bool heard_ = false;      ///< an event came since the last nap
  bool cancelling_ = false;
  bool cancel_taken_ = false;
};

}  // namespace interline::runtimes::xmpp
