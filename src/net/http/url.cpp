#include "net/http/url.hpp"

#include <algorithm>

#include "net/host_port.hpp"
#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

constexpr std::uint16_t kHttp = 80;
constexpr std::uint16_t kHttps = 443;
constexpr std::size_t kLongest = std::size_t{8} * 1024;

}  // namespace

std::string Url::authority() const {
  std::string text = to_string(HostPort(host, port));
  if (port == (secure ? kHttps : kHttp)) text.resize(text.rfind(':'));
  return text;
}

std::string Url::origin() const {
  return (secure ? "https://" : "http://") + authority();
}

Result<Url> parse_url(std::string_view text) {
  const std::size_t colon = text.find("://");
  const std::string_view scheme = text.substr(0, std::min(colon, text.size()));
  Url url;
  url.secure = equals_without_case(scheme, "https");
  if (!url.secure && !equals_without_case(scheme, "http")) {
    return fail(ErrorKind::malformed, "the URL is neither http nor https");
  }
  // The class leaves out spaces, controls, non-ASCII and the fragment's '#'.
  if (text.size() > kLongest || !detail::all_of_class(text, detail::kTargetChar)) {
    return fail(ErrorKind::malformed,
                "the URL has a character that it may not have, or is too long");
  }
  text.remove_prefix(colon + 3);
  const std::size_t path = std::min(text.find_first_of("/?"), text.size());
  const auto address = parse_host_port(text.substr(0, path), url.secure ? kHttps : kHttp);
  if (!address || address->host == "*" || address->port == 0) {
    return fail(ErrorKind::malformed, "the URL's host or port is malformed");
  }
  url.host = address->host;
  std::ranges::transform(url.host, url.host.begin(), to_lower);
  url.port = address->port;
  url.target = text.substr(path);
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  return url;
}

}  // namespace interline::net::http
