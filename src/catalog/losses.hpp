// What is lost between MCP and XMPP: one table. An endpoint's loss report is written in its words,
// and docs/losses.md is what it says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace interline::catalog {

enum class Loss : std::uint8_t {
  // Tools of MCP that XMPP cannot show as they are: each in the report of its endpoint.
  tool_unreadable,
  tool_unnamed,
  tool_named_twice,
  tools_too_many,
  tool_only_as_task,
  tool_headers_wrong,
  tool_schema_absent,
  tool_schema_unusable,
  tool_refused,
  tool_character,
  name_white_space,
  name_not_recommended,
  name_shown_otherwise,
  member_unknown,
  member_no_text,
  member_no_object,
  text_cut,
  extension_replaced,
  schema_upgraded,
  schema_changed,
  schema_not_upgraded,
  schema_unreadable,
  schema_too_large,
  schema_not_registered,
  report_full,
  // The rest of MCP, for callers over XMPP.
  prompts,
  resources,
  questions,
  log_lines,
  result_members,
  result_too_large,
  // XMPP's, for callers over MCP.
  versions,
  deadlines,
  history,
  states,
  failures,
  revisions,
  artifacts,
  extension_member,
};

enum class LossSide : std::uint8_t {
  report,   ///< of a tool of MCP, told in its endpoint's loss report
  to_xmpp,  ///< of MCP's, not to be had over XMPP
  to_mcp,   ///< of XMPP's, not to be had over MCP
};

struct LossRow {
  Loss loss;
  LossSide side;
  std::string_view what;  ///< a JSON Pointer into a tool's definition, or a thing by its name
  /// `{}` stands for what is known only when it happens.
  std::string_view text;
};

/// All of them, in the order of the enumeration.
[[nodiscard]] std::span<const LossRow> loss_table();
/// The words of a report.
[[nodiscard]] std::string loss_text(Loss loss, std::string_view detail = {});
/// The table as a document, Markdown.
[[nodiscard]] std::string losses_document();

}  // namespace interline::catalog
