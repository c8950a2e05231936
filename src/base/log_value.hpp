// What a log line is made of: a fixed message, and fields of a fixed key and a value.
//
// Messages and keys are literals, checked when they are compiled, so nothing that came from outside
// can stand where a reader looks for our own words. What came from outside is a value: escaped and
// cut when written. Values that are Secret, or stand under a key in kSecretKeys, are never written.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/instant.hpp"
#include "base/secret.hpp"

namespace interline {

enum class LogLevel : std::uint8_t { debug, info, warning, error };

/// "debug", "info", "warning", "error".
[[nodiscard]] std::string_view to_string(LogLevel level);

/// Keys whose values are redacted whatever they are. A second line of defence: the first is Secret.
inline constexpr std::array<std::string_view, 8> kSecretKeys = {
    "api_key",  "authorization", "cookie", "credential",
    "password", "private_key",   "secret", "token"};

/// A literal of printable ASCII.
class LogMessage {
 public:
  template <std::size_t size>
  // NOLINTNEXTLINE(google-explicit-constructor): log.info("text") is the point
  consteval LogMessage(const char (&literal)[size]) : text_(literal, size - 1) {
    for (const char c : text_) {
      if (c < ' ' || c > '~') throw "a log message is printable ASCII";
    }
    if (text_.size() > 200) throw "a log message is at most 200 bytes";
  }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// A literal of [a-z0-9_], at most 32 bytes, none of the names every line has.
class LogKey {
 public:
  template <std::size_t size>
  // NOLINTNEXTLINE(google-explicit-constructor): {"task", id} is the point
  consteval LogKey(const char (&literal)[size]) : text_(literal, size - 1) {
    for (const char c : text_) {
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) {
        throw "a log key consists of a-z, 0-9 and _";
      }
    }
    if (text_.empty() || text_.size() > 32) throw "a log key has 1 to 32 bytes";
    for (const std::string_view reserved : {"time", "level", "message", "dropped"}) {
      if (text_ == reserved) throw "every line has this key already";
    }
  }
  [[nodiscard]] std::string_view text() const { return text_; }
  friend bool operator==(const LogKey&, const LogKey&) = default;

 private:
  std::string_view text_;
};

struct Redacted {};

/// A value as given; texts are looked at, not copied, and must outlive the call.
class LogValue {
 public:
  using Variant = std::variant<Redacted, bool, std::int64_t, std::uint64_t, double,
                               std::string_view, std::string>;

  template <std::same_as<bool> T>
  LogValue(T value) : value_(value) {}
  template <std::signed_integral T>
  LogValue(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) LogValue(T value) : value_(static_cast<std::uint64_t>(value)) {}
  LogValue(double value) : value_(value) {}
  LogValue(std::string_view text) : value_(text) {}
  LogValue(const std::string& text) : value_(std::string_view(text)) {}
  LogValue(std::string&& text) : value_(std::move(text)) {}
  LogValue(const char* text) : value_(std::string_view(text)) {}
  LogValue(const Instant& instant) : value_(instant.text()) {}
  /// "conflict/stale_revision: the message".
  LogValue(const Error& error);
  LogValue(const Secret&) : value_(Redacted{}) {}
  LogValue(Redacted) : value_(Redacted{}) {}
  LogValue(const void*) = delete;

  [[nodiscard]] const Variant& variant() const { return value_; }
  /// The same value with its text copied; or with a view of the text of this one.
  [[nodiscard]] LogValue owned() const;
  [[nodiscard]] LogValue borrowed() const;

 private:
  Variant value_;
};

class LogField {
 public:
  LogField(LogKey key, LogValue value);
  [[nodiscard]] std::string_view key() const { return key_.text(); }
  [[nodiscard]] const LogValue& value() const { return value_; }
  [[nodiscard]] LogField owned() const { return {key_, value_.owned()}; }
  [[nodiscard]] LogField borrowed() const { return {key_, value_.borrowed()}; }

 private:
  LogKey key_;
  LogValue value_;
};

/// One line, as a sink gets it; everything in it lives as long as the call. No key occurs twice.
struct LogRecord {
  LogRecord(SystemTime when, LogLevel how, std::string_view what, std::span<const LogField> with)
      : time(when), level(how), message(what), fields(with) {}

  SystemTime time;
  LogLevel level;
  std::string_view message;
  std::span<const LogField> fields;
};

}  // namespace interline
