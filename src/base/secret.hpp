// A text that must not be printed: passwords, keys, tokens, shared secrets.
#pragma once

#include <string_view>
#include <vector>

namespace interline {

/// Owns the text, has no way into a log (it is written as [redacted], see log_value.hpp) and wipes
/// its memory when it goes. Take it out with reveal(), where it is used and nowhere else.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text) : text_(text.begin(), text.end()) {}
  Secret(const Secret&) = default;
  Secret(Secret&&) noexcept = default;
  Secret& operator=(Secret other) noexcept;
  ~Secret();

  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::string_view reveal() const { return {text_.data(), text_.size()}; }

 private:
  std::vector<char> text_;  // a vector hands over its memory when moved; a string may copy it
};

}  // namespace interline
