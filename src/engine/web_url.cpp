#include "engine/web_url.hpp"

#include <algorithm>
#include <array>

namespace interline::engine {
namespace {

constexpr std::array<std::string_view, 2> kSchemes = {"https://", "http://"};
constexpr std::string_view kNowhere = R"("<>\^`{|})";  // RFC 3986 has these in no place

bool starts_with_scheme(std::string_view url, std::string_view scheme) {
  return url.size() > scheme.size() &&
         std::ranges::equal(url.substr(0, scheme.size()), scheme, [](char have, char want) {
           return have == want || (have >= 'A' && have <= 'Z' && have - 'A' + 'a' == want);
         });
}

}  // namespace

bool is_web_url(std::string_view url) {
  const auto* const scheme = std::ranges::find_if(
      kSchemes, [url](std::string_view one) { return starts_with_scheme(url, one); });
  if (scheme == kSchemes.end() || url.size() > kLongestUrl) return false;
  const bool plain = std::ranges::all_of(url, [](char c) {
    return c > ' ' && c < '\x7f' && kNowhere.find(c) == std::string_view::npos;
  });
  const std::string_view rest = url.substr(scheme->size());
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  return plain && !authority.empty() && authority.front() != ':' &&
         authority.find('@') == std::string_view::npos;
}

}  // namespace interline::engine
