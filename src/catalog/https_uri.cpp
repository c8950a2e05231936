#include "catalog/https_uri.hpp"

#include <algorithm>

#include "schema/format.hpp"

namespace interline::catalog {

bool is_https_uri(std::string_view text) {
  constexpr std::string_view kScheme = "https://";
  if (!text.starts_with(kScheme) || !schema::holds(schema::Format::uri, text)) return false;
  std::string_view authority = text.substr(kScheme.size());
  authority = authority.substr(0, authority.find_first_of("/?#"));
  if (authority.find('@') != std::string_view::npos) return false;
  const bool literal = authority.starts_with('[');
  const auto colon = authority.find(':', literal ? authority.find(']') : 0);
  const std::string_view host = authority.substr(0, colon);
  if (host.empty()) return false;
  if (colon == std::string_view::npos) return true;
  // RFC 9110 section 4.2.2 takes RFC 3986's port; a number beyond 65535 names none.
  const std::string_view port = authority.substr(colon + 1);
  unsigned number = 0;
  for (const char c : port) {
    number = number * 10 + static_cast<unsigned>(c - '0');
    if (number > 65'535) return false;
  }
  return true;
}

}  // namespace interline::catalog
