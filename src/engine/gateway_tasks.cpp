// What may be done with a task that exists: reading, answering, cancelling, following.
#include <algorithm>
#include <utility>

#include "engine/followups.hpp"
#include "engine/gateway.hpp"
#include "engine/length_prefixed.hpp"
#include "engine/suspend.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "schema/schema.hpp"
#include "tasks/event_body.hpp"

namespace interline::engine {
namespace {

std::unexpected<Error> unknown() {
  return fail(ErrorKind::not_found, "No such task.");
}

/// What a repeated answer is compared by.
Digest digest_of(tasks::AnswerAction action, std::string_view canonical_value) {
  std::string bytes;
  append_length_prefixed(bytes, tasks::to_string(action));
  append_length_prefixed(bytes, canonical_value);
  return sha256(bytes);
}

/// Says where and why, and nothing of what was answered.
Error answer_mismatch(const schema::Report& report) {
  std::string message = "The answer does not match the question's schema";
  if (!report.errors.empty()) {
    const schema::ValidationError& first = report.errors.front();
    const std::string_view where =
        first.instance_location.empty() ? std::string_view("it") : first.instance_location;
    message.append(": ").append(where).append(" ").append(first.message);
  }
  return {ErrorKind::not_acceptable, std::move(message)};
}

/// Of several questions: which members their answer has.
Error not_an_answer_to_all(const std::vector<tasks::Question>& questions) {
  std::string message = "The answer is an object with a member for each question:";
  for (const tasks::Question& question : questions) {
    message.append(&question == &questions.front() ? " " : ", ")
        .append(tasks::answer_name(question));
  }
  return {ErrorKind::not_acceptable, std::move(message)};
}

/// An accepted value against its question's schema, which was compiled once when it was asked.
Result<void> check_value(const tasks::Question& question, std::string_view value) {
  if (question.schema.empty()) return {};
  const auto document = json::parse_borrowed(question.schema);
  if (!document) return fail(ErrorKind::internal, "A stored question cannot be read.");
  const auto compiled = schema::Schema::compile(document->root());
  if (!compiled) return fail(ErrorKind::internal, "A stored question cannot be read.");
  const auto parsed = json::parse_borrowed(value);
  if (!parsed) return std::unexpected(json::to_error(parsed.error()));
  switch (compiled->validate(parsed->root())) {
    case schema::Verdict::valid:
      return {};
    case schema::Verdict::invalid:
      return std::unexpected(answer_mismatch(compiled->report(parsed->root())));
    case schema::Verdict::budget_exceeded:
      break;
  }
  return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
              "The answer is too costly to check.");
}

const tasks::Question* open_question(const tasks::Task& task, const tasks::Answer& answer) {
  if (!task.pending) return nullptr;
  const auto& open = task.pending->questions;
  const auto found = std::ranges::find_if(open, [&answer](const tasks::Question& question) {
    return answer.question.empty() ? question.key == answer.key : question.id == answer.question;
  });
  return found == open.end() ? nullptr : &*found;
}

Result<void> check_values(const tasks::Task& task, const std::vector<tasks::Answer>& answers) {
  for (const tasks::Answer& answer : answers) {
    if (answer.action != tasks::AnswerAction::accept) continue;
    const tasks::Question* question = open_question(task, answer);
    if (question == nullptr || answer.value.empty()) continue;
    if (Result<void> checked = check_value(*question, answer.value); !checked) return checked;
  }
  return {};
}

tasks::Answer answer_to(std::string question, tasks::AnswerAction action, std::string value) {
  tasks::Answer answer;
  answer.question = std::move(question);
  answer.action = action;
  answer.digest = digest_of(action, value);
  answer.value = std::move(value);
  return answer;
}

}  // namespace

Result<tasks::Task> Gateway::controlled(const Principal& who, const std::string& task,
                                        Access access) {
  auto found = store_.task(task);
  if (!found) return std::unexpected(std::move(found.error()));
  if (!*found) return unknown();
  const auto rules = policy();
  const tasks::Admission& admission = *(*found)->admission;
  const policy::TaskOwner whose{task, admission.endpoint, admission.owner, admission.network};
  if (!rules->may_use_task(who, whose, access == Access::owner_or_operator)) return unknown();
  return **std::move(found);
}

awaitable<Result<TaskView>> Gateway::state(Principal who, std::string task) {
  auto found = controlled(who, task, Access::owner_or_operator);
  if (!found) co_return std::unexpected(std::move(found.error()));
  TaskView view;
  view.task = *std::move(found);
  if (view.task.pending) view.pending_body = tasks::input_required_body(*view.task.pending);
  co_return view;
}

awaitable<Result<std::vector<store::Artifact>>> Gateway::artifacts(Principal who,
                                                                   std::string task) {
  const auto found = controlled(who, task, Access::owner_or_operator);
  if (!found) co_return std::unexpected(found.error());
  co_return store_.artifacts(task);
}

awaitable<Result<store::TaskPage>> Gateway::list_tasks(Principal who, store::TaskQuery query) {
  const auto rules = policy();
  if (!rules->is_operator(who)) {
    if (who.is_anonymous()) co_return store::TaskPage();  // its tasks are reached by id alone
    query.owners = rules->party(who).principals;
    std::erase_if(query.owners, [&rules, &who](const std::string& owner) {
      return !rules->controls(who, owner, Principal(owner).network());
    });
  }
  co_return store_.list_tasks(query);
}

/// Where a question that expired is asked anew in the command's place, `whatever_revision` sends it
/// again: it does not depend on what the task looks like.
awaitable<Result<Accepted>> Gateway::command(std::string task, tasks::Command command,
                                             std::vector<store::RecordChange> records,
                                             bool whatever_revision) {
  auto applied = co_await writer_->apply(task, command, records);
  while (whatever_revision && applied && may_be_repeated(applied)) {
    applied = co_await writer_->apply(task, command, records);
  }
  if (!applied) co_return std::unexpected(std::move(applied.error()));
  tasks::Reply& reply = applied->outcome.reply;
  if (reply.kind == tasks::Reply::Kind::refused) co_return std::unexpected(*std::move(reply.error));
  Accepted accepted;
  accepted.revision = reply.revision;
  accepted.replayed = reply.kind == tasks::Reply::Kind::replayed;
  co_return accepted;
}

Result<std::vector<tasks::Answer>> Gateway::read_answers(const tasks::Task& task,
                                                         const Input& input) const {
  json::Limits limits;
  limits.bytes = configuration_.input_bytes;
  limits.string_bytes = configuration_.input_bytes;
  limits.depth = configuration_.json_depth;
  std::vector<tasks::Answer> answers;
  const auto add = [&answers, &limits](std::string question, tasks::AnswerAction action,
                                       std::string_view text) -> Result<void> {
    std::string value;
    if (action == tasks::AnswerAction::accept && !text.empty()) {
      const auto parsed = json::parse_borrowed(text, limits);
      if (!parsed) return std::unexpected(json::to_error(parsed.error()));
      value = json::canonical(parsed->root());
    }
    answers.push_back(answer_to(std::move(question), action, std::move(value)));
    return {};
  };
  if (!input.value) {
    for (const Input::Part& part : input.parts) {
      if (Result<void> added = add(part.question, part.action, part.value); !added) {
        return std::unexpected(std::move(added.error()));
      }
      tasks::Answer& answer = answers.back();
      if (open_question(task, answer) == nullptr) {
        answer.key = std::exchange(answer.question, {});  // not an id of ours: the runtime's key
        if (open_question(task, answer) == nullptr &&
            !std::ranges::any_of(task.answers, [&answer](const tasks::Answer& earlier) {
              return earlier.key == answer.key;
            })) {
          answer.question = std::exchange(answer.key, {});
        }
      }
    }
    return answers;
  }
  const auto form = json::parse_borrowed(*input.value, limits);
  if (!form) return std::unexpected(json::to_error(form.error()));
  const bool current = task.pending && task.pending->id == input.request;
  if (!current || task.pending->questions.size() == 1) {
    // One value for one question; a request of the past is told by the fingerprint of the whole.
    std::string question = current ? task.pending->questions.front().id : std::string("-");
    answers.push_back(
        answer_to(std::move(question), tasks::AnswerAction::accept, json::canonical(form->root())));
    return answers;
  }
  if (!form->root().is_object() || form->root().size() != task.pending->questions.size()) {
    return std::unexpected(not_an_answer_to_all(task.pending->questions));
  }
  for (const tasks::Question& question : task.pending->questions) {
    const json::Value* value = form->root().find(tasks::answer_name(question));
    if (value == nullptr) return std::unexpected(not_an_answer_to_all(task.pending->questions));
    answers.push_back(answer_to(question.id, tasks::AnswerAction::accept, json::canonical(*value)));
  }
  return answers;
}

awaitable<Result<Accepted>> Gateway::provide_input(Principal who, Input input) {
  auto found = controlled(who, input.task, Access::owner);
  if (!found) co_return std::unexpected(std::move(found.error()));
  const tasks::Task& task = *found;

  tasks::GiveInput give;
  give.request = input.request;
  give.expected = input.expected;
  auto answers = read_answers(task, input);
  if (!answers) co_return std::unexpected(std::move(answers.error()));
  give.answers = *std::move(answers);
  if (input.fingerprint_head && input.value) {
    auto canonical = canonical_arguments(*input.value);
    if (!canonical) co_return std::unexpected(std::move(canonical.error()));
    std::string bytes = *std::move(input.fingerprint_head);
    append_length_prefixed(bytes, *canonical);
    give.fingerprint = sha256(bytes);
  }

  // A trial on the snapshot tells whether the answer would be taken: only then its schema matters,
  // since a request that is over, stale or expired is a conflict whatever the answer says. The
  // commit decides again.
  const tasks::Stamp stamp(clock_.now(), {}, {});
  const tasks::Outcome trial = tasks::apply(task, tasks::Command(give), stamp);
  if (trial.reply.kind == tasks::Reply::Kind::accepted) {
    auto compile_and_check = [&task, &give] { return check_values(task, give.answers); };
    Result<void> checked =
        co_await run_on<Result<void>>(workers_.get_executor(), std::move(compile_and_check));
    if (!checked) co_return std::unexpected(std::move(checked.error()));
  }
  tasks::Command command_value = std::move(give);
  co_return co_await command(std::move(input.task), std::move(command_value),
                             std::move(input.records), false);
}

awaitable<Result<Accepted>> Gateway::cancel(Principal who, Cancellation request) {
  const auto found = controlled(who, request.task, Access::owner_or_operator);
  if (!found) co_return std::unexpected(found.error());
  tasks::Cancel cancel;
  cancel.expected = request.expected;
  cancel.fingerprint = request.fingerprint;
  cancel.reason = std::move(request.reason);
  const bool whatever_revision = !request.expected;
  tasks::Command command_value = std::move(cancel);
  co_return co_await command(std::move(request.task), std::move(command_value),
                             std::move(request.records), whatever_revision);
}

awaitable<Result<void>> Gateway::owner_command(Principal who, std::string task,
                                               tasks::Command asked) {
  const auto found = controlled(who, task, Access::owner);
  if (!found) co_return std::unexpected(found.error());
  auto accepted = co_await command(std::move(task), std::move(asked));
  if (!accepted) co_return std::unexpected(std::move(accepted.error()));
  co_return Result<void>();
}

awaitable<Result<void>> Gateway::hold(Principal who, std::string task) {
  return owner_command(std::move(who), std::move(task), tasks::Hold{});
}

awaitable<Result<void>> Gateway::release(Principal who, std::string task) {
  return owner_command(std::move(who), std::move(task), tasks::Release{});
}

awaitable<Result<Accepted>> Gateway::approve(Principal who, std::string task) {
  const auto found = controlled(who, task, Access::owner_or_operator);
  if (!found) co_return std::unexpected(found.error());
  tasks::Command release = tasks::Release{};
  co_return co_await command(std::move(task), std::move(release));
}

awaitable<Result<void>> Gateway::detach(Principal who, std::string task) {
  return owner_command(std::move(who), std::move(task), tasks::Detach{});
}

awaitable<Result<std::unique_ptr<Watch>>> Gateway::watch(Principal who, std::string task,
                                                         tasks::Sequence after) {
  const auto found = controlled(who, task, Access::owner_or_operator);
  if (!found) co_return std::unexpected(found.error());
  co_return hub_.follow(task, after);
}

}  // namespace interline::engine
