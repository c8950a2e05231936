#include "engine/consultation_rules.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/utf8.hpp"
#include "json/parse.hpp"
#include "tasks/give_input.hpp"

namespace interline::engine {
namespace {

using Kind = ConsultationKind;
using policy::Offering;
using policy::RateClass;

constexpr std::array<ConsultationRow, kConsultationKindCount> kRows = {{
    {Kind::list_prompts, RateClass::metadata, Offering::prompt, json::Kind::array, "name", false},
    {Kind::list_resources, RateClass::metadata, Offering::resource, json::Kind::array, "uri",
     false},
    {Kind::list_resource_templates, RateClass::metadata, Offering::resource, json::Kind::array,
     "uriTemplate", false},
    {Kind::get_prompt, RateClass::metadata, Offering::prompt, json::Kind::object, "", true},
    {Kind::read_resource, RateClass::metadata, Offering::resource, json::Kind::object, "", true},
    {Kind::complete, RateClass::metadata, std::nullopt, json::Kind::object, "", false},
    {Kind::prepare, RateClass::invoke, std::nullopt, json::Kind::null, "", true},
}};
static_assert([] {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].kind) != i) return false;
  }
  return true;
}());

constexpr std::size_t kLongestMessage = 4'096;

json::Limits limits_of(std::size_t bytes, std::size_t depth) {
  json::Limits limits;
  limits.bytes = bytes;
  limits.string_bytes = bytes;
  limits.depth = depth;
  return limits;
}

std::unexpected<Error> too_large(std::string message) {
  return fail(ErrorKind::resource_constraint, ErrorReason::too_large, std::move(message));
}

std::unexpected<Error> broken(std::string message) {
  return fail(ErrorKind::internal, std::move(message));
}

std::string_view text_member(const json::Value& object, std::string_view name) {
  const json::Value* member = object.find(name);
  return member != nullptr && member->is_string() ? member->as_string() : std::string_view();
}

Result<void> check_questions(const std::vector<AskedQuestion>& questions,
                             const OutputLimits& limits) {
  if (questions.size() > tasks::kMaxOpenQuestions) {
    return broken("The agent asks too many questions at once.");
  }
  std::set<std::string_view> keys;
  std::size_t bytes = 0;
  for (const AskedQuestion& question : questions) {
    bytes += question.text.size() + question.url.size() + question.key.size();
    if (question.key.empty() || !keys.insert(question.key).second) {
      return broken("The agent asks questions that cannot be told apart.");
    }
    if (const Result<void> checked = check_question(question, limits); !checked) {
      return broken("A question of the agent cannot be asked: " + checked.error().message);
    }
  }
  if (bytes > limits.result_bytes) return broken("The agent's questions are too large.");
  return {};
}

}  // namespace

const ConsultationRow& row_of(ConsultationKind kind) {
  return kRows.at(static_cast<std::size_t>(kind));
}

Result<void> check_sizes(const Consultation& asked, const ConsultationLimits& limits) {
  if (asked.subject.size() > limits.subject_bytes) return too_large("The name is too long.");
  if (asked.params.size() > limits.params_bytes) return too_large("The arguments are too large.");
  if (asked.state && asked.state->size() > limits.output.memory_bytes) {
    return too_large("The state is too large.");
  }
  if (asked.answers.size() > tasks::kMaxOpenQuestions) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_many, "Too many answers.");
  }
  for (const tasks::Answer& answer : asked.answers) {
    if (answer.key.size() > limits.subject_bytes || answer.value.size() > limits.answer_bytes) {
      return too_large("An answer is too large.");
    }
  }
  return {};
}

Result<void> check_prompt_arguments(std::string_view params, const ConsultationLimits& limits) {
  if (params.empty()) return {};
  const auto document =
      json::parse_borrowed(params, limits_of(limits.params_bytes, limits.json_depth));
  if (!document) return std::unexpected(json::to_error(document.error()));
  const json::Value& root = document->root();
  const bool strings =
      root.is_object() && std::ranges::all_of(root.members(), [](const json::Member& member) {
        return member.value.is_string();
      });
  if (!strings) return fail(ErrorKind::malformed, "A prompt's arguments are an object of strings.");
  return {};
}

Result<CompletionReference> read_reference(std::string_view params,
                                           const ConsultationLimits& limits) {
  const auto document =
      json::parse_borrowed(params, limits_of(limits.params_bytes, limits.json_depth));
  if (!document) return std::unexpected(json::to_error(document.error()));
  const json::Value& root = document->root();
  const json::Value* reference = root.is_object() ? root.find("ref") : nullptr;
  if (reference != nullptr && reference->is_object()) {
    const std::string_view type = text_member(*reference, "type");
    const bool prompt = type == "ref/prompt";
    const std::string_view name = text_member(*reference, prompt ? "name" : "uri");
    if (!name.empty() && (prompt || type == "ref/resource")) {
      return CompletionReference{prompt ? Offering::prompt : Offering::resource, std::string(name)};
    }
  }
  return fail(ErrorKind::malformed, "The completion refers to no prompt and to no resource.");
}

Result<Consulted> check_answer(Consulted answer, const ConsultationRow& row,
                               const ConsultationLimits& limits) {
  if (answer.state && answer.state->size() > limits.output.memory_bytes) {
    return broken("The agent leaves more state than this gateway keeps.");
  }
  if (!answer.questions.empty()) {
    if (!row.may_ask) return broken("The agent asks where it may not.");
    answer.result.clear();
    const Result<void> checked = check_questions(answer.questions, limits.output);
    if (!checked) return std::unexpected(checked.error());
    return answer;
  }
  if (row.answer == json::Kind::null) {
    answer.result.clear();
    return answer;
  }
  answer.state.reset();
  if (answer.result.size() > limits.output.result_bytes) {
    return broken("The agent's answer is larger than this gateway passes on.");
  }
  const auto document = json::parse_borrowed(
      answer.result, limits_of(limits.output.result_bytes, limits.output.json_depth),
      json::Numbers::faithful);
  if (!document || document->root().kind() != row.answer) {
    return broken("The agent's answer is not what was asked for.");
  }
  return answer;
}

bool is_costly(const Consulted& answer) {
  return !answer.questions.empty() || answer.result.size() > kCheckInPlace;
}

std::string only_usable(std::string_view list, const ConsultationRow& row,
                        const ConsultationLimits& limits,
                        const std::function<bool(std::string_view)>& usable) {
  std::string kept = "[";
  const auto document =
      json::parse_borrowed(list, limits_of(limits.output.result_bytes, limits.output.json_depth),
                           json::Numbers::faithful);
  if (document && document->root().is_array()) {
    for (const json::Value& entry : document->root().items()) {
      const std::string_view name =
          entry.is_object() ? text_member(entry, row.named_by) : std::string_view();
      if (name.empty() || name.size() > limits.subject_bytes || !usable(name)) continue;
      if (kept.size() > 1) kept.push_back(',');
      kept.append(entry.source());
    }
  }
  return kept.append("]");
}

Error safe_refusal(Error error) {
  switch (error.kind) {
    case ErrorKind::not_found:
    case ErrorKind::malformed:
    case ErrorKind::not_acceptable:
    case ErrorKind::unavailable:
    case ErrorKind::internal:
      break;
    case ErrorKind::resource_constraint:
      error.kind = ErrorKind::unavailable;
      break;
    default:
      error.kind = ErrorKind::internal;
  }
  error.message = cut_utf8(error.message, kLongestMessage);
  return {error.kind, std::move(error.message)};
}

}  // namespace interline::engine
