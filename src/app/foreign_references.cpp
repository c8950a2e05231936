#include "app/foreign_references.hpp"

#include <algorithm>
#include <optional>

namespace interline::app {
namespace {

constexpr std::string_view kEnvironment = "env:";  // Visual Studio Code, Cursor, Windsurf
constexpr std::string_view kInput = "input:";      // Visual Studio Code: asked for, often a secret
constexpr std::string_view kDefault = ":-";        // Claude Code, as in a shell

bool is_variable(std::string_view name, bool capitals_only) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && !digit(name.front()) && std::ranges::all_of(name, [&](char c) {
    return (c >= 'A' && c <= 'Z') || c == '_' || digit(c) ||
           (!capitals_only && c >= 'a' && c <= 'z');
  });
}

/// "api-key" as API_KEY.
std::string variable_of(std::string_view input) {
  std::string name;
  for (const char c : input) {
    const bool small = c >= 'a' && c <= 'z';
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += small ? static_cast<char>(c - 'a' + 'A') : plain ? c : '_';
  }
  return is_variable(name, true) ? name : "INPUT_" + name;
}

/// The variable that stands for it here; none: nothing does.
std::optional<std::string> variable_for(std::string_view reference) {
  if (reference.starts_with(kInput)) return variable_of(reference.substr(kInput.size()));
  if (reference.starts_with(kEnvironment)) {
    const std::string_view name = reference.substr(kEnvironment.size());
    return is_variable(name, false) ? std::optional<std::string>(name) : std::nullopt;
  }
  const std::string_view name = reference.substr(0, reference.find(kDefault));
  const bool has_default = name.size() < reference.size();
  return is_variable(name, !has_default) ? std::optional<std::string>(name) : std::nullopt;
}

}  // namespace

ForeignText take_over_references(std::string_view text) {
  ForeignText taken;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = text.find("${", at);
    const auto end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) {  // and so it is nothing to our reader either
      taken.text.append(text.substr(at));
      break;
    }
    taken.text.append(text.substr(at, begin - at));
    const std::string whole(text.substr(begin, end + 1 - begin));
    const std::string_view reference = text.substr(begin + 2, end - begin - 2);
    const auto variable = variable_for(reference);
    const std::string ours = variable ? "${" + *variable + "}" : whole;
    if (!variable) {
      taken.unknown.push_back(whole);
    } else if (reference.find(kDefault) != std::string_view::npos) {
      taken.changed.push_back(whole + " became " + ours + ", which has no default here: set it");
    } else if (ours != whole) {
      taken.changed.push_back(whole + " became " + ours + ": set that environment variable");
    }
    taken.text += ours;
    at = end + 1;
  }
  return taken;
}

}  // namespace interline::app
