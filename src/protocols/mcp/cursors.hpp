// Cursors of the four lists: a sealed position, and the version of the list that it is a position
// in (2026-07-28, server/utilities/pagination). A client cannot read one, make one, or use
// another's; a list that changed gives -32602, and the client begins again.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "protocols/mcp/sealed.hpp"

namespace interline::protocols::mcp {

/// What the list is: whose view, of which endpoint ("": all), by which method.
struct CursorScope {
  std::string_view principal;
  std::string_view endpoint;
  std::string_view method;
};

struct CursorPosition {
  std::string after;         ///< the last entry of the page before
  std::string list_version;  ///< of the list that was paged; any text
};

inline constexpr std::chrono::hours kCursorLife{24};

[[nodiscard]] std::string write_cursor(const Sealer& sealer, const CursorScope& scope,
                                       const CursorPosition& position, SystemTime now);
/// malformed, one sentence for everything: not given here, to somebody else, for another list,
/// expired.
[[nodiscard]] Result<CursorPosition> read_cursor(const Sealer& sealer, const CursorScope& scope,
                                                 std::string_view cursor, SystemTime now);

}  // namespace interline::protocols::mcp
