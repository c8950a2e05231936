#include "bindings/mcp/media_types.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "net/http/text.hpp"

namespace interline::mcp {
namespace {

using net::http::trim;

/// What stands before the next separator, which goes too.
std::string_view take(std::string_view& text, char separator) {
  const auto at = std::min(text.find(separator), text.size());
  const std::string_view part = trim(text.substr(0, at));
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

/// RFC 9110, 12.4.2: a weight of zero is "not acceptable".
bool has_no_weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = take(parameters, ';');
    if (parameter.size() < 3 || !equals_without_case(parameter.substr(0, 2), "q=")) continue;
    const std::string_view weight = parameter.substr(2);
    return weight.find_first_not_of("0.") == std::string_view::npos;
  }
  return false;
}

/// By the charset among a type's parameters. There is none but UTF-8 (RFC 8259, 8.1), which some
/// name.
bool is_utf8(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view parameter = take(parameters, ';');
    if (!equals_without_case(take(parameter, '='), "charset")) continue;
    if (parameter.size() >= 2 && parameter.front() == '"' && parameter.back() == '"') {
      parameter = parameter.substr(1, parameter.size() - 2);
    }
    if (!equals_without_case(parameter, "utf-8")) return false;
  }
  return true;
}

bool matches(std::string_view range, std::string_view type) {
  if (range == "*/*" || equals_without_case(range, type)) return true;
  const auto slash = range.find('/');
  return slash != std::string_view::npos && range.substr(slash) == "/*" &&
         equals_without_case(range.substr(0, slash), type.substr(0, type.find('/')));
}

bool accepts(std::string_view list, std::string_view type) {
  bool accepted = false;
  while (!list.empty()) {
    std::string_view element = take(list, ',');
    const std::string_view range = take(element, ';');
    if (!matches(range, type)) continue;
    if (!has_no_weight(element))
      accepted = true;
    else if (equals_without_case(range, type))
      return false;
  }
  return accepted;
}

}  // namespace

std::string_view why_not_json(const net::http::Fields& fields) {
  if (fields.count("Content-Type") != 1) return "Content-Type has to be application/json, once.\n";
  std::string_view type = *fields.get("Content-Type");
  if (!equals_without_case(take(type, ';'), "application/json")) {
    return "Content-Type has to be application/json.\n";
  }
  if (!is_utf8(type)) return "The body has to be in UTF-8: send no charset, or charset=utf-8.\n";
  const std::string codings = fields.joined("Content-Encoding");
  std::string_view rest = codings;
  while (!rest.empty()) {
    const std::string_view coding = take(rest, ',');
    if (coding.empty() || equals_without_case(coding, "identity")) continue;
    return "The body has to come as it is: send no Content-Encoding.\n";
  }
  return {};
}

Accepted accepted_types(const net::http::Fields& fields) {
  if (!fields.contains("Accept")) return {};
  const std::string list = fields.joined("Accept");
  return {accepts(list, "application/json"), accepts(list, "text/event-stream")};
}

}  // namespace interline::mcp
