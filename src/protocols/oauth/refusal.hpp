// What authorization servers say of why they refuse: one of the documented words, or nothing that
// is passed on.
#pragma once

#include <string>
#include <string_view>

namespace interline::protocols::oauth {

/// " (access_denied)" of an `error` that is documented (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2;
/// RFC 8707, 2), for the end of a sentence of ours; else "".
[[nodiscard]] std::string refusal(std::string_view error);
/// The same of a body that may be such an answer.
[[nodiscard]] std::string refusal_in(std::string_view body);

}  // namespace interline::protocols::oauth
