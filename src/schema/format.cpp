#include "schema/format.hpp"

#include <array>

#include "schema/format_grammar.hpp"
#include "schema/pattern.hpp"

namespace interline::schema {
namespace {

bool regex(std::string_view text) {
  return check_pattern(text).has_value();
}

struct Row {
  Format format;
  std::string_view name;
  bool (*holds)(std::string_view);
};

/// JSON Schema Validation 2020-12, section 7.3, in the order of the enumeration.
constexpr std::array kFormats = {
    Row{Format::date_time, "date-time", grammar::date_time},
    Row{Format::date, "date", grammar::date},
    Row{Format::time, "time", grammar::time},
    Row{Format::duration, "duration", grammar::duration},
    Row{Format::email, "email", grammar::email},
    Row{Format::idn_email, "idn-email", grammar::idn_email},
    Row{Format::hostname, "hostname", grammar::hostname},
    Row{Format::idn_hostname, "idn-hostname", grammar::idn_hostname},
    Row{Format::ipv4, "ipv4", grammar::ipv4},
    Row{Format::ipv6, "ipv6", grammar::ipv6},
    Row{Format::uri, "uri", grammar::uri},
    Row{Format::uri_reference, "uri-reference", grammar::uri_reference},
    Row{Format::iri, "iri", grammar::iri},
    Row{Format::iri_reference, "iri-reference", grammar::iri_reference},
    Row{Format::uuid, "uuid", grammar::uuid},
    Row{Format::uri_template, "uri-template", grammar::uri_template},
    Row{Format::json_pointer, "json-pointer", grammar::json_pointer},
    Row{Format::relative_json_pointer, "relative-json-pointer", grammar::relative_json_pointer},
    Row{Format::regex, "regex", regex},
};

consteval bool rows_follow_the_enumeration() {
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (static_cast<std::size_t>(kFormats[i].format) != i) return false;
  }
  return kFormats.size() == static_cast<std::size_t>(Format::regex) + 1;
}
static_assert(rows_follow_the_enumeration());

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (const Row& row : kFormats) {
    if (row.name == name) return row.format;
  }
  return std::nullopt;
}

bool holds(Format format, std::string_view text) {
  return kFormats[static_cast<std::size_t>(format)].holds(text);
}

}  // namespace interline::schema
