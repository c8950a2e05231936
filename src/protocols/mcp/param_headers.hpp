// `x-mcp-header`: arguments of a tool that its client mirrors into HTTP headers, so that what
// stands between can route by them (2026-07-28, basic/transports/streamable-http, "Custom Headers
// from Tool Parameters"). Read once from a tool's schema; used for each call by both sides.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::protocols::mcp {

inline constexpr std::string_view kParamHeaderPrefix = "Mcp-Param-";

struct ParamHeader {
  enum class Type : std::uint8_t { string, integer, boolean };
  std::string name;               ///< what the schema says: "Region"
  std::vector<std::string> path;  ///< members from the root of the arguments
  Type type = Type::string;

  /// "Mcp-Param-Region"
  [[nodiscard]] std::string header() const { return std::string(kParamHeaderPrefix) + name; }
};

/// An annotation that is not valid. The whole tool is not, then: an HTTP client drops it, and a
/// tool of ours is refused where it is configured.
struct ParamHeaderFault {
  std::string location;  ///< JSON Pointer into the schema, of the subschema
  std::string reason;    ///< a fixed sentence
};

struct ParamHeaders {
  std::vector<ParamHeader> headers;      ///< the valid ones, in the order of the schema
  std::vector<ParamHeaderFault> faults;  ///< at most kMaxParamHeaderFaults
};
inline constexpr std::size_t kMaxParamHeaderFaults = 32;
/// Of one tool; one more is a fault.
inline constexpr std::size_t kMaxParamHeaders = 64;

/// Looks at every place of a schema that is a subschema, in the dialects that we know.
[[nodiscard]] ParamHeaders read_param_headers(const json::Value& input_schema);

/// The client's half: name and encoded value of each header of a call. Absent and null arguments
/// have none, nor have values of another type than the schema says. malformed: an integer beyond
/// 2^53-1 in magnitude.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> mirrored_headers(
    const ParamHeaders& headers, const json::Value& arguments);

/// A request's header as received; nothing if it has none of that name (in any case).
using HeaderLookup = std::function<std::optional<std::string_view>(std::string_view name)>;

/// The server's half: a fixed sentence about the first header that does not say what the arguments
/// say; nothing if all do. Integers are compared as numbers. Names that the schema does not have
/// are not looked at.
[[nodiscard]] std::optional<std::string> param_header_mismatch(const ParamHeaders& headers,
                                                               const json::Value& arguments,
                                                               const HeaderLookup& lookup);

}  // namespace interline::protocols::mcp
