// What is remembered of a call before anything of it is sent: with it, and with nothing else, the
// call goes on after a restart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocols/xmpp/agent_calls.hpp"

namespace interline::runtimes::xmpp {

struct CallMemory {
  protocols::xmpp::Pins pins;
  std::string request;  ///< request-id: the same for all sendings of this call
  std::string deadline;
  /// Seconds since 1970: until then the invocation is recognised again. Later it is not repeated.
  std::int64_t repeat_until = 0;
  std::string task;  ///< "" until it was accepted

  [[nodiscard]] std::string text() const;
  [[nodiscard]] static std::optional<CallMemory> read(std::string_view text);
};

/// The member of a tool's definition that says which remote manifest it came from.
inline constexpr std::string_view kPinsMember = "urn:interline:remote:0";
/// Nothing: the definition does not say so.
[[nodiscard]] std::optional<protocols::xmpp::Pins> pins_of(std::string_view tool_definition);
/// The definition with those pins, whichever it had. It is a JSON object.
[[nodiscard]] std::string with_pins(std::string_view tool_definition,
                                    const protocols::xmpp::Pins& pins);

}  // namespace interline::runtimes::xmpp
