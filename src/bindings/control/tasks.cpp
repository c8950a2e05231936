// /v1/tasks: reading, answering, cancelling, approving.
#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"
#include "bindings/control/requests.hpp"
#include "bindings/control/views.hpp"

namespace interline::control {
namespace {

// Before the answer's value in what a repeated answer is told by: the task and the request are
// known from where it is compared.
constexpr std::string_view kAnswerFingerprint = "control:answer:1";

std::string task_of(const Request& request) {
  return std::string(request.parameter("id"));
}

/// The answer as the engine takes it: what was left open in it is looked up in the task.
awaitable<Result<engine::Input>> complete_input(Services& services, const Principal& who,
                                                std::string task, AnswerRequest answer) {
  engine::Input input = std::move(answer.input);
  input.task = task;
  if (input.value) input.fingerprint_head = kAnswerFingerprint;
  const bool whole = answer.all.has_value() || (input.value && input.request.empty());
  if (!whole) co_return input;
  // Which request is meant is decided here and compared in the commit: one that is issued in
  // between is another question, and not answered by this.
  auto view = co_await services.engine.state(who, std::move(task));
  if (!view) co_return std::unexpected(std::move(view.error()));
  const auto& pending = view->task.pending;
  if (!pending) {
    co_return fail(ErrorKind::conflict,
                   tasks::is_terminal(view->task.state) ? ErrorReason::terminal : ErrorReason::none,
                   "The task waits for no input.");
  }
  if (input.request.empty()) input.request = pending->id;
  if (!answer.all) co_return input;
  for (const tasks::Question& question : pending->questions) {
    engine::Input::Part part;
    part.question = question.id;
    part.action = *answer.all;
    input.parts.push_back(std::move(part));
  }
  co_return input;
}

}  // namespace

bool may_answer(const Services& services, const Principal& who, const tasks::Task& task) {
  return services.engine.policy()->controls(who, task.admission->owner, task.admission->network);
}

std::optional<Load> load_before(const Services& services, const tasks::Task& task) {
  const bool waits =
      task.state == tasks::State::accepted && task.dispatched_boot == 0 && !task.held;
  if (!waits || !services.options.load) return std::nullopt;
  return services.options.load(task.admission->endpoint);
}

awaitable<Answer> list_tasks(Services& services, Principal who, Request& request) {
  auto query = read_task_query(request, services.options.limits);
  if (!query) co_return std::unexpected(std::move(query.error()));
  const std::size_t limit = query->limit;
  auto page = co_await services.engine.list_tasks(std::move(who), *std::move(query));
  if (!page) co_return std::unexpected(std::move(page.error()));
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("tasks");
  writer.begin_array();
  for (const tasks::Task& task : page->tasks) write_summary(writer, task);
  writer.end_array();
  writer.member("total", static_cast<std::uint64_t>(page->total));
  if (page->tasks.size() >= limit) writer.member("next", cursor_of(page->tasks.back()));
  writer.end_object();
  co_return json_response(200, std::move(text));
}

awaitable<Answer> show_task(Services& services, Principal who, Request& request) {
  const std::string id = task_of(request);
  auto view = co_await services.engine.state(who, id);
  if (!view) co_return std::unexpected(std::move(view.error()));
  auto artifacts = co_await services.engine.artifacts(who, id);
  if (!artifacts) co_return std::unexpected(std::move(artifacts.error()));
  const bool answerable = may_answer(services, who, view->task);
  const auto load = load_before(services, view->task);
  co_return json_response(200, task_json(view->task, *artifacts, answerable, load));
}

awaitable<Answer> answer_task(Services& services, Principal who, Request& request) {
  auto answer = read_answer(request.body, services.options.limits);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  auto input = co_await complete_input(services, who, task_of(request), *std::move(answer));
  if (!input) co_return std::unexpected(std::move(input.error()));
  const std::string task = input->task;
  auto accepted = co_await services.engine.provide_input(who, *std::move(input));
  if (!accepted && accepted.error().kind == ErrorKind::not_found) {
    // Who sees the task is told whose it is; to others it does not exist.
    const auto view = co_await services.engine.state(who, task);
    if (view && !may_answer(services, who, view->task)) {
      co_return fail(ErrorKind::forbidden,
                     "Only " + view->task.admission->owner + " can answer this.");
    }
  }
  if (!accepted) co_return std::unexpected(std::move(accepted.error()));
  co_return json_response(200, accepted_json(*accepted));
}

awaitable<Answer> cancel_task(Services& services, Principal who, Request& request) {
  auto cancellation = read_cancel(request.body);
  if (!cancellation) co_return std::unexpected(std::move(cancellation.error()));
  cancellation->task = task_of(request);
  auto accepted = co_await services.engine.cancel(std::move(who), *std::move(cancellation));
  if (!accepted) co_return std::unexpected(std::move(accepted.error()));
  co_return json_response(200, accepted_json(*accepted));
}

awaitable<Answer> approve_task(Services& services, Principal who, Request& request) {
  if (auto nothing = read_nothing(request.body); !nothing) {
    co_return std::unexpected(std::move(nothing.error()));
  }
  auto accepted = co_await services.engine.approve(std::move(who), task_of(request));
  if (!accepted) co_return std::unexpected(std::move(accepted.error()));
  co_return json_response(200, accepted_json(*accepted));
}

}  // namespace interline::control
