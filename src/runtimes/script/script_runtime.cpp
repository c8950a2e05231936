#include "runtimes/script/script_runtime.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "runtimes/script/call.hpp"
#include "runtimes/script/consult.hpp"
#include "runtimes/script/reader.hpp"

namespace interline::runtimes::script {

/// Who hears of changes, and which resources somebody follows. Shared with calls in work.
class ScriptRuntime::Changes {
 public:
  using Listener = std::function<void(const engine::AgentChange&)>;

  void listen(Listener listener) {
    const std::scoped_lock lock(mutex_);
    listener_ = std::move(listener);
  }
  void follow(std::string uri, bool follow) {
    const std::scoped_lock lock(mutex_);
    if (follow) {
      followed_.insert(std::move(uri));
    } else {
      followed_.erase(uri);
    }
  }
  void tell(const engine::AgentChange& change) {
    Listener listener;
    {
      const std::scoped_lock lock(mutex_);
      const bool one = change.kind == engine::ChangeKind::resource;
      if (one && !followed_.contains(change.uri)) return;
      listener = listener_;
    }
    if (listener) listener(change);
  }

 private:
  std::mutex mutex_;
  Listener listener_;
  std::set<std::string, std::less<>> followed_;
};

ScriptRuntime::ScriptRuntime(boost::asio::any_io_executor executor,
                             const std::filesystem::path& file)
    : executor_(std::move(executor)), changes_(std::make_shared<Changes>()) {
  auto read = read_agent(file);
  if (read) {
    agent_ = std::move(read->agent);
  } else {
    why_not_ = to_string(file, read.error().front());
  }
}

ScriptRuntime::ScriptRuntime(boost::asio::any_io_executor executor,
                             std::shared_ptr<const Agent> agent)
    : executor_(std::move(executor)),
      agent_(std::move(agent)),
      changes_(std::make_shared<Changes>()) {}

ScriptRuntime::~ScriptRuntime() = default;

engine::RuntimeFeatures ScriptRuntime::features() const {
  engine::RuntimeFeatures features;
  features.progress = true;
  features.cancel = true;
  features.input = true;
  return features;
}

engine::awaitable<Result<engine::ImportedTools>> ScriptRuntime::list_tools() {
  if (!agent_) co_return interline::fail(ErrorKind::not_acceptable, why_not_);
  engine::ImportedTools imported;
  imported.server_name = agent_->name;
  imported.server_version = agent_->version;
  for (const Tool& tool : agent_->tools) imported.definitions.push_back(tool.definition);
  co_return imported;
}

void ScriptRuntime::start(std::shared_ptr<engine::Job> job) {
  if (!agent_) {
    job->fail(tasks::Failure(std::string(tasks::failure_code::kUnavailable),
                             "The agent's file cannot be read.", false));
    return;
  }
  const auto tool = std::ranges::find(agent_->tools, job->input().tool, &Tool::name);
  if (tool == agent_->tools.end()) {
    job->fail(tasks::Failure("no-such-tool", "The agent has no such tool any more.", false));
    return;
  }
  auto tell = [changes = changes_](const engine::AgentChange& change) { changes->tell(change); };
  std::make_shared<Call>(executor_, agent_, *tool, std::move(job), std::move(tell))->start();
}

engine::awaitable<void> ScriptRuntime::drain(std::chrono::milliseconds) {
  co_return;
}

engine::Offers ScriptRuntime::offers() const {
  return agent_ ? offers_of(*agent_) : engine::Offers();
}

engine::awaitable<Result<engine::Consulted>> ScriptRuntime::consult(
    engine::Consultation asked, std::shared_ptr<engine::Withdrawal>) {
  if (!agent_) co_return interline::fail(ErrorKind::unavailable, why_not_);
  co_return script::consult(*agent_, asked);
}

void ScriptRuntime::on_change(std::function<void(const engine::AgentChange&)> listener) {
  changes_->listen(std::move(listener));
}

engine::awaitable<Result<void>> ScriptRuntime::follow_resource(std::string uri, bool follow) {
  if (!offers().has(engine::ConsultationKind::read_resource)) {
    co_return interline::fail(ErrorKind::not_acceptable, "this agent has no resources");
  }
  if (!has_resource(*agent_, uri)) {
    co_return interline::fail(ErrorKind::not_found, "there is no such resource");
  }
  changes_->follow(std::move(uri), follow);
  co_return Result<void>();
}

}  // namespace interline::runtimes::script
