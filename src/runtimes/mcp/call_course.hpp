// One task of ours at an MCP server, from tools/call to its end, over whatever link: rounds of
// questions before the result (2026-07-28, basic/patterns/mrtr), a task of the server's that is
// followed, questions of a legacy server while the call runs, progress, log lines, cancellation.
//
// A round of questions ends this piece of work with a state, and the next begins with the answers.
// A server's task is remembered before anything else is done with it, and gone on with after a
// restart. Lives on its link's strand.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "protocols/mcp/client_questions.hpp"
#include "protocols/mcp/client_task.hpp"
#include "runtimes/mcp/link.hpp"

namespace interline::runtimes::mcp {

struct CourseLimits {
  std::size_t output = std::size_t{64} * 1024 * 1024;  ///< bytes of all messages about one call
  unsigned rounds = 10;                                ///< of questions, and of calls made again
  bool legacy_asks = true;  ///< a legacy server's requests can be told to belong to this call
  std::chrono::milliseconds poll_first{100};      ///< of a server's task that names no interval
  std::chrono::milliseconds poll_longest{5'000};  ///< the same, later
  std::chrono::milliseconds retry_first{200};     ///< after a lost connection, and of empty rounds
  std::chrono::milliseconds retry_longest{30'000};
  std::chrono::milliseconds cancel_grace{10'000};  ///< for a server's task to end when cancelled
  std::chrono::milliseconds ask_timeout{60'000};   ///< of tasks/get, tasks/update, tasks/cancel
};

/// A server's question as its task's.
[[nodiscard]] engine::AskedQuestion asked_question(const protocols::mcp::ServerQuestion& question);

class CallCourse final : public Hearer, public std::enable_shared_from_this<CallCourse> {
 public:
  /// Gives the job back if somebody still waits for it, and forgets the call.
  using Take = std::function<std::shared_ptr<engine::Job>()>;

  CallCourse(std::shared_ptr<Link> link, std::shared_ptr<engine::Job> job,
             const CourseLimits& limits, Take take, Logger log);

  /// To the end of the work. Spawned once, on the strand.
  [[nodiscard]] net::awaitable<void> run();

  /// The caller wants it to end. A call is over at once; a server's task when the server says so,
  /// or after the grace.
  void cancel();
  /// Nobody waits for it any more.
  void stop();
  void answer(const tasks::Answer& answer);
  /// A task of the server's is followed: cancel() does not end it at once.
  [[nodiscard]] bool follows() const { return !task_.empty(); }

 private:
  using Questions = std::vector<protocols::mcp::ServerQuestion>;

  // Hearer.
  [[nodiscard]] bool count(std::size_t bytes) override;
  void progress(protocols::mcp::Progress progress) override;
  void log(const protocols::mcp::LogLine& line) override;
  void asked(ServerRequest request) override;
  void told(const protocols::jsonrpc::Message&) override {}
  [[nodiscard]] net::awaitable<void> ready() override { return job_->ready(); }

  // The call.
  [[nodiscard]] net::awaitable<void> work();
  [[nodiscard]] net::awaitable<void> call();
  [[nodiscard]] net::awaitable<Result<Reply>> send(const std::string& members);
  [[nodiscard]] net::awaitable<bool> note_sent();
  [[nodiscard]] Outgoing outgoing(std::string_view method) const;
  /// True: the call is to be made again, with no questions before.
  [[nodiscard]] net::awaitable<bool> take_result(const Reply& reply,
                                                 protocols::mcp::PendingRound& round);
  [[nodiscard]] bool take_questions(const json::Value& result, protocols::mcp::PendingRound& round);
  void take_error(const Reply& reply, protocols::mcp::PendingRound& round);
  void ask_and_end(const Questions& questions, protocols::mcp::PendingRound round);

  // The server's task.
  [[nodiscard]] net::awaitable<void> begin_task(const json::Value& result);
  [[nodiscard]] net::awaitable<void> follow();
  /// How long until it is asked again; nothing: it has ended.
  [[nodiscard]] std::optional<std::chrono::milliseconds> take_task(const json::Value& object);
  [[nodiscard]] net::awaitable<std::optional<std::chrono::milliseconds>> poll();
  void take_task_questions(const json::Value& requests);
  [[nodiscard]] net::awaitable<void> send_answers();
  [[nodiscard]] net::awaitable<void> send_cancel();
  [[nodiscard]] net::awaitable<void> nap(std::chrono::milliseconds time);
  void give_up_task();

  // Its end.
  void complete(std::string_view result);
  void fail(tasks::Failure failure);
  void fail(const Error& error);
  void end_as_cancelled();

  const std::shared_ptr<Link> link_;
  const std::shared_ptr<engine::Job> job_;
  const CourseLimits limits_;
  const Take take_;
  const Logger log_;
  const protocols::mcp::ClientCapabilities capabilities_;
  const std::string trace_;
  const std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
  boost::asio::steady_timer nap_;

  bool ended_ = false;
  std::size_t bytes_ = 0;
  unsigned questions_ = 0;                     ///< of a legacy server, so far
  std::map<std::string, ServerRequest> open_;  ///< those without an answer, by our key

  std::string task_;  ///< the server's task; "" as long as there is none
  bool cancelling_ = false;
  bool cancel_sent_ = false;
  std::chrono::milliseconds poll_interval_;
  std::string told_message_;
  std::map<std::string, tasks::QuestionKind> task_questions_;  ///< asked, by the server's key
  std::set<std::string> task_answered_;                        ///< never asked or answered again
  std::vector<tasks::Answer> answers_;                         ///< to be sent
};

/// "mcp:-32602": a JSON-RPC error's code as a failure's.
[[nodiscard]] tasks::Failure failure_of(const protocols::jsonrpc::Message& error);
[[nodiscard]] tasks::Failure failure_of(const Error& error);

}  // namespace interline::runtimes::mcp
