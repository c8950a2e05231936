// `${...}` in the configurations of other products, as ours has it: `${NAME}`, an environment
// variable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interline::app {

struct ForeignText {
  std::string text;                  ///< with the references of ours
  std::vector<std::string> changed;  ///< sentences: what stands for what now
  std::vector<std::string> unknown;  ///< references that mean nothing here; they stand as they were
};

/// `${NAME}` in capitals stays, and `${env:NAME}`, `${NAME:-DEFAULT}` and `${input:NAME}` become
/// environment variables; everything else, `${workspaceFolder}` for one, is known to that product
/// alone.
[[nodiscard]] ForeignText take_over_references(std::string_view text);

}  // namespace interline::app
