// Builds JSON text. Commas, colons and escapes are the writer's business; order is the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"

namespace interline::json {

/// Appends one JSON value to a string, compactly. Misuse (a value where a name is due, an end that
/// does not match) is a programming error, checked by assert.
///
///   std::string text;
///   Writer w(text);
///   w.begin_object();
///   w.member("city", "Riga");
///   w.name("days"); w.begin_array(); w.value(1); w.value(2); w.end_array();
///   w.end_object();
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void name(std::string_view name);

  void null();
  void value(bool boolean);
  void value(std::int64_t number);
  void value(std::uint64_t number);
  void value(int number) { value(static_cast<std::int64_t>(number)); }
  /// A finite double, as RFC 8785 writes it.
  void value(double number);
  /// Text in valid UTF-8.
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  /// A parsed value, byte for byte as it was received; a default Value, which has no source, is
  /// null.
  void value(const Value& parsed) { raw(parsed.source().empty() ? "null" : parsed.source()); }
  /// Bytes known to be one JSON value.
  void raw(std::string_view json);

  template <class T>
  void member(std::string_view member_name, const T& member_value) {
    name(member_name);
    value(member_value);
  }
  void raw_member(std::string_view member_name, std::string_view json) {
    name(member_name);
    raw(json);
  }

 private:
  void before_value();

  std::string& out_;
  enum class Level : std::uint8_t { array, object };
  std::vector<Level> levels_;
  bool first_ = true;
  bool named_ = false;
};

}  // namespace interline::json
