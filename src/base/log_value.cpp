#include "base/log_value.hpp"

#include <algorithm>

namespace interline {
namespace {

constexpr std::array<std::string_view, 4> kLevels = {"debug", "info", "warning", "error"};
static_assert(kLevels.size() == static_cast<std::size_t>(LogLevel::error) + 1);

std::string text_of(const Error& error) {
  std::string text(to_string(error.kind));
  if (error.reason != ErrorReason::none) {
    text += '/';
    text += to_string(error.reason);
  }
  text += ": ";
  return text += error.message;
}

}  // namespace

std::string_view to_string(LogLevel level) {
  return kLevels.at(static_cast<std::size_t>(level));
}

LogValue::LogValue(const Error& error) : value_(text_of(error)) {}

LogValue LogValue::owned() const {
  if (const auto* text = std::get_if<std::string_view>(&value_)) return std::string(*text);
  return *this;
}

LogValue LogValue::borrowed() const {
  if (const auto* text = std::get_if<std::string>(&value_)) return std::string_view(*text);
  return *this;
}

LogField::LogField(LogKey key, LogValue value)
    : key_(key),
      value_(std::ranges::find(kSecretKeys, key.text()) == kSecretKeys.end() ? std::move(value)
                                                                             : Redacted{}) {}

}  // namespace interline
