// Who may know that a request was too large to be read: the authorisation of each operation, from
// what an oversized stanza still tells. For all others nothing is there.
#pragma once

#include "bindings/xmpp/call.hpp"

namespace interline::xmpp {

/// Errors: those that the operation itself answers to whom it is closed.
using Guard = awaitable<Result<void>> (*)(Services& services, const Call& call);

[[nodiscard]] awaitable<Result<void>> for_anybody(Services& services, const Call& call);
/// All but strangers from other domains.
[[nodiscard]] awaitable<Result<void>> for_acquaintances(Services& services, const Call& call);
[[nodiscard]] awaitable<Result<void>> for_registrants(Services& services, const Call& call);
[[nodiscard]] awaitable<Result<void>> for_administrators(Services& services, const Call& call);
/// Who sees the endpoint.
[[nodiscard]] awaitable<Result<void>> for_viewers(Services& services, const Call& call);
/// Who may invoke the tool that the payload names, in the version that it names.
[[nodiscard]] awaitable<Result<void>> for_invokers(Services& services, const Call& call);
/// Who controls the task that the payload names.
[[nodiscard]] awaitable<Result<void>> for_owners(Services& services, const Call& call);
/// Who controls the task, of which the payload names a request for input.
[[nodiscard]] awaitable<Result<void>> for_answerers(Services& services, const Call& call);
/// Who controls the task, where its tool can be cancelled.
[[nodiscard]] awaitable<Result<void>> for_cancellers(Services& services, const Call& call);

}  // namespace interline::xmpp
