// A call that has passed every check: what an admission, a run and a question before a call share.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/gateway.hpp"

namespace interline::engine {

/// All that the work needs, found out before a place is taken.
struct Gateway::Prepared {
  std::shared_ptr<const catalog::Manifest> manifest;
  const catalog::Tool* tool = nullptr;
  std::string arguments;  ///< canonical
  SystemTime now{};
  std::optional<tasks::Deadline> deadline;
};

}  // namespace interline::engine
