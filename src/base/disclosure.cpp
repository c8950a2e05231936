#include "base/disclosure.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace interline {
namespace {

constexpr std::string_view kHidden = "[redacted]";

// Parts of a key's name; the key may have more around them, as in "x-api-key" or "client_secret".
constexpr std::array<std::string_view, 13> kKeys = {
    "password", "passwd",     "passphrase",  "pwd",        "secret",     "token", "authorization",
    "cookie",   "credential", "private_key", "access_key", "access-key", "apikey"};
constexpr std::array<std::string_view, 2> kApiKeys = {"api_key", "api-key"};
constexpr std::string_view kBearer = "bearer";
constexpr std::size_t kShortestBearer = 6;

struct Prefix {
  std::string_view text;
  std::size_t least;  ///< characters after it
};
constexpr std::array<Prefix, 8> kTokens = {{{"sk-", 16},
                                            {"ghp_", 16},
                                            {"gho_", 16},
                                            {"github_pat_", 16},
                                            {"glpat-", 16},
                                            {"xoxb-", 10},
                                            {"AKIA", 16},
                                            {"eyJ", 10}}};

// How a line of a trace begins, after white space.
constexpr std::array<std::string_view, 5> kTraceLines = {
    "stack backtrace:", "Stack trace:", "goroutine ", "#0 0x", "#0  0x"};
constexpr std::array<std::string_view, 2> kIndentedTraceLines = {"at ", "File \""};
constexpr std::string_view kTraceback = "Traceback (most recent call last)";
constexpr std::string_view kPrivateKey = "-----BEGIN ";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}
bool is_token(char c) {
  return is_word(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '\\';
}

bool same_word(std::string_view word, std::string_view lowercase) {
  return std::ranges::equal(word, lowercase, {}, lower);
}
bool names_secret(std::string_view word) {
  const auto within = [word](std::string_view part) {
    return !std::ranges::search(word, part, {}, lower).empty();
  };
  return std::ranges::any_of(kKeys, within) || std::ranges::any_of(kApiKeys, within);
}
bool takes_whole_line(std::string_view word) {
  return same_word(word, "authorization") || same_word(word, "proxy-authorization") ||
         same_word(word, "cookie") || same_word(word, "set-cookie");
}

std::size_t span(std::string_view text, std::size_t at, bool (*of)(char)) {
  while (at < text.size() && of(text[at])) ++at;
  return at;
}

/// Where the value of a key that ends at `at` begins; npos if no value follows.
std::size_t value_at(std::string_view text, std::size_t at) {
  at = span(text, at, is_quote);
  at = span(text, at, is_blank);
  if (at == text.size() || (text[at] != ':' && text[at] != '=')) return std::string_view::npos;
  return span(text, span(text, at + 1, is_blank), is_quote);
}

/// Of what a quote just before `at` began; in JSON within JSON that quote is escaped itself.
std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at - 1];
  const bool escaped = at >= 2 && text[at - 2] == '\\';
  for (; at < text.size() && text[at] != quote; ++at) {
    if (text[at] != '\\') continue;
    if (escaped) break;
    ++at;
  }
  return std::min(at, text.size());
}

std::size_t value_end(std::string_view text, std::size_t at, bool whole_line) {
  const char before = text[at - 1];
  if (before == '"' || before == '\'') return quoted_end(text, at);
  const std::string_view ends =
      whole_line ? std::string_view("\n") : std::string_view(" \t\r\n,;&)}]\"'<>");
  return std::min(text.find_first_of(ends, at), text.size());
}

/// Whether the word is a token by itself.
bool is_known_token(std::string_view word) {
  return std::ranges::any_of(kTokens, [word](const Prefix& each) {
    return word.starts_with(each.text) && word.size() >= each.text.size() + each.least;
  });
}

class Redaction {
 public:
  explicit Redaction(std::string_view text) : text_(text) {}

  std::string take() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    if (text_.substr(at_).starts_with(kPrivateKey)) return hide(text_.size());
    if (text_.substr(at_).starts_with("://")) return authority();
    if (!is_word(text_[at_])) return keep(at_ + 1);
    const std::size_t end = span(text_, at_, is_word);
    const std::string_view word = text_.substr(at_, end - at_);
    if (is_known_token(word)) return hide(span(text_, at_, is_token));
    if (same_word(word, kBearer)) return bearer(end);
    const std::size_t value = names_secret(word) ? value_at(text_, end) : std::string_view::npos;
    keep(end);
    if (value == std::string_view::npos || value >= text_.size()) return;
    keep(value);
    hide(value_end(text_, value, takes_whole_line(word)));
  }

  void bearer(std::size_t end) {
    const std::size_t token = span(text_, end, is_blank);
    keep(token);
    const std::size_t after = span(text_, token, is_token);
    if (token > end && after - token >= kShortestBearer) hide(after);
  }

  /// Who is named before an "@" in a URL, with or without a password.
  void authority() {
    keep(at_ + 3);
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n/?#\"'<>", at_), text_.size());
    const std::size_t user = text_.substr(at_, end - at_).rfind('@');
    if (user != std::string_view::npos) hide(at_ + user);
  }

  void keep(std::size_t to) {
    out_ += text_.substr(at_, to - at_);
    at_ = to;
  }
  void hide(std::size_t to) {
    if (to > at_) out_ += kHidden;
    at_ = to;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

bool is_trace_line(std::string_view line) {
  const std::size_t indent = span(line, 0, is_blank);
  const std::string_view words = line.substr(indent);
  const auto begins = [words](std::string_view each) { return words.starts_with(each); };
  return std::ranges::any_of(kTraceLines, begins) ||
         (indent > 0 && std::ranges::any_of(kIndentedTraceLines, begins));
}

std::string_view without_trace(std::string_view text) {
  text = text.substr(0, text.find(kTraceback));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (is_trace_line(text.substr(at, end - at))) {
      text = text.substr(0, at);
      break;
    }
    at = end + 1;
  }
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

std::string safe_to_show(std::string_view text) {
  return without_secrets(without_trace(text));
}

std::string without_secrets(std::string_view text) {
  return Redaction(text).take();
}

}  // namespace interline
