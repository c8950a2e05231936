// Whether anybody may do anything, and whether there is what they may.
#include <algorithm>
#include <string_view>

#include "app/similar.hpp"
#include "cli/doctor_checks.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

}  // namespace

Findings check_grants(const app::Configuration& configuration,
                      const std::vector<std::string>& registered) {
  Findings found;
  if (configuration.grants.empty()) {
    found.emplace_back(Verdict::doubtful, "grants", "no [[grant]]: nobody sees or calls anything",
                       "write into the configuration who may see and call what, for example:\n"
                       "[[grant]]\nprincipals = [\"local:*\"]\nendpoints = [\"*\"]\n"
                       "visible = true\ninvoke = [\"*\"]");
    return found;
  }
  std::vector<std::string_view> known(registered.begin(), registered.end());
  for (const app::EndpointTable& endpoint : configuration.endpoints) known.push_back(endpoint.name);
  for (std::size_t i = 0; i < configuration.grants.size(); ++i) {
    for (const std::string& pattern : configuration.grants[i].endpoints) {
      std::string_view name = pattern;
      if (name.starts_with('!')) name.remove_prefix(1);
      const bool one_name = name.find('*') == std::string_view::npos;
      if (!one_name || std::ranges::find(known, name) != known.end()) continue;
      const std::uint32_t line =
          i < configuration.lines.grants.size() ? configuration.lines.grants[i] : 0;
      found.emplace_back(Verdict::doubtful, "grants",
                         "the [[grant]] of line " + std::to_string(line) +
                             " names the endpoint \"" + pattern + "\", which is not here" +
                             app::did_you_mean(name, known),
                         "mend the name, unless that endpoint is registered later on");
    }
  }
  return found;
}

}  // namespace interline::cli
