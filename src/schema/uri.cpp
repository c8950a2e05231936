#include "schema/uri.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace interline::schema {
namespace {

bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_lower(std::string& out, std::string_view text) {
  for (const char c : text) {
    out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
}

/// The length of "scheme", if the text starts with "scheme:".
std::optional<std::size_t> scheme_length(std::string_view uri) {
  if (uri.empty() || !is_alpha(uri.front())) return std::nullopt;
  for (std::size_t i = 1; i < uri.size(); ++i) {
    const char c = uri[i];
    if (c == ':') return i;
    if (!is_alpha(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return std::nullopt;
  }
  return std::nullopt;
}

/// RFC 3986 section 5.2.4, on segments.
std::string without_dot_segments(std::string_view path) {
  const bool rooted = path.starts_with('/');
  std::vector<std::string_view> segments;
  std::size_t start = rooted ? 1 : 0;
  bool ends_in_directory = false;
  while (start <= path.size()) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    const std::string_view segment = path.substr(start, slash - start);
    ends_in_directory = segment == "." || segment == "..";
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (segment != ".") {
      segments.push_back(segment);
    }
    start = slash + 1;
  }
  std::string out(rooted ? "/" : "");
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (i > 0) out.push_back('/');
    out.append(segments[i]);
  }
  if (ends_in_directory && !out.empty() && !out.ends_with('/')) out.push_back('/');
  return out;
}

/// RFC 3986 section 5.2.3.
std::string merged_path(const UriParts& base, std::string_view path) {
  if (base.has_authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  std::string out(slash == std::string_view::npos ? std::string_view()
                                                  : base.path.substr(0, slash + 1));
  out.append(path);
  return out;
}

}  // namespace

UriParts split_uri(std::string_view uri) {
  UriParts parts;
  if (const std::size_t hash = uri.find('#'); hash != std::string_view::npos) {
    parts.has_fragment = true;
    parts.fragment = uri.substr(hash + 1);
    uri = uri.substr(0, hash);
  }
  if (const std::size_t mark = uri.find('?'); mark != std::string_view::npos) {
    parts.has_query = true;
    parts.query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  if (const auto length = scheme_length(uri)) {
    parts.has_scheme = true;
    parts.scheme = uri.substr(0, *length);
    uri = uri.substr(*length + 1);
  }
  if (uri.starts_with("//")) {
    parts.has_authority = true;
    const std::size_t slash = std::min(uri.find('/', 2), uri.size());
    parts.authority = uri.substr(2, slash - 2);
    uri = uri.substr(slash);
  }
  parts.path = uri;
  return parts;
}

std::string resolve_uri(std::string_view base_text, std::string_view reference_text) {
  const UriParts base = split_uri(base_text);
  const UriParts reference = split_uri(reference_text);
  UriParts target = reference;
  std::string path(reference.path);
  if (reference.has_scheme || reference.has_authority) {
    if (reference.has_authority) path = without_dot_segments(path);
  } else if (reference.path.empty()) {
    path = base.path;
    if (!reference.has_query) {
      target.query = base.query;
      target.has_query = base.has_query;
    }
  } else {
    path = without_dot_segments(
        reference.path.starts_with('/') ? path : merged_path(base, reference.path));
  }
  if (!reference.has_scheme) {
    target.scheme = base.scheme;
    target.has_scheme = base.has_scheme;
    if (!reference.has_authority) {
      target.authority = base.authority;
      target.has_authority = base.has_authority;
    }
  }
  std::string out;
  if (target.has_scheme) {
    append_lower(out, target.scheme);
    out.push_back(':');
  }
  if (target.has_authority) {
    const std::size_t host = target.authority.rfind('@') + 1;  // npos + 1 is 0
    out.append("//").append(target.authority.substr(0, host));
    append_lower(out, target.authority.substr(host));
  }
  out.append(path);
  if (target.has_query) out.append("?").append(target.query);
  if (target.has_fragment) out.append("#").append(target.fragment);
  return out;
}

std::string_view without_fragment(std::string_view uri) {
  return uri.substr(0, std::min(uri.find('#'), uri.size()));
}

std::string_view fragment_of(std::string_view uri) {
  const std::size_t hash = uri.find('#');
  return hash == std::string_view::npos ? std::string_view() : uri.substr(hash + 1);
}

bool is_absolute_uri(std::string_view uri) {
  return scheme_length(uri).has_value();
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return out;
}

}  // namespace interline::schema
