#include "runtimes/builtin/builtin_runtime.hpp"

#include <algorithm>
#include <utility>

#include "json/parse.hpp"
#include "runtimes/builtin/tools.hpp"

namespace interline::runtimes::builtin {

struct BuiltinRuntime::State {
  explicit State(boost::asio::any_io_executor an_executor) : executor(std::move(an_executor)) {}
  boost::asio::any_io_executor executor;
};

BuiltinRuntime::BuiltinRuntime(boost::asio::any_io_executor executor)
    : state_(std::make_shared<State>(std::move(executor))) {}
BuiltinRuntime::~BuiltinRuntime() = default;

engine::RuntimeFeatures BuiltinRuntime::features() const {
  engine::RuntimeFeatures features;
  features.progress = true;
  features.cancel = true;
  features.input = true;
  return features;
}

engine::awaitable<Result<engine::ImportedTools>> BuiltinRuntime::list_tools() {
  engine::ImportedTools imported;
  imported.server_name = "interline-builtin";
  imported.server_version = "1";
  for (const ToolRow& row : tools()) imported.definitions.emplace_back(row.definition);
  co_return imported;
}

void BuiltinRuntime::start(std::shared_ptr<engine::Job> job) {
  const auto row = std::ranges::find(tools(), job->input().tool, &ToolRow::name);
  if (row == tools().end()) {
    job->fail(tasks::Failure("no-such-tool", "The builtin agent has no such tool.", false));
    return;
  }
  const auto arguments = json::parse_borrowed(job->input().arguments);
  row->run(std::make_shared<Work>(state_->executor, job), arguments->root());
}

engine::awaitable<void> BuiltinRuntime::drain(std::chrono::milliseconds) {
  co_return;
}

}  // namespace interline::runtimes::builtin
