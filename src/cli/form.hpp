// A task's questions as a conversation of lines: what to show, what was typed, what to send. No
// I/O, so that every turn can be tested.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"
#include "schema/schema.hpp"

namespace interline::cli {

/// One thing to type: a property of a question's schema, or the question's whole value.
struct FormField {
  std::string name;                  ///< of the property; "" for the whole value
  std::string label;                 ///< printable
  std::string schema;                ///< JSON text
  bool required = true;              ///< else an empty line leaves it out
  std::string default_value;         ///< JSON text or ""
  std::vector<std::string> choices;  ///< JSON texts, where the schema lists them
};

class Form {
 public:
  /// `questions` as a task's `pending` has them.
  explicit Form(const json::Value& questions);

  /// To be shown before the next line is read; ends with "> ".
  [[nodiscard]] std::string prompt() const;
  /// Takes a line. What is wrong with it, in a sentence, after which the same is asked again; ""
  /// where it was taken.
  [[nodiscard]] std::string feed(std::string_view line);
  [[nodiscard]] bool finished() const { return question_ == questions_.size(); }
  /// Once finished: the body of an answer to that request.
  [[nodiscard]] std::string answer(std::string_view request) const;

 private:
  struct Question {
    std::string id;
    std::string kind;
    std::string text;
    std::string url;
    std::string schema;
    std::vector<FormField> fields;
    std::string action;  // "accept", "decline", "cancel"
    std::string value;
  };
  [[nodiscard]] std::string read_field(const FormField& field, std::string_view line,
                                       std::optional<std::string>& value) const;
  [[nodiscard]] std::string finish_question();
  void next_question(std::string action, std::string value);

  std::vector<Question> questions_;
  std::size_t question_ = 0;
  std::size_t field_ = 0;
  std::vector<std::optional<std::string>> values_;  // of the present question's fields
};

/// A value that such a schema might take, for an example of a command.
[[nodiscard]] std::string example_value(const json::Value& schema);

/// The schema's fields: its properties where it is an object's, else the whole value.
[[nodiscard]] std::vector<FormField> fields_of(const json::Value& schema);

}  // namespace interline::cli
