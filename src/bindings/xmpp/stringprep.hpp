// The three preparation profiles of XMPP addresses, over ICU.
//
// RFC 3920 nodeprep and resourceprep and RFC 3491 nameprep are what Prosody and ejabberd apply;
// RFC 7622 (PRECIS) differs from them and is not what arrives on the wire. Domains end as U-labels
// (UTS 46 ToUnicode), because servers do not unify A-labels with U-labels.
//
// Each function accepts its own output unchanged: text whose prepared form would change again is
// refused, since two spellings of one principal must never become two principals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace interline::xmpp {

/// RFC 6122 section 2.1: bytes of one part of an address, before and after preparation.
inline constexpr std::size_t kMaxJidPart = 1023;

/// Code points without a meaning in Unicode 3.2: servers let them through in addresses of others
/// (RFC 3454 section 7, queries); our own names must not have any (stored strings).
enum class Unassigned : std::uint8_t { allow, refuse };

/// Errors: malformed, with a fixed sentence. Ill-formed UTF-8 and empty results are malformed.
[[nodiscard]] Result<std::string> prepare_localpart(std::string_view text, Unassigned unassigned);
[[nodiscard]] Result<std::string> prepare_resource(std::string_view text, Unassigned unassigned);
/// One trailing dot is stripped. An IPv6 literal in brackets is a domain too.
[[nodiscard]] Result<std::string> prepare_domain(std::string_view text, Unassigned unassigned);

/// Whether nodeprep and the PRECIS UsernameCaseMapped profile (RFC 8265 section 3.3) both leave
/// the name as it is, so that no server of either school respells it. At most 64 code points.
[[nodiscard]] bool stable_in_both_profiles(std::string_view name);

}  // namespace interline::xmpp
