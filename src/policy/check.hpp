// Mistakes in a policy's configuration, each with its place: for whoever knows the lines of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "policy/configuration.hpp"

namespace interline::policy {

struct Mistake {
  enum class Place : std::uint8_t { grant, account, admin, operator_, local_domain };

  Place place;
  std::size_t index;  ///< in the list of that place, from 0
  std::string text;   ///< says what is wrong and what to write instead
};

[[nodiscard]] std::vector<Mistake> find_mistakes(const Configuration& configuration);

}  // namespace interline::policy
