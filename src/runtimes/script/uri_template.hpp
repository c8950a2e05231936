// URI templates of RFC 6570, level 1: "weather://{city}/today". Matching, not expansion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace interline::runtimes::script {

class UriTemplate {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  UriTemplate() = default;
  /// malformed: a brace without its partner, an operator ("{+path}"), two expressions side by side,
  /// a name that comes twice, no expression at all.
  [[nodiscard]] static Result<UriTemplate> read(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::vector<std::string_view> names() const;
  /// The variables' values, percent-decoded, where the URI is an expansion of this: a value is not
  /// empty and has none of RFC 3986's reserved characters.
  [[nodiscard]] std::optional<Variables> match(std::string_view uri) const;

 private:
  struct Part {
    std::string name;   ///< "" before the first expression
    std::string after;  ///< what stands after it
  };
  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace interline::runtimes::script
