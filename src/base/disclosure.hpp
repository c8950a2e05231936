// What a program says of its own failure may hold what nobody else should read: credentials, and
// where in its code it failed. ProtoXEP "Error Handling": neither is exposed to callers.
#pragma once

#include <string>
#include <string_view>

namespace interline {

/// The text up to the first line that looks like a stack trace, without credentials: what follows
/// `Bearer`, the values of keys like `password=` or `Authorization:`, tokens of well-known forms,
/// private keys, a user in a URL. Each is replaced by "[redacted]". Errs on the side of hiding.
[[nodiscard]] std::string safe_to_show(std::string_view text);

/// The same with its stack traces, for the operator's own eyes.
[[nodiscard]] std::string without_secrets(std::string_view text);

}  // namespace interline
