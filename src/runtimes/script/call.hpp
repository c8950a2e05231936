// One call of a tool in work: its steps, one after the other, until it ends, asks or is stopped.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "engine/runtime.hpp"
#include "runtimes/script/agent.hpp"
#include "runtimes/script/call_state.hpp"

namespace interline::runtimes::script {

/// What a step does beyond its call. Called from any thread.
using TellChange = std::function<void(const engine::AgentChange&)>;

/// Lives as long as a step of it waits or runs. Everything runs on one strand.
class Call : public std::enable_shared_from_this<Call> {
 public:
  /// `tool` is one of `agent`.
  Call(const boost::asio::any_io_executor& executor, std::shared_ptr<const Agent> agent,
       const Tool& tool, std::shared_ptr<engine::Job> job, TellChange tell);

  /// Begins, or goes on with the state that the job brings.
  void start();

 private:
  [[nodiscard]] Result<void> resume();
  void advance();
  void stop();
  void on_strand(std::function<void()> act);
  void fail(std::string code, std::string message, std::string details);
  void complete(bool is_error);
  [[nodiscard]] Known known() const;

  // One step: false where the call has ended or has to wait.
  bool take(const Say& say);
  bool take(const Structured& structured);
  bool take(const Wait& wait);
  bool take(const ReportProgress& report);
  bool take(const Log& log);
  bool take(const Ask& ask);
  bool take(const Change& change);
  bool take(const ToolError& error);
  bool take(const ProtocolError& error);

  const std::shared_ptr<const Agent> agent_;
  const Tool& tool_;
  const std::shared_ptr<engine::Job> job_;
  const TellChange tell_;
  boost::asio::steady_timer timer_;
  CallState state_;
  bool stopped_ = false;
};

}  // namespace interline::runtimes::script
