// The agent that is written down: tools, prompts and resources from a file, without a program. For
// demonstrations, documents and conformance suites. docs/script-agents.md says what can be written.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "engine/runtime.hpp"
#include "runtimes/script/agent.hpp"

namespace interline::runtimes::script {

class ScriptRuntime final : public engine::Runtime {
 public:
  /// Reads the file once; where that fails, every call answers why.
  ScriptRuntime(boost::asio::any_io_executor executor, const std::filesystem::path& file);
  ScriptRuntime(boost::asio::any_io_executor executor, std::shared_ptr<const Agent> agent);
  ~ScriptRuntime() override;

  [[nodiscard]] engine::RuntimeFeatures features() const override;
  [[nodiscard]] bool available() const override { return agent_ != nullptr; }
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
  class Changes;

  const boost::asio::any_io_executor executor_;
  std::shared_ptr<const Agent> agent_;  ///< nullptr: it could not be read
  std::string why_not_;
  const std::shared_ptr<Changes> changes_;
};

}  // namespace interline::runtimes::script
