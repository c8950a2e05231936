// Reading a JSON object member by member: each is asked for once, the first mistake is kept, and a
// member that nobody asked for is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/instant.hpp"
#include "json/value.hpp"

namespace interline::control {

class Members {
 public:
  /// `object` is any value; one that is no object is a mistake.
  explicit Members(const json::Value& object);

  // Each leaves the value as it is where the member is absent. `longest`: bytes.
  void text(std::string_view name, std::string& value, std::size_t longest = 1'024);
  void required_text(std::string_view name, std::string& value, std::size_t longest = 1'024);
  void text(std::string_view name, std::optional<std::string>& value, std::size_t longest);
  /// Any JSON value, as it was written.
  void json(std::string_view name, std::optional<std::string>& value);
  void integer(std::string_view name, std::optional<std::uint64_t>& value);
  void instant(std::string_view name, std::optional<Instant>& value);
  void texts(std::string_view name, std::optional<std::vector<std::string>>& values,
             std::size_t most);
  /// nullptr where there is none; each element is an object or a mistake.
  [[nodiscard]] const json::Value* objects(std::string_view name, std::size_t most);

  void mistake(std::string_view name, std::string_view what);
  /// Errors: malformed, which names the member.
  [[nodiscard]] Result<void> finish();

 private:
  [[nodiscard]] const json::Value* take(std::string_view name);

  json::Value object_;
  std::size_t taken_ = 0;
  std::vector<std::string_view> known_;
  std::optional<Error> mistake_;
};

}  // namespace interline::control
