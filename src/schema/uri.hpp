// RFC 3986 references, as far as schema identifiers need them: splitting, resolving, fragments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace interline::schema {

/// RFC 3986 appendix B. Views into the text given; `has_` tells an empty part from an absent one.
struct UriParts {
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
  std::string_view query;
  std::string_view fragment;
  bool has_scheme = false;
  bool has_authority = false;
  bool has_query = false;
  bool has_fragment = false;
};

[[nodiscard]] UriParts split_uri(std::string_view uri);

/// RFC 3986 section 5.2, also against a base that is itself relative or empty (a schema that was
/// given no URI). The scheme and the authority come out in lower case; the fragment is kept.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

/// The part before "#", and what follows it ("" if there is none).
[[nodiscard]] std::string_view without_fragment(std::string_view uri);
[[nodiscard]] std::string_view fragment_of(std::string_view uri);

/// Whether it has a scheme.
[[nodiscard]] bool is_absolute_uri(std::string_view uri);

/// Percent escapes decoded; nothing where one is malformed.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace interline::schema
