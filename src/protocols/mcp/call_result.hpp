// Tools and what they give, in the words of the client's revision: what it does not know is left
// out or put into words that it does (the differences between the revisions, row by row).
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"
#include "protocols/mcp/results.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

/// A Tool object for a list: `definition` under the name it has here, all other bytes as they are.
/// An `outputSchema` whose root is no object is left out before 2026-07-28; what only XMPP has,
/// always.
[[nodiscard]] std::string tool_definition(const json::Value& definition, std::string_view name,
                                          Revision revision);

/// A CallToolResult, complete in this exchange. Before 2026-07-28 a `structuredContent` that is no
/// object is left out, and a content block of a kind that the revision lacks becomes a text that
/// says what it was.
[[nodiscard]] std::string call_result(const Envelope& envelope, const json::Value& result);

/// A result of one text.
[[nodiscard]] std::string text_result(const Envelope& envelope, std::string_view text,
                                      bool is_error);
/// The same without an envelope: a CallToolResult's text, for a task.
[[nodiscard]] std::string bare_text_result(std::string_view text, bool is_error);

}  // namespace interline::protocols::mcp
