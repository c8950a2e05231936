// ${...} in an agent's texts: what a call brings, put where the agent's author wants it.
//
// A placeholder is a path of names with dots: ${arguments.city}, ${answers.confirm.action},
// ${answers.user.value.name}, ${variables.id}, ${uri}. What is not there is an empty text; what is
// no text is written as JSON. "$${" stands for "${".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::runtimes::script {

/// What placeholders can name: one JSON object, with the members of kScopes.
class Known {
 public:
  /// JSON object texts; "" leaves one out.
  struct Parts {
    std::string_view arguments;
    std::string_view answers;
    std::string_view variables;
    std::string_view uri;  ///< a text, not JSON
  };
  explicit Known(const Parts& parts);
  /// nullptr: nothing of that name. Elements of arrays go by their numbers.
  [[nodiscard]] const json::Value* find(std::string_view path) const;

 private:
  std::shared_ptr<const json::Document> document_;
};

/// A text with placeholders.
class TextTemplate {
 public:
  TextTemplate() = default;
  /// malformed: a placeholder that does not end, or that begins with none of the names above.
  [[nodiscard]] static Result<TextTemplate> read(std::string_view text);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] std::string fill(const Known& known) const;
  /// The path of the one placeholder that is the whole text; "".
  [[nodiscard]] std::string_view whole() const;
  [[nodiscard]] bool has_placeholders() const;

 private:
  struct Piece {
    bool placeholder;
    std::string text;  ///< as it stands, or a path
  };
  std::vector<Piece> pieces_;
};

/// What becomes of a text that is one placeholder and nothing else.
enum class Whole : std::uint8_t {
  text,   ///< a text, like any other
  value,  ///< the value that it names, whatever its type; null where there is none
};

/// JSON with placeholders in its texts, names of members left alone.
class JsonTemplate {
 public:
  JsonTemplate() = default;
  /// Takes a copy of the value's source. malformed: as TextTemplate.
  [[nodiscard]] static Result<JsonTemplate> read(const json::Value& value, Whole whole);
  /// JSON that is taken as it is, byte for byte, whatever it looks like.
  [[nodiscard]] static JsonTemplate verbatim(std::string json);

  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::string fill(const Known& known) const;
  /// With its placeholders.
  [[nodiscard]] const std::string& source() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const json::Document> document_;  // none: there is nothing to fill in
  Whole whole_ = Whole::text;
};

/// The text with each "${" doubled, so that it comes through a template unchanged.
[[nodiscard]] std::string without_placeholders(std::string_view text);

}  // namespace interline::runtimes::script
