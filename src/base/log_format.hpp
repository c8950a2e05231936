// A log record as one line: key=value text for people, or a JSON object for machines.
//
// However hostile the values, a record is one line of printable characters: control characters, the
// line separators of Unicode, invisible and direction-changing ones are written as \uXXXX, bytes
// that are no UTF-8 as U+FFFD. A value is cut after kMaxValueBytes, marked by an ellipsis; fields
// that do not fit kMaxLineBytes are left out and counted as "dropped".
#pragma once

#include <cstddef>
#include <string>

#include "base/log_value.hpp"

namespace interline {

inline constexpr std::size_t kMaxValueBytes = 512;  ///< of the value, before escaping
inline constexpr std::size_t kMaxLineBytes = 4096;  ///< of the whole line, without its line feed

/// 2026-01-01T00:00:00.000Z info task admitted task=4f… peer="alice@example.org/a b"
[[nodiscard]] std::string format_text(const LogRecord& record);
/// {"time":"2026-01-01T00:00:00.000Z","level":"info","message":"task admitted","task":"4f…"}
[[nodiscard]] std::string format_json(const LogRecord& record);

/// The value alone, as format_text writes it but without quotes: for tests that read a log.
[[nodiscard]] std::string format_value(const LogValue& value);

}  // namespace interline
