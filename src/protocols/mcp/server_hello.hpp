// What a server says about itself: a DiscoverResult of a modern one, an InitializeResult of a
// legacy one.
#pragma once

#include <string>

#include "base/error.hpp"
#include "json/value.hpp"
#include "protocols/mcp/methods.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

struct ServerHello {
  Revision revision = kFirstModern;  ///< What is spoken with it.
  std::string name;                  ///< For display and logs alone.
  std::string implementation_version;
  Features features;
  /// It knows a call by its `interline/requestId` again and does not run it twice.
  bool request_keys = false;

  [[nodiscard]] bool modern() const { return is_modern(revision); }
};

/// The extension that a server declares which has ServerHello::request_keys.
inline constexpr std::string_view kRequestKeysExtension = "interline/requestId";

/// `revision`: what the probe has settled on. malformed: no DiscoverResult.
[[nodiscard]] Result<ServerHello> read_discover_result(const json::Value& result,
                                                       Revision revision);
/// malformed: no InitializeResult. not_acceptable: a version that is not spoken here.
[[nodiscard]] Result<ServerHello> read_initialize_result(const json::Value& result);

}  // namespace interline::protocols::mcp
