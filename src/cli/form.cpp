#include "cli/form.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "cli/form_value.hpp"
#include "cli/task_text.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

constexpr std::string_view kDecline = "/decline";
constexpr std::string_view kCancel = "/cancel";
constexpr std::size_t kLongestText = 2'000;

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? "" : std::string(value->get_string().value_or(""));
}

std::string shown_text(std::string_view text) {
  return schema::printable(schema::bounded(text, kLongestText));
}

/// Why a value is not what its schema wants; "" where it is, or where the schema cannot be judged
/// alone (it refers to what surrounds it): the gateway judges the whole answer anyway.
std::string objection(const std::string& schema_text, const std::string& value_text) {
  const auto schema_json = json::parse_borrowed(schema_text);
  const auto value = json::parse_borrowed(value_text);
  if (!value) return json::to_string(value.error());
  const auto compiled = schema_json ? schema::Schema::compile(schema_json->root())
                                    : std::unexpected(schema::CompileError(
                                          schema::CompileErrorCode::not_a_schema, "", "", ""));
  if (!compiled) return {};
  const schema::Report report = compiled->report(value->root());
  if (report.verdict != schema::Verdict::invalid) return {};
  std::string text;
  for (const schema::ValidationError& error : report.errors) {
    text += (text.empty() ? "" : "; ") +
            (error.instance_location.empty() ? "" : shown_text(error.instance_location) + " ") +
            error.message;
  }
  return text.empty() ? "that is not what is asked for" : text;
}

}  // namespace

Form::Form(const json::Value& questions) {
  if (questions.is_array()) {
    for (const json::Value& item : questions.items()) {
      Question question;
      question.id = text_of(item, "id");
      question.kind = text_of(item, "kind");
      question.text = text_of(item, "text");
      question.url = text_of(item, "url");
      const json::Value* schema = item.find("schema");
      question.schema = schema == nullptr ? "{}" : std::string(schema->source());
      if (question.kind != "url" && schema != nullptr) question.fields = fields_of(*schema);
      questions_.push_back(std::move(question));
    }
  }
  if (!finished()) values_.resize(questions_.front().fields.size());
}

std::string Form::prompt() const {
  const Question& question = questions_[question_];
  std::string text;
  if (field_ == 0) {
    const std::string_view asked = question.text;
    text +=
        printable_lines(schema::bounded(asked.empty() ? "Input is needed." : asked, kLongestText)) +
        "\n";
    if (!question.url.empty()) text += "Open " + shown_text(question.url) + "\n";
    text += "(/decline answers that you will not say, /cancel that the question is dismissed)\n";
  }
  if (question.fields.empty()) return text + "Press Enter when it is done> ";
  const FormField& field = question.fields[field_];
  for (std::size_t i = 0; i < field.choices.size(); ++i) {
    text += "  " + std::to_string(i + 1) + ") " + shown_text(choice_text(field.choices[i])) + "\n";
  }
  text += field.label;
  if (!field.default_value.empty()) {
    text += " [" + shown_text(choice_text(field.default_value)) + "]";
  } else if (!field.required) {
    text += " [leave out]";
  }
  return text + "> ";
}

std::string Form::read_field(const FormField& field, std::string_view line,
                             std::optional<std::string>& value) const {
  if (line.empty() && !field.default_value.empty()) {
    value = field.default_value;
    return {};
  }
  if (line.empty() && !field.required) return {};
  auto read = value_of_line(field, line);
  if (!read) return read.error();
  std::string wrong = objection(field.schema, *read);
  if (wrong.empty()) value = *std::move(read);
  return wrong;
}

void Form::next_question(std::string action, std::string value) {
  questions_[question_].action = std::move(action);
  questions_[question_].value = std::move(value);
  ++question_;
  field_ = 0;
  values_.clear();
  if (!finished()) values_.resize(questions_[question_].fields.size());
}

std::string Form::finish_question() {
  const Question& question = questions_[question_];
  std::string value = "null";
  if (!question.fields.empty() && question.fields.front().name.empty()) {
    value = values_.front().value_or("null");
  } else if (!question.fields.empty()) {
    value.clear();
    json::Writer writer(value);
    writer.begin_object();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i]) writer.raw_member(question.fields[i].name, *values_[i]);
    }
    writer.end_object();
  }
  const std::string wrong = question.fields.empty() ? "" : objection(question.schema, value);
  if (wrong.empty()) {
    next_question("accept", std::move(value));
    return {};
  }
  field_ = 0;  // what does not fit together is asked anew
  std::ranges::fill(values_, std::nullopt);
  return wrong;
}

std::string Form::feed(std::string_view line) {
  if (finished()) return {};
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  if (line == kDecline || line == kCancel) {
    next_question(line == kDecline ? "decline" : "cancel", {});
    return {};
  }
  const Question& question = questions_[question_];
  if (question.fields.empty()) return finish_question();
  std::string wrong = read_field(question.fields[field_], line, values_[field_]);
  if (!wrong.empty()) return wrong;
  ++field_;
  return field_ == question.fields.size() ? finish_question() : std::string();
}

std::string Form::answer(std::string_view request) const {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("request", request);
  writer.name("answers");
  writer.begin_array();
  for (const Question& question : questions_) {
    writer.begin_object();
    writer.member("question", std::string_view(question.id));
    writer.member("action", std::string_view(question.action));
    if (question.action == "accept") writer.raw_member("value", question.value);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return text;
}

}  // namespace interline::cli
