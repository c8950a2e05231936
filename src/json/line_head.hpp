// Whose line is it? For lines that cannot be parsed, because they are cut or broken: whoever waits
// for them, or for their answer, must fail instead of waiting for ever.
#pragma once

#include <optional>
#include <string_view>

namespace interline::json {

/// The value of the root object's member `name` as it stands there, if it is a string without
/// escapes or a number, and if all before it is well-formed enough to be skipped. The text may end
/// anywhere. Strings without their quotes. Linear.
[[nodiscard]] std::optional<std::string_view> member_of_head(std::string_view head,
                                                             std::string_view name);

/// The same from the other side: `tail` is the end of the text, and all behind the member has to be
/// strings, numbers and words. No text inside of a string can be taken for it.
[[nodiscard]] std::optional<std::string_view> member_of_tail(std::string_view tail,
                                                             std::string_view name);

}  // namespace interline::json
