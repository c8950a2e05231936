// The formats of JSON Schema 2020-12 Validation, section 7.3, for those who ask that `format`
// asserts: each a strict check of the grammar that the section cites.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace interline::schema {

enum class Format : std::uint8_t {
  date_time,
  date,
  time,
  duration,
  email,
  idn_email,
  hostname,
  idn_hostname,
  ipv4,
  ipv6,
  uri,
  uri_reference,
  iri,
  iri_reference,
  uuid,
  uri_template,
  json_pointer,
  relative_json_pointer,
  regex,
};

/// The format of that name ("date-time"); nothing for names the specification does not define.
[[nodiscard]] std::optional<Format> format_named(std::string_view name);

/// Whether `text` (valid UTF-8) is in the format. Linear in the text. A `regex` beyond
/// PatternLimits is none.
[[nodiscard]] bool holds(Format format, std::string_view text);

}  // namespace interline::schema
