#include "cli/question_text.hpp"

#include <string_view>

#include "cli/form.hpp"
#include "cli/gateway_verb.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

constexpr std::size_t kNameColumn = 12;

std::string line(const std::string& name, const std::string& text) {
  if (text.empty()) return {};
  return name + std::string(name.size() < kNameColumn ? kNameColumn - name.size() : 1, ' ') + text +
         "\n";
}

const json::Value* schema_of(const json::Value& pending) {
  const json::Value* body = pending.find("body");
  return body == nullptr ? nullptr : body->find("inputSchema");
}

/// The member of an answer to several questions that is the one with this schema's place in it.
std::string member_of(const json::Value& pending, std::size_t question) {
  const json::Value* schema = schema_of(pending);
  const json::Value* properties = schema == nullptr ? nullptr : schema->find("properties");
  if (properties == nullptr || !properties->is_object() || question >= properties->size()) {
    return {};
  }
  return schema::printable(properties->members()[question].name());
}

}  // namespace

bool may_answer(const json::Value& pending) {
  return shown(pending, "mayAnswer") != "false";
}

std::string answer_line(const json::Value& task, const std::string& answer_command,
                        const std::string& options) {
  const json::Value* pending = task.find("pending");
  if (pending == nullptr) return {};
  if (!may_answer(*pending)) return "only " + shown(task, "owner") + " can answer";
  const json::Value* schema = schema_of(*pending);
  const std::string example = schema == nullptr ? R"("...")" : example_value(*schema);
  return "answer with: " + answer_command + " " + schema::printable(shell_word(example)) + options;
}

std::string question_text(const json::Value& task, const std::string& answer_command,
                          const std::string& options) {
  const json::Value* pending = task.find("pending");
  const json::Value* questions = pending == nullptr ? nullptr : pending->find("questions");
  if (questions == nullptr || !questions->is_array()) return {};
  std::string text;
  if (const json::Value* body = pending->find("body")) {
    text += line("request", shown(*body, "requestId"));  // as tasks answer --request takes it
  }
  for (std::size_t i = 0; i < questions->size(); ++i) {
    const json::Value& question = questions->items()[i];
    text += line("question", shown(question, "text"));
    if (questions->size() > 1) text += line("  member", member_of(*pending, i));
    text += line("  open", shown(question, "url"));
    text += line("  schema", shown(question, "schema"));
    text += line("  expires", shown(question, "expires"));
  }
  return text + answer_line(task, answer_command, options) + "\n";
}

}  // namespace interline::cli
