#include "net/http/message.hpp"

#include <algorithm>
#include <array>

namespace interline::net::http {
namespace {

constexpr std::array<std::string_view, 7> kMethods = {"GET",   "HEAD",   "POST",   "PUT",
                                                      "PATCH", "DELETE", "OPTIONS"};
static_assert(kMethods.size() == static_cast<std::size_t>(Method::options) + 1);

struct Phrase {
  unsigned status;
  std::string_view text;
};

// RFC 9110 section 15, RFC 6585, RFC 8470, RFC 9457's neighbours; ascending.
constexpr Phrase kPhrases[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
};
static_assert(std::ranges::is_sorted(kPhrases, {}, &Phrase::status));

}  // namespace

std::string_view to_string(Method method) {
  return kMethods.at(static_cast<std::size_t>(method));
}

std::optional<Method> parse_method(std::string_view token) {
  const auto* const found = std::ranges::find(kMethods, token);
  if (found == kMethods.end()) return std::nullopt;
  return static_cast<Method>(found - kMethods.begin());
}

std::string_view Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name) return value;
  }
  return {};
}

std::optional<std::string_view> Request::query_value(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string_view reason_phrase(unsigned status) {
  const auto* const found = std::ranges::lower_bound(kPhrases, status, {}, &Phrase::status);
  return found != std::ranges::end(kPhrases) && found->status == status ? found->text
                                                                        : std::string_view();
}

Response plain_response(unsigned status) {
  std::string text = std::to_string(status);
  text += ' ';
  text += reason_phrase(status);
  text += '\n';
  return {status, "text/plain; charset=utf-8", std::move(text)};
}

}  // namespace interline::net::http
