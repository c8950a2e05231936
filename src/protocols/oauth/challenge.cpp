#include "protocols/oauth/challenge.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"

namespace interline::protocols::oauth {
namespace {

struct ParameterRow {
  std::string_view name;
  std::string BearerChallenge::*member;
};
constexpr std::array kParameters = {
    ParameterRow{"realm", &BearerChallenge::realm},
    ParameterRow{"error", &BearerChallenge::error},
    ParameterRow{"error_description", &BearerChallenge::error_description},
    ParameterRow{"scope", &BearerChallenge::scope},
    ParameterRow{"resource_metadata", &BearerChallenge::resource_metadata},
};

/// RFC 9110 section 11.6.1, from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  void skip_space() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) {
      rest_.remove_prefix(1);
    }
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_commas() {
    do {
      skip_space();
    } while (take(','));
  }
  [[nodiscard]] std::string_view token() {
    const auto end = std::ranges::find_if_not(rest_, is_token_character) - rest_.begin();
    const std::string_view out = rest_.substr(0, static_cast<std::size_t>(end));
    rest_.remove_prefix(out.size());
    return out;
  }
  /// Credentials in one piece (token68), which may stand where parameters do; otherwise nothing is
  /// taken.
  void skip_token68() {
    const auto end =
        std::ranges::find_if_not(rest_, [](char c) { return is_token_character(c) || c == '/'; });
    auto after = rest_.substr(static_cast<std::size_t>(end - rest_.begin()));
    if (after.size() == rest_.size()) return;
    after.remove_prefix(std::min(after.find_first_not_of('='), after.size()));
    after.remove_prefix(std::min(after.find_first_not_of(" \t"), after.size()));
    if (after.empty() || after.front() == ',') rest_ = after;
  }
  [[nodiscard]] std::optional<std::string> value() {
    if (!take('"')) {
      const std::string_view word = token();
      return word.empty() ? std::nullopt : std::optional<std::string>(word);
    }
    std::string out;
    while (!rest_.empty()) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return out;
      if (c == '\\') {
        if (rest_.empty()) break;
        c = rest_.front();
        rest_.remove_prefix(1);
      }
      out += c;
    }
    return std::nullopt;
  }
  /// A name with a value behind it; otherwise nothing is taken.
  [[nodiscard]] std::optional<std::string_view> parameter_name() {
    const std::string_view before = rest_;
    const std::string_view name = token();
    skip_space();
    if (!name.empty() && take('=')) {
      skip_space();
      return name;
    }
    rest_ = before;
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

/// False: the field cannot be read.
bool read_parameters(Reader& reader, BearerChallenge& into) {
  std::array<bool, kParameters.size()> seen{};
  while (true) {
    reader.skip_commas();
    const auto name = reader.parameter_name();
    if (!name) return true;
    auto value = reader.value();
    if (!value) return false;
    for (std::size_t i = 0; i < kParameters.size(); ++i) {
      if (!equals_without_case(kParameters[i].name, *name) || std::exchange(seen[i], true))
        continue;
      into.*kParameters[i].member = *std::move(value);
      break;
    }
  }
}

/// What a quoted string may hold of a text.
std::string quotable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c < 0x20 || c > 0x7E) continue;
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string write_challenge(const BearerChallenge& challenge) {
  std::string out = "Bearer";
  std::string_view before = " ";
  for (const ParameterRow& row : kParameters) {
    const std::string value = quotable(challenge.*row.member);
    if (value.empty()) continue;
    out.append(before).append(row.name).append("=\"").append(value).append("\"");
    before = ", ";
  }
  return out;
}

std::optional<BearerChallenge> read_challenge(std::string_view field) {
  if (field.size() > kMaxChallengeBytes) return std::nullopt;
  Reader reader(field);
  while (true) {
    reader.skip_commas();
    const std::string_view scheme = reader.token();
    if (scheme.empty()) return std::nullopt;
    reader.skip_space();
    reader.skip_token68();
    BearerChallenge read;
    if (!read_parameters(reader, read)) return std::nullopt;
    if (equals_without_case(scheme, "Bearer")) return read;
  }
}

}  // namespace interline::protocols::oauth
