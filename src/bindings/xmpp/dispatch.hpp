// Which payload goes to which handler: one table for the gateway's own address, one for endpoints.
#pragma once

#include <cstdint>
#include <string_view>

#include "bindings/xmpp/call.hpp"
#include "bindings/xmpp/handlers/guards.hpp"
#include "policy/rate.hpp"

namespace interline::xmpp {

enum class Addressee : std::uint8_t { gateway, endpoint };
enum class IqType : std::uint8_t { get, set, either };

struct DispatchRow {
  Addressee addressee;
  std::string_view ns;
  std::string_view name;
  IqType type;
  policy::RateClass rate;
  Guard guard;  ///< who learns that a request was too large
  Handler handle;
};

/// The row for a payload, or nullptr: nobody serves it there.
[[nodiscard]] const DispatchRow* find_row(Addressee addressee, Element payload);

/// Whether the row takes an IQ of this type.
[[nodiscard]] constexpr bool takes(const DispatchRow& row, bool set) {
  return row.type == IqType::either || (row.type == IqType::set) == set;
}

/// The rules of order before any handler (addressee, payload, type, rate), then the handler, then
/// the answer: exactly one.
[[nodiscard]] awaitable<OutgoingStanza> answer(Services& services, Call call);

}  // namespace interline::xmpp
