#include "protocols/mcp/server/rounds.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "protocols/mcp/server/round_payload.hpp"
#include "protocols/mcp/server/used_states.hpp"
#include "schema/schema.hpp"

namespace interline::protocols::mcp::server {
namespace {

SealScope scope_of(const Asked& asked) {
  return {"state", asked.who.text(), asked.message.method,
          salient_digest(asked.message.method, asked.message.params), asked.endpoint};
}

std::string canonical_text(std::string_view json) {
  const auto parsed = json::parse_borrowed(json, jsonrpc::limits_for(json.size()));
  return parsed ? json::canonical(parsed->root()) : std::string(json);
}

/// An accepted value that its question's schema refuses is as good as none.
bool fits(const InputQuestion& question, const InputAnswer& answer) {
  const bool has_schema = question.kind == tasks::QuestionKind::form && !question.schema.empty();
  if (!has_schema || answer.action != tasks::AnswerAction::accept) return true;
  const auto schema = json::parse_borrowed(question.schema);
  const auto value = json::parse_borrowed(answer.value);
  if (!schema || !value) return false;
  const auto compiled = schema::Schema::compile(schema->root());
  return compiled && compiled->validate(value->root()) == schema::Verdict::valid;
}

tasks::Answer agent_answer(const InputAnswer& given) {
  tasks::Answer answer;
  answer.key = given.key;
  answer.action = given.action;
  if (!given.value.empty()) answer.value = canonical_text(given.value);
  return answer;
}

/// Takes the answers to open questions out of them; malformed ones are an error.
Result<void> take_answers(Round& round, const json::Value& responses, Revision revision) {
  const auto answers = read_input_responses(responses, round.questions, revision);
  if (!answers) return std::unexpected(answers.error());
  for (const InputAnswer& given : *answers) {
    const auto question = std::ranges::find(round.questions, given.key, &InputQuestion::key);
    if (!fits(*question, given)) continue;
    round.answers.push_back(agent_answer(given));
    round.questions.erase(question);
  }
  // The order in which a client writes them is nothing that it says.
  std::ranges::sort(round.answers, {}, &tasks::Answer::key);
  return {};
}

ErrorAnswer state_refused() {
  return invalid_params("The requestState is not one that was given for this request.");
}

InputQuestion input_question_of(const engine::AskedQuestion& asked) {
  InputQuestion question;
  question.key = asked.key;
  question.kind = asked.kind;
  question.text = asked.text;
  question.schema = asked.schema;
  question.url = asked.url;
  return question;
}

ErrorAnswer too_many_rounds() {
  Error error(ErrorKind::resource_constraint, ErrorReason::too_many,
              "This asks more often than is allowed here.");
  return to_answer(error);
}

}  // namespace

std::expected<Round, ErrorAnswer> open_round(Core& core, const Asked& asked,
                                             const RetryParams& retry) {
  if (!retry.state) return Round();
  auto opened = core.sealer.open(scope_of(asked), *retry.state, core.clock.now());
  if (!opened) return std::unexpected(state_refused());
  auto round = read_payload(opened->payload);
  if (!round) return std::unexpected(state_refused());
  if (round->token.empty()) round->token = std::move(opened->id);
  if (!round->task.empty() || retry.responses == nullptr) return *std::move(round);
  if (auto taken = take_answers(*round, *retry.responses, asked.revision); !taken) {
    return std::unexpected(invalid_params(taken.error().message));
  }
  return *std::move(round);
}

Round next_round(const Asked& asked, const Round& before, const engine::Consulted& said) {
  Round round;
  if (!before.token.empty()) {
    const Digest use = use_of(asked, before.answers);
    round.token = to_hex(hmac_sha256(before.token, as_text(use)));
  }
  round.number = before.number + 1;
  round.state = said.state;
  for (const engine::AskedQuestion& question : said.questions) {
    round.questions.push_back(input_question_of(question));
  }
  return round;
}

Answer ask_again(Core& core, const Asked& asked, Round round) {
  if (round.number > core.settings.max_rounds) return refuse(too_many_rounds());
  const auto missing = missing_for(round.questions, asked.meta.capabilities);
  if (!missing.empty()) return refuse(missing_capability(missing));
  const std::string requests =
      input_requests(round.questions, asked.meta.capabilities, asked.revision);
  const std::string state = core.sealer.seal(scope_of(asked), write_payload(round),
                                             core.clock.now() + core.settings.state_life);
  if (state.size() > kMaxRequestState) return refuse(internal_error());
  return input_required_result(core.envelope(asked), requests, state);
}

awaitable<Result<engine::Consulted>> consult_once(Core& core, const Asked& asked,
                                                  std::string endpoint,
                                                  engine::Consultation consultation) {
  auto withdrawal = std::make_shared<engine::Withdrawal>();
  const WhileReading reading(*asked.sink, [withdrawal] { withdrawal->withdraw(); });
  co_return co_await core.engine.consult(asked.who, std::move(endpoint), std::move(consultation),
                                         withdrawal);
}

awaitable<Prepared> consult(Core& core, const Asked& asked, std::string endpoint,
                            engine::Consultation consultation, const RetryParams& retry) {
  Prepared prepared;
  auto opened = open_round(core, asked, retry);
  if (!opened) {
    prepared.answer = refuse(std::move(opened.error()));
    co_return prepared;
  }
  prepared.round = *std::move(opened);
  consultation.answerable = answerable(asked.meta.capabilities);
  for (;;) {
    Round& round = prepared.round;
    if (round.questions.empty()) {
      if (!round.token.empty()) {
        const Result<void> used =
            co_await use_state(core, asked, round.token, use_of(asked, round.answers));
        if (!used) {
          prepared.answer = refuse(used.error());
          co_return prepared;
        }
      }
      engine::Consultation again = consultation;
      again.state = round.state;
      again.answers = round.answers;
      auto said = co_await consult_once(core, asked, endpoint, std::move(again));
      if (!said) {
        prepared.error = std::move(said.error());
        co_return prepared;
      }
      if (said->questions.empty()) {
        prepared.said = *std::move(said);
        co_return prepared;
      }
      round = next_round(asked, round, *said);
      // A client that knows what will be asked may answer at once.
      if (!retry.state && retry.responses != nullptr) {
        if (auto taken = take_answers(round, *retry.responses, asked.revision); !taken) {
          prepared.answer = refuse(invalid_params(taken.error().message));
          co_return prepared;
        }
        if (round.questions.empty() && round.number <= core.settings.max_rounds) continue;
      }
    } else {
      ++round.number;  // what was left out is asked once more
    }
    if (is_modern(asked.revision) || asked.link == nullptr) {
      prepared.answer = ask_again(core, asked, round);
      co_return prepared;
    }
    if (round.number > core.settings.max_rounds) {
      prepared.answer = refuse(too_many_rounds());
      co_return prepared;
    }
    if (!missing_for(round.questions, asked.meta.capabilities).empty()) {
      prepared.error = Error(ErrorKind::not_acceptable, "This asks what the client cannot answer.");
      co_return prepared;
    }
    auto answers = co_await asked.link->ask(round.questions);
    if (!answers) {
      prepared.error = std::move(answers.error());
      co_return prepared;
    }
    for (const InputAnswer& given : *answers) {
      const auto question = std::ranges::find(round.questions, given.key, &InputQuestion::key);
      if (question == round.questions.end() || !fits(*question, given)) continue;
      round.answers.push_back(agent_answer(given));
      round.questions.erase(question);
    }
  }
}

// --- of a task ----------------------------------------------------------------------------------

std::vector<InputQuestion> task_questions(const tasks::Task& task) {
  std::vector<InputQuestion> questions;
  if (!task.pending) return questions;
  for (const tasks::Question& question : task.pending->questions) {
    questions.push_back(input_question(question, std::string_view()));
  }
  return questions;
}

awaitable<std::optional<ErrorAnswer>> give_answers(Core& core, const Asked& asked,
                                                   const tasks::Task& task,
                                                   std::vector<InputAnswer> answers,
                                                   std::vector<engine::RecordChange> records) {
  if (answers.empty()) co_return std::nullopt;
  engine::Input input;
  input.task = task.id();
  input.records = std::move(records);
  for (InputAnswer& answer : answers) {
    engine::Input::Part part;
    part.question = std::move(answer.key);
    part.action = answer.action;
    part.value = std::move(answer.value);
    input.parts.push_back(std::move(part));
  }
  const auto given = co_await core.engine.provide_input(asked.who, std::move(input));
  if (given) co_return std::nullopt;
  const Error& error = given.error();
  // Somebody else answered, it was cancelled or has settled meanwhile (then there is no such
  // question any more): what the task says next is the answer.
  if (error.kind == ErrorKind::conflict || error.kind == ErrorKind::not_found) {
    co_return std::nullopt;
  }
  // The value does not fit: it is asked again.
  if (error.kind == ErrorKind::not_acceptable) co_return std::nullopt;
  co_return to_answer(error);
}

awaitable<Answer> ask_by_result(Core& core, const Asked& asked, tasks::Task task) {
  Round round;
  round.task = task.id();
  const auto questions = task_questions(task);
  const auto missing = missing_for(questions, asked.meta.capabilities);
  if (!missing.empty()) co_return refuse(missing_capability(missing));
  const Result<void> detached = co_await core.engine.detach(asked.who, task.id());
  if (!detached) co_return refuse(detached.error());
  const std::string requests = input_requests(questions, asked.meta.capabilities, asked.revision);
  const std::string state = core.sealer.seal(scope_of(asked), write_payload(round),
                                             core.clock.now() + core.settings.state_life);
  co_return input_required_result(core.envelope(asked), requests, state);
}

}  // namespace interline::protocols::mcp::server
