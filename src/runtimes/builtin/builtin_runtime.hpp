// The agent that is always there: tools that exercise everything an engine can do with a task,
// without a process and without a network. For tests, demonstrations and first steps.
#pragma once

#include <memory>

#include <boost/asio/any_io_executor.hpp>

#include "engine/runtime.hpp"

namespace interline::runtimes::builtin {

/// Tools: ask, change, echo, fail, never, output, prepare_then, sleep, wait; sometimes late. Each
/// is described by the text that list_tools() returns for it.
class BuiltinRuntime final : public engine::Runtime {
 public:
  explicit BuiltinRuntime(boost::asio::any_io_executor executor, bool offers_more = false);
  ~BuiltinRuntime() override;

  [[nodiscard]] engine::RuntimeFeatures features() const override;
  [[nodiscard]] bool available() const override { return true; }
  [[nodiscard]] engine::awaitable<Result<engine::ImportedTools>> list_tools() override;
  void start(std::shared_ptr<engine::Job> job) override;
  [[nodiscard]] engine::awaitable<void> drain(std::chrono::milliseconds grace) override;
  [[nodiscard]] engine::Offers offers() const override;
  [[nodiscard]] engine::awaitable<Result<engine::Consulted>> consult(
      engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) override;
  void on_change(std::function<void(const engine::AgentChange&)> listener) override;
  [[nodiscard]] engine::awaitable<Result<void>> follow_resource(std::string uri,
                                                                bool follow) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
  const bool offers_more_;
};

}  // namespace interline::runtimes::builtin
