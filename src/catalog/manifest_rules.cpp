// The normative manifest schema as tables of rules; tests hold it against the schema itself.
#include "catalog/manifest_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "catalog/version.hpp"
#include "json/pointer.hpp"
#include "schema/decimal.hpp"
#include "schema/format.hpp"

namespace interline::catalog {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

enum class Type : std::uint8_t { string, object, array, boolean, positive_integer, strings };

/// One member of an object: sizes count code points of strings and elements of arrays.
struct MemberRule {
  std::string_view name;
  Type type;
  bool required = false;
  std::size_t minimum = 0;
  std::size_t maximum = kNoLimit;
};

// clang-format off
constexpr std::array kRootRules = {
    MemberRule{"manifestSpecVersion", Type::string, true},
    MemberRule{"agent",               Type::object, true},
    MemberRule{"implementation",      Type::object},
    MemberRule{"mcpProtocolVersion",  Type::string},
    MemberRule{"tools",               Type::array, true, 0, kManifestTools},
};
constexpr std::array kAgentRules = {
    MemberRule{"jid",         Type::string, true, 3, 3071},
    MemberRule{"name",        Type::string, true, 1, 128},
    MemberRule{"title",       Type::string, false, 0, 256},
    MemberRule{"description", Type::string, false, 0, 4096},
    MemberRule{"version",     Type::string, true},
    MemberRule{"vendor",      Type::string, false, 0, 256},
    MemberRule{"homepage",    Type::string, false, 0, 2048},
    MemberRule{"avatarUrl",   Type::string, false, 0, 2048},
};
constexpr std::array kImplementationRules = {
    MemberRule{"name",    Type::string, true, 1, 128},
    MemberRule{"version", Type::string, true, 1, 128},
};
constexpr std::array kToolRules = {
    MemberRule{"name",         Type::string, true, 1},
    MemberRule{"title",        Type::string, false, 0, kToolTitle},
    MemberRule{"description",  Type::string, false, 0, kToolDescription},
    MemberRule{"inputSchema",  Type::object, true},
    MemberRule{"outputSchema", Type::object},
    MemberRule{"annotations",  Type::object},
    MemberRule{"execution",    Type::object},
    MemberRule{"_meta",        Type::object},
    MemberRule{kManifestExtension, Type::object},
};
constexpr std::array kExtensionRules = {
    MemberRule{"supportsProgress",      Type::boolean},
    MemberRule{"supportsCancellation",  Type::boolean},
    MemberRule{"supportsInput",         Type::boolean},
    MemberRule{"defaultTimeoutSeconds", Type::positive_integer},
    MemberRule{"maximumTimeoutSeconds", Type::positive_integer},
    MemberRule{"requiredPermissions",   Type::strings, false, 1, 256},
    MemberRule{"approvalRequired",      Type::boolean},
    MemberRule{"tags",                  Type::strings, false, 1, 128},
};
// clang-format on

bool in_length(const json::Value& text, const MemberRule& rule) {
  const std::size_t length = count_code_points(text.as_string());
  return length >= rule.minimum && length <= rule.maximum;
}

bool are_unique_strings(const json::Value& value, const MemberRule& rule) {
  if (!value.is_array()) return false;
  std::vector<std::string_view> seen;
  for (const json::Value& item : value.items()) {
    if (!item.is_string() || !in_length(item, rule)) return false;
    seen.push_back(item.as_string());
  }
  std::ranges::sort(seen);
  return std::ranges::adjacent_find(seen) == seen.end();
}

bool holds(const json::Value& value, const MemberRule& rule) {
  switch (rule.type) {
    case Type::string:
      return value.is_string() && in_length(value, rule);
    case Type::object:
      return value.is_object();
    case Type::array:
      return value.is_array() && value.size() <= rule.maximum;
    case Type::boolean:
      return value.is_boolean();
    case Type::positive_integer:
      return value.is_number() && value.as_double() >= 1 && schema::is_integer(value);
    case Type::strings:
      return are_unique_strings(value, rule);
  }
  return false;
}

std::string expectation(const MemberRule& rule) {
  static constexpr std::array<std::string_view, 6> kWords = {"a string",
                                                             "an object",
                                                             "an array",
                                                             "a boolean",
                                                             "an integer of at least 1",
                                                             "an array of unique strings"};
  std::string text = "expected ";
  text.append(kWords.at(static_cast<std::size_t>(rule.type)));
  if (rule.minimum > 0) text.append(", at least ").append(std::to_string(rule.minimum));
  if (rule.maximum != kNoLimit) text.append(", at most ").append(std::to_string(rule.maximum));
  const bool counts_text = rule.type == Type::string || rule.type == Type::strings;
  if (counts_text && (rule.minimum > 0 || rule.maximum != kNoLimit)) text.append(" characters");
  return text;
}

Result<void> check_members(const json::Value& object, std::span<const MemberRule> rules,
                           const std::string& where, bool uri_names) {
  for (const MemberRule& rule : rules) {
    const json::Value* value = object.find(rule.name);
    if (value == nullptr) {
      if (rule.required) return refused(child(where, rule.name), "this member is required");
      continue;
    }
    if (!holds(*value, rule)) return refused(child(where, rule.name), expectation(rule));
  }
  for (const json::Member& member : object.members()) {
    if (std::ranges::find(rules, member.name(), &MemberRule::name) != rules.end()) continue;
    if (uri_names && is_uri_name(member.name())) continue;
    return refused(where, uri_names ? "a member that is not defined, and whose name is no URI"
                                    : "a member that is not defined");
  }
  return {};
}

/// ^[0-9]{4}-[0-9]{2}-[0-9]{2}$
bool is_revision_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

Result<void> check_agent(const json::Value& agent) {
  const std::string where = "/agent";
  if (auto checked = check_members(agent, kAgentRules, where, false); !checked) return checked;
  if (!is_version(agent.find("version")->as_string())) {
    return refused("/agent/version", "expected 1 to 64 of A-Z a-z 0-9 . _ ~ -");
  }
  for (const auto name : {"homepage", "avatarUrl"}) {
    const json::Value* uri = agent.find(name);
    if (uri == nullptr) continue;
    const std::string_view text = uri->as_string();
    if (!text.starts_with("https://") || !schema::holds(schema::Format::uri, text)) {
      return refused(child(where, name), "expected an absolute https URI");
    }
  }
  return {};
}

}  // namespace

std::unexpected<Error> refused(const std::string& where, std::string_view expected) {
  std::string message = "The manifest is refused at ";
  message.append(where.empty() ? std::string_view("its root") : std::string_view(where));
  message.append(": ").append(expected);
  return fail(ErrorKind::not_acceptable, std::move(message));
}

std::string child(const std::string& where, std::string_view name) {
  std::string pointer = where;
  json::append_token(pointer, name);
  return pointer;
}

/// "^[a-z][a-z0-9+.-]*:".
bool is_uri_name(std::string_view name) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto scheme = [&lower](char c) {
    return lower(c) || (c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-';
  };
  const auto colon = name.find(':');
  return colon != std::string_view::npos && lower(name.front()) &&
         std::ranges::all_of(name.substr(0, colon), scheme);
}

Result<void> check_extension_schema(const json::Value& extension, const std::string& where) {
  if (!extension.is_object()) return refused(where, "expected an object");
  return check_members(extension, kExtensionRules, where, false);
}

Result<void> check_tool_schema(const json::Value& tool, const std::string& where) {
  if (!tool.is_object()) return refused(where, "expected an object");
  if (auto checked = check_members(tool, kToolRules, where, true); !checked) return checked;
  const json::Value* extension = tool.find(kManifestExtension);
  if (extension == nullptr) return {};
  return check_extension_schema(*extension, child(where, kManifestExtension));
}

Result<void> check_manifest_schema(const json::Value& root) {
  if (!root.is_object()) return refused("", "expected an object");
  if (auto checked = check_members(root, kRootRules, "", false); !checked) return checked;
  if (root.find("manifestSpecVersion")->as_string() != "0") {
    return refused("/manifestSpecVersion", "expected \"0\"");
  }
  const json::Value* revision = root.find("mcpProtocolVersion");
  if (revision != nullptr && !is_revision_date(revision->as_string())) {
    return refused("/mcpProtocolVersion", "expected YYYY-MM-DD");
  }
  if (const json::Value* implementation = root.find("implementation")) {
    auto checked = check_members(*implementation, kImplementationRules, "/implementation", false);
    if (!checked) return checked;
  }
  if (auto checked = check_agent(*root.find("agent")); !checked) return checked;
  const json::Value& tools = *root.find("tools");
  for (std::size_t i = 0; i < tools.size(); ++i) {
    std::string where = "/tools";
    json::append_index(where, i);
    if (auto checked = check_tool_schema(tools.items()[i], where); !checked) return checked;
  }
  return {};
}

}  // namespace interline::catalog
