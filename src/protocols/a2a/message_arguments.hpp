// How a message becomes a tool's arguments (the interop map's reading of Message parts; nothing
// that it does not name selects a tool or becomes an argument).
//
// | the message has | the arguments |
// |---|---|
// | one data part that is an object | that object |
// | texts | the one argument that takes a text: the only required string, or else the only string |
// | anything, for a tool that takes messages | `{NAME: the message}` |
//
// A tool takes messages where its definition says so: `"_meta": {"interline/a2a": {"message":
// NAME}}`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocols/a2a/messages.hpp"

namespace interline::protocols::a2a {

/// What of a tool decides it.
struct ToolInput {
  std::string message_argument;  ///< takes a whole Message; "" if none does
  std::string text_argument;     ///< takes a text; "" if none does, or several
};

/// `definition`: an MCP Tool object.
[[nodiscard]] ToolInput tool_input(std::string_view definition);

/// The one member of that object schema that takes a text; "" if none does, or several, or it is no
/// object's.
[[nodiscard]] std::string text_member(std::string_view schema);

/// The media types that its skill takes.
[[nodiscard]] std::vector<std::string_view> input_modes(const ToolInput& input);

/// JSON object text. Errors: content_type_not_supported (a part that this tool can take in no way),
/// invalid_params.
[[nodiscard]] Read<std::string> arguments_of(Edition edition, const ToolInput& input,
                                             const Message& message);

}  // namespace interline::protocols::a2a
