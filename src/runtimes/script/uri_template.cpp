#include "runtimes/script/uri_template.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace interline::runtimes::script {
namespace {

std::unexpected<Error> malformed(std::string_view why) {
  return fail(ErrorKind::malformed, std::string(why));
}

bool is_name(std::string_view name) {
  const auto legal = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, legal);
}

/// RFC 6570 section 3.2.2: simple expansion writes unreserved characters and percent-encodes.
bool is_expanded(char c) {
  constexpr std::string_view kReserved = ":/?#[]@!$&'()*+,;=";
  return kReserved.find(c) == std::string_view::npos;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    const int high = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  if (!is_valid_utf8(out)) return std::nullopt;
  return out;
}

}  // namespace

Result<UriTemplate> UriTemplate::read(std::string_view text) {
  UriTemplate read;
  read.text_ = std::string(text);
  std::size_t at = text.find_first_of("{}");
  read.parts_.push_back({"", std::string(text.substr(0, at))});
  while (at != std::string_view::npos) {
    const std::size_t end = text.find('}', at);
    if (text[at] == '}' || end == std::string_view::npos) return malformed("a brace stands alone");
    std::string name(text.substr(at + 1, end - at - 1));
    if (!is_name(name)) {
      return malformed("an expression is one name in braces, of letters, digits and _: {id}");
    }
    const auto same = [&name](const Part& part) { return part.name == name; };
    if (std::ranges::any_of(read.parts_, same)) return malformed("a name comes twice");
    if (read.parts_.size() > 1 && read.parts_.back().after.empty()) {
      return malformed("something has to stand between two expressions");
    }
    at = text.find_first_of("{}", end + 1);
    const std::size_t length = at == std::string_view::npos ? at : at - end - 1;
    read.parts_.push_back({std::move(name), std::string(text.substr(end + 1, length))});
  }
  if (read.parts_.size() == 1) return malformed("without an expression it is a resource's uri");
  return read;
}

std::vector<std::string_view> UriTemplate::names() const {
  std::vector<std::string_view> names;
  for (const Part& part : parts_) {
    if (!part.name.empty()) names.push_back(part.name);
  }
  return names;
}

std::optional<UriTemplate::Variables> UriTemplate::match(std::string_view uri) const {
  Variables variables;
  for (const Part& part : parts_) {
    if (!part.name.empty()) {
      // The value ends where the text after it begins, for the last part at the very end.
      const bool last = &part == &parts_.back();
      const std::size_t size = part.after.empty() ? uri.size()
                               : last && uri.size() >= part.after.size()
                                   ? uri.size() - part.after.size()
                                   : uri.find(part.after);
      const std::string_view value = uri.substr(0, size);
      if (value.empty() || size > uri.size() || !std::ranges::all_of(value, is_expanded)) {
        return std::nullopt;
      }
      auto decoded = percent_decoded(value);
      if (!decoded) return std::nullopt;
      variables.emplace_back(part.name, *std::move(decoded));
      uri.remove_prefix(size);
    }
    if (!uri.starts_with(part.after)) return std::nullopt;
    uri.remove_prefix(part.after.size());
  }
  if (!uri.empty()) return std::nullopt;
  return variables;
}

}  // namespace interline::runtimes::script
