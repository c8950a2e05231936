// One MCP server process, as a link: how it is opened, requests by their ids, and what it tells or
// asks by itself (2026-07-28 and older, "stdio").
//
// A modern server is asked who it is; whoever does not answer that is a legacy one and opened by
// `initialize` on the same pipe. One that ends at the question is started again and not asked.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/consultation.hpp"
#include "json/value.hpp"
#include "net/event.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "runtimes/mcp/call_course.hpp"
#include "runtimes/mcp/flights.hpp"
#include "runtimes/mcp/link.hpp"
#include "runtimes/mcp/listing.hpp"
#include "runtimes/mcp/server_state.hpp"
#include "runtimes/mcp/subscription.hpp"
#include "runtimes/mcp/unanswered.hpp"
#include "runtimes/process_worker.hpp"

namespace interline::runtimes::mcp {

struct McpLimits {
  ListLimits lists;
  CourseLimits course;
  bool asks = false;  ///< a process has one call at a time: what it asks belongs to that
  std::chrono::milliseconds probe_timeout{5'000};  ///< then it is a legacy server
};

/// What all processes of an endpoint share. On their strand.
struct McpProcesses {
  McpLimits limits;
  std::shared_ptr<ServerState> state = std::make_shared<ServerState>();
  bool ends_when_probed = false;
  bool asks_by_itself = false;  ///< a legacy server, which has asked something in a call
};

class McpWorker final : public ProcessWorker, public Link {
 public:
  McpWorker(Setup setup, std::shared_ptr<McpProcesses> processes);

  // As a link.
  [[nodiscard]] net::Executor strand() const override { return ProcessWorker::strand(); }
  [[nodiscard]] net::awaitable<Result<void>> opened() override;
  [[nodiscard]] const protocols::mcp::ServerHello& hello() const override { return hello_; }
  [[nodiscard]] net::awaitable<Result<Reply>> request(Outgoing outgoing) override;
  [[nodiscard]] bool lasting() const override { return false; }

  [[nodiscard]] std::shared_ptr<McpWorker> self() {
    return std::static_pointer_cast<McpWorker>(shared_from_this());
  }
  /// What somebody wants to hear of has changed.
  void refollow();
  [[nodiscard]] bool to_be_opened_anew() const override { return anew_; }
  /// What it asks could be about a call that was left: it gets no new ones until that is answered.
  [[nodiscard]] bool occupied() const override {
    return processes_->asks_by_itself && unanswered_.count_left() > 0;
  }

 private:
  using Message = protocols::jsonrpc::Message;

  // The language, for ProcessWorker.
  void open() override;
  [[nodiscard]] net::awaitable<void> take_line(std::string_view line) override;
  [[nodiscard]] bool take_cut_line(const net::Line& line) override;
  [[nodiscard]] bool write_call(const std::string& handle, Call& call) override;
  void write_cancel(const std::string& handle, const Call& call) override;
  void write_stop(const std::string& handle, const Call& call) override;
  [[nodiscard]] bool write_answer(const std::string& handle, const Call& call,
                                  const tasks::Answer& answer) override;
  void write_list() override;
  [[nodiscard]] bool cancel_ends_call() const override { return true; }
  [[nodiscard]] bool ends_late(const std::string& handle) const override;
  [[nodiscard]] bool ends_with_its_input() const override { return true; }
  void closed() override;

  // Opening.
  [[nodiscard]] net::awaitable<void> open_up();
  [[nodiscard]] net::awaitable<void> initialize();
  void use(protocols::mcp::ServerHello hello);
  void give_up(std::string_view why);
  [[nodiscard]] net::awaitable<Result<Reply>> ask(std::string_view method, std::string params,
                                                  std::chrono::milliseconds timeout);

  // Messages.
  [[nodiscard]] net::awaitable<Result<Reply>> fly(std::string id, std::string line,
                                                  Outgoing outgoing);
  [[nodiscard]] net::awaitable<void> take_text(std::string text);
  void take_answer(json::Document document, const Message& message);
  void take_request(const Message& message);
  void take_notification(const Message& message, std::size_t bytes);
  void take_told(const Message& message);
  [[nodiscard]] std::shared_ptr<Flight> flight_of(const Message& message) const;
  void lost(std::string_view id, const Error& error);
  void count_unasked(std::size_t bytes);
  void stop_flight(const std::string& id);
  /// A server may answer what was cancelled or not, and be stuck in it: whether it still works
  /// shows only when it is asked something else.
  void check();
  [[nodiscard]] net::awaitable<void> ping();
  void answered(std::string_view id);
  void limit_doubt();
  [[nodiscard]] std::shared_ptr<CallCourse> course(const std::string& handle) const;

  [[nodiscard]] net::awaitable<void> list();

  const std::shared_ptr<McpProcesses> processes_;
  const std::shared_ptr<Subscription> subscription_;
  protocols::mcp::ServerHello hello_;
  Flights flights_;
  Unanswered unanswered_;
  std::unique_ptr<boost::asio::steady_timer> doubt_;  ///< until it gets no calls at all
  net::Event opening_;
  std::map<std::string, std::shared_ptr<CallCourse>> courses_;  ///< by handle
  bool initializing_ = false;  ///< `initialize` is on its way, or was answered
  unsigned stopped_flights_ = 0;
  bool checking_ = false;
  bool closed_ = false;
  bool anew_ = false;
  std::size_t unasked_ = 0;  ///< bytes that no request of ours is about, since:
  std::chrono::steady_clock::time_point unasked_since_;
  std::optional<Error> unusable_;
};

}  // namespace interline::runtimes::mcp
