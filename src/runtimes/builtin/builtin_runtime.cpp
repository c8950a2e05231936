#include "runtimes/builtin/builtin_runtime.hpp"

#include <algorithm>
#include <utility>

#include "json/parse.hpp"
#include "runtimes/builtin/offers.hpp"
#include "runtimes/builtin/tools.hpp"

namespace interline::runtimes::builtin {
namespace {

std::unexpected<Error> nothing() {
  return fail(ErrorKind::not_acceptable, "this agent has nothing of this kind");
}

}  // namespace

struct BuiltinRuntime::State {
  explicit State(boost::asio::any_io_executor an_executor) : executor(std::move(an_executor)) {}
  boost::asio::any_io_executor executor;
  const std::shared_ptr<Agent> agent = std::make_shared<Agent>();
};

BuiltinRuntime::BuiltinRuntime(boost::asio::any_io_executor executor, bool offers_more)
    : state_(std::make_shared<State>(std::move(executor))), offers_more_(offers_more) {}
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
  for (const ToolRow& row : tools()) {
    const bool there =
        !row.more || (offers_more_ && (row.name != kLateTool || state_->agent->grown()));
    if (there) imported.definitions.emplace_back(row.definition);
  }
  co_return imported;
}

void BuiltinRuntime::start(std::shared_ptr<engine::Job> job) {
  const auto row = std::ranges::find(tools(), job->input().tool, &ToolRow::name);
  if (row == tools().end()) {
    job->fail(tasks::Failure("no-such-tool", "The builtin agent has no such tool.", false));
    return;
  }
  const auto arguments = json::parse_borrowed(job->input().arguments);
  row->run(std::make_shared<Work>(state_->executor, job, state_->agent), arguments->root());
}

engine::awaitable<void> BuiltinRuntime::drain(std::chrono::milliseconds) {
  co_return;
}

engine::Offers BuiltinRuntime::offers() const {
  engine::Offers offers;
  if (!offers_more_) return offers;
  for (std::size_t i = 0; i < engine::kConsultationKindCount; ++i) {
    offers.add(static_cast<engine::ConsultationKind>(i));
  }
  return offers;
}

engine::awaitable<Result<engine::Consulted>> BuiltinRuntime::consult(
    engine::Consultation asked, std::shared_ptr<engine::Withdrawal>) {
  if (!offers_more_) co_return nothing();
  co_return answer(asked, *state_->agent);
}

void BuiltinRuntime::on_change(std::function<void(const engine::AgentChange&)> listener) {
  state_->agent->listen(std::move(listener));
}

engine::awaitable<Result<void>> BuiltinRuntime::follow_resource(std::string uri, bool follow) {
  if (!offers_more_) co_return nothing();
  if (!has_resource(uri)) co_return fail(ErrorKind::not_found, "There is no such resource.");
  state_->agent->follow(uri, follow);
  co_return Result<void>();
}

}  // namespace interline::runtimes::builtin
