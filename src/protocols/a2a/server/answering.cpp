#include "protocols/a2a/server/answering.hpp"

#include <algorithm>
#include <optional>

#include "json/writer.hpp"
#include "protocols/a2a/message_arguments.hpp"

namespace interline::protocols::a2a::server {
namespace {

using tasks::AnswerAction;
using tasks::QuestionKind;

const json::Value* member(const json::Value* object, std::string_view name) {
  return object == nullptr ? nullptr : object->find(name);
}

/// `metadata.openwop.interrupt`: who answers a question that way says it all there.
const json::Value* interrupt_of(const Message& message) {
  return member(member(message.metadata, "openwop"), "interrupt");
}

struct ActionRow {
  std::string_view word;
  AnswerAction action;
};
constexpr ActionRow kActions[] = {{"accept", AnswerAction::accept},
                                  {"approve", AnswerAction::accept},
                                  {"decline", AnswerAction::decline},
                                  {"reject", AnswerAction::decline},
                                  {"cancel", AnswerAction::cancel}};

std::optional<AnswerAction> action_of(const json::Value* interrupt) {
  const json::Value* word = member(interrupt, "action");
  const auto said = word == nullptr ? std::nullopt : word->get_string();
  const auto* const row =
      std::ranges::find_if(kActions, [&](const ActionRow& one) { return one.word == said; });
  return row == std::end(kActions) ? std::nullopt : std::optional(row->action);
}

/// The first data part, else the texts: as what the question's form takes a text for.
std::optional<std::string> value_of(const tasks::Question& question, const Message& message) {
  std::string texts;
  bool any = false;
  for (const Part& part : message.parts) {
    if (part.content == Part::Content::data) return std::string(part.data.source());
    if (part.content != Part::Content::text) continue;
    texts.append(any ? "\n" : "").append(part.text);
    any = true;
  }
  if (!any) return std::nullopt;
  std::string quoted;
  json::Writer writer(quoted);
  writer.value(texts);
  const std::string name = text_member(question.schema);
  if (name.empty()) return quoted;
  std::string object;
  json::Writer members(object);
  members.begin_object();
  members.raw_member(name, quoted);
  members.end_object();
  return object;
}

/// One action for everything that is open.
engine::Input all_parts(const tasks::InputRequest& request, AnswerAction action) {
  engine::Input input;
  for (const tasks::Question& question : request.questions) {
    engine::Input::Part part;
    part.question = question.id;
    part.action = action;
    input.parts.push_back(std::move(part));
  }
  return input;
}

bool is_form(const tasks::Question& question) {
  return question.kind == QuestionKind::form;
}

}  // namespace

std::expected<engine::Input, ErrorAnswer> input_of(const tasks::Task& task,
                                                   const Message& message) {
  const tasks::InputRequest& request = *task.pending;
  const json::Value* interrupt = interrupt_of(message);
  const auto action = action_of(interrupt);
  const json::Value* said = member(interrupt, "value");
  engine::Input input;
  if (action && *action != AnswerAction::accept) {
    input = all_parts(request, *action);
  } else if (std::ranges::none_of(request.questions, is_form)) {
    input = all_parts(request, AnswerAction::accept);  // it has been done elsewhere
  } else if (said != nullptr) {
    input.value = std::string(said->source());
  } else {
    input.value = value_of(request.questions.front(), message);
    if (!input.value) {
      return std::unexpected(
          invalid_params("message.parts", "need a text or a data part that answers the question"));
    }
  }
  input.task = task.id();
  input.request = request.id;
  return input;
}

}  // namespace interline::protocols::a2a::server
