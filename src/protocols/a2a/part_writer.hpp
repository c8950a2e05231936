// Parts on the wire, from whatever an agent gave: MCP content, artifact chunks, A2A's own (A2A 1.0,
// section 4.1.6).
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"
#include "json/writer.hpp"
#include "protocols/a2a/messages.hpp"

namespace interline::protocols::a2a {

void write_part(json::Writer& writer, const Part& part);
void write_text_part(json::Writer& writer, std::string_view text);

/// One element of an agent's array: a content block of MCP (it has a `type`), a Part of A2A as it
/// is, and anything else as data.
void write_agent_part(json::Writer& writer, const json::Value& element);

/// A CallToolResult's parts, as an array's text: its structured content as data, then its content,
/// but for a text that only repeats the structured content. "" if there are none.
[[nodiscard]] std::string parts_of_result(const json::Value& result);
/// An array of an agent's own elements.
[[nodiscard]] std::string parts_of_chunk(std::string_view elements);

}  // namespace interline::protocols::a2a
