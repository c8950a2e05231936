// Features as members of ServerCapabilities, for who writes them and who reads them.
#pragma once

#include <array>
#include <string_view>

#include "protocols/mcp/methods.hpp"

namespace interline::protocols::mcp {

struct FeatureMember {
  std::string_view group;
  std::string_view member;  ///< "": the group is there; else it is true in the group
  bool Features::*feature;
};

/// 2026-07-28 schema; all there since 2024-11-05 but completions (2025-03-26). A group's own row
/// stands before its members.
inline constexpr std::array kFeatureMembers = {
    FeatureMember{"tools", "", &Features::tools},
    FeatureMember{"tools", "listChanged", &Features::tools_changed},
    FeatureMember{"resources", "", &Features::resources},
    FeatureMember{"resources", "listChanged", &Features::resources_changed},
    FeatureMember{"resources", "subscribe", &Features::resource_subscriptions},
    FeatureMember{"prompts", "", &Features::prompts},
    FeatureMember{"prompts", "listChanged", &Features::prompts_changed},
    FeatureMember{"completions", "", &Features::completions},
    FeatureMember{"logging", "", &Features::logging},
};

}  // namespace interline::protocols::mcp
