#include "protocols/mcp/cursors.hpp"

#include <charconv>

namespace interline::protocols::mcp {
namespace {

SealScope sealed_as(const CursorScope& scope) {
  return {"cursor", scope.principal, scope.method, sha256(scope.endpoint)};
}

std::unexpected<Error> refused() {
  return fail(ErrorKind::malformed, "The cursor is not one that was given here, or it is too old.");
}

}  // namespace

std::string write_cursor(const Sealer& sealer, const CursorScope& scope,
                         const CursorPosition& position, SystemTime now) {
  std::string payload = std::to_string(position.list_version.size());
  payload.append(":").append(position.list_version).append(position.after);
  return sealer.seal(sealed_as(scope), payload, now + kCursorLife);
}

Result<CursorPosition> read_cursor(const Sealer& sealer, const CursorScope& scope,
                                   std::string_view cursor, SystemTime now) {
  const auto opened = sealer.open(sealed_as(scope), cursor, now);
  if (!opened) return refused();
  const std::string& payload = opened->payload;
  const auto colon = payload.find(':');
  std::size_t size = 0;
  const char* const end = payload.data() + (colon == std::string::npos ? 0 : colon);
  const auto read = std::from_chars(payload.data(), end, size);
  if (read.ec != std::errc() || read.ptr != end || size > payload.size() - colon - 1) {
    return refused();
  }
  return CursorPosition{payload.substr(colon + 1 + size), payload.substr(colon + 1, size)};
}

}  // namespace interline::protocols::mcp
