#include "protocols/mcp/task_ids.hpp"

#include "base/id.hpp"

namespace interline::protocols::mcp {
namespace {

bool stays(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
         c == '_' || c == '-';
}

void project(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (stays(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    (out += '~') += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~' && text[i] != '%') {
      plain += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit(text[i + 1]);
    const int low = digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return plain;
}

}  // namespace

std::string write_task_id(std::string_view tenant, std::string_view id) {
  if (tenant.empty()) return std::string(id);
  std::string text;
  project(text, tenant);
  text += "~2F";
  project(text, id);
  return text;
}

std::optional<BoundId> read_task_id(std::string_view text) {
  const auto plain = unescaped(text);
  if (!plain) return std::nullopt;
  BoundId bound;
  const auto slash = plain->rfind('/');
  if (slash == 0) return std::nullopt;
  if (slash != std::string::npos) bound.tenant = plain->substr(0, slash);
  bound.id = slash == std::string::npos ? *plain : plain->substr(slash + 1);
  if (!is_own_id(bound.id)) return std::nullopt;
  return bound;
}

}  // namespace interline::protocols::mcp
