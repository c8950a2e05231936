// The Agent Card (A2A 1.0, sections 4.4 and 8): what an agent is, where, and how to prove who one
// is. Written without empty members and defaults where the proto allows it, so that every reading
// of the canonical form (section 8.4.1) has the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interline::protocols::a2a {

struct Skill {
  std::string id;
  std::string name;
  std::string description;
  std::vector<std::string> tags;  ///< at least one
  std::vector<std::string_view> input_modes;
};

struct Interface {
  std::string url;
  std::string_view binding;  ///< kJsonRpc, kHttpJson
};
inline constexpr std::string_view kJsonRpc = "JSONRPC";
inline constexpr std::string_view kHttpJson = "HTTP+JSON";

struct Card {
  std::string name;
  std::string description;
  std::string version;
  std::string organization;  ///< of the provider; "" if it is not told
  std::string provider_url;
  std::string icon_url;
  std::string documentation_url;
  std::vector<Interface> interfaces;  ///< the preferred one first
  bool push_notifications = false;
  bool open = false;  ///< strangers may use it, too
  std::vector<Skill> skills;
};

inline constexpr std::string_view kCardPath = "/.well-known/agent-card.json";

[[nodiscard]] std::string card_text(const Card& card);

}  // namespace interline::protocols::a2a
