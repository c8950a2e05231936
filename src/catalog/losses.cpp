#include "catalog/losses.hpp"

#include <array>
#include <cstddef>

namespace interline::catalog {
namespace {

constexpr LossSide kReport = LossSide::report;
constexpr LossSide kToXmpp = LossSide::to_xmpp;
constexpr LossSide kToMcp = LossSide::to_mcp;

constexpr std::array kTable = {
    LossRow{Loss::tool_unreadable, kReport, "",
            "the definition is no I-JSON object; the tool was left out"},
    LossRow{Loss::tool_unnamed, kReport, "/name", "there is none; the tool was left out"},
    LossRow{Loss::tool_named_twice, kReport, "/name", "another tool has it; the tool was left out"},
    LossRow{Loss::tools_too_many, kReport, "",
            "a manifest has 4096 tools at most; the tool was left out"},
    LossRow{Loss::tool_only_as_task, kReport, "/execution/taskSupport",
            "the tool can only be called as a task of the MCP server's own, and was left out"},
    LossRow{Loss::tool_headers_wrong, kReport, "/inputSchema",
            "the tool annotates its headers wrongly, and was left out: {}"},
    LossRow{Loss::tool_schema_absent, kReport, "/inputSchema",
            "there is none; the tool was left out"},
    LossRow{Loss::tool_schema_unusable, kReport, "", "the tool was left out"},
    LossRow{Loss::tool_refused, kReport, "", "{}; the tool was left out"},
    LossRow{Loss::tool_character, kReport, "",
            "a character that XML cannot carry; the tool was left out"},
    LossRow{Loss::name_white_space, kReport, "/name",
            "XMPP servers change white space in it: the tool cannot be called through them"},
    LossRow{Loss::name_not_recommended, kReport, "/name",
            "longer than MCP recommends, or of other characters: some clients refuse it"},
    LossRow{Loss::name_shown_otherwise, kReport, "/name", "called {} in /mcp"},
    LossRow{Loss::member_unknown, kReport, "/MEMBER",
            "this member has no place in a manifest and is not shown there"},
    LossRow{Loss::member_no_text, kReport, "/MEMBER", "no string, so it was left out"},
    LossRow{Loss::member_no_object, kReport, "/MEMBER", "no object, so it was left out"},
    LossRow{Loss::text_cut, kReport, "/MEMBER", "cut to {} characters"},
    LossRow{Loss::extension_replaced, kReport, "/urn:xmpp:agent-api:0",
            "{}; it was replaced by what the runtime can do"},
    LossRow{Loss::schema_upgraded, kReport, "a schema",
            "the schema was upgraded from draft-07 to 2020-12"},
    LossRow{Loss::schema_changed, kReport, "in a schema", "{}"},
    LossRow{Loss::schema_not_upgraded, kReport, "a schema",
            "the draft-07 schema has no equal in 2020-12: {}"},
    LossRow{Loss::schema_unreadable, kReport, "a schema", "the schema is no I-JSON: {}"},
    LossRow{Loss::schema_too_large, kReport, "a schema", "the schema is larger than {} bytes"},
    LossRow{Loss::schema_not_registered, kReport, "a schema",
            "the schema cannot be registered: {}"},
    LossRow{Loss::report_full, kReport, "", "there is more than this report holds"},

    LossRow{Loss::prompts, kToXmpp, "prompts, completion", "are for MCP clients alone"},
    LossRow{Loss::resources, kToXmpp, "resources, resource templates, their changes",
            "are for MCP clients alone; a link to one in a result is the agent's own URI"},
    LossRow{Loss::questions, kToXmpp, "questions",
            "forms alone are asked: a URL, the caller's model, its roots are refused to the tool"},
    LossRow{Loss::log_lines, kToXmpp, "log lines, artifacts",
            "are kept with the task, and not told"},
    LossRow{Loss::result_members, kToXmpp, "members of a result",
            "those that the specification's event does not know are left out"},
    LossRow{Loss::result_too_large, kToXmpp, "a result larger than a stanza",
            "the task fails with interline:result-too-large"},

    LossRow{Loss::versions, kToMcp, "a version, a manifest's hash",
            "cannot be asked for: a call is of the active version"},
    LossRow{Loss::deadlines, kToMcp, "a caller's deadline",
            "cannot be given: the tool's and the gateway's hold"},
    LossRow{Loss::history, kToMcp, "the log of a task",
            "a task is told as it is now; its events are not numbered"},
    LossRow{Loss::states, kToMcp, "accepted, running, cancelling", "are one: `working`"},
    LossRow{Loss::failures, kToMcp, "a failure",
            "is a result with `isError`, its code a part of the text; only a JSON-RPC error of an "
            "MCP server stays one"},
    LossRow{Loss::revisions, kToMcp, "the revision that is expected",
            "cannot be said when a task is answered or cancelled"},
    LossRow{Loss::artifacts, kToMcp, "artifacts", "are kept with the task, and not told"},
    LossRow{Loss::extension_member, kToMcp, "`urn:xmpp:agent-api:0` of a tool", "is not shown"},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable.at(i).loss) != i) return false;
  }
  return kTable.back().loss == Loss::extension_member;
}
static_assert(is_in_order());

constexpr std::string_view kDetail = "{}";

constexpr std::string_view kHead = R"(# What is lost between MCP and XMPP

Interline writes down what a mapping loses. This page is the table that the program has; it is what `interline check --losses`
prints.

)";

struct SideRow {
  LossSide side;
  std::string_view title;
};
constexpr SideRow kSides[] = {
    {kReport,
     "## Tools of an agent\n\nTold for each tool that has it, under `losses`, by `interline "
     "endpoints show NAME`. The place is a JSON Pointer into the tool's definition.\n\n"
     "| place | what is told |\n|---|---|\n"},
    {kToXmpp, "\n## Not to be had over XMPP\n\n| what | |\n|---|---|\n"},
    {kToMcp, "\n## Not to be had over MCP\n\n| what | |\n|---|---|\n"},
};

std::string code(std::string_view text) {
  if (text.empty()) return "the tool";
  return text.starts_with('/') ? "`" + std::string(text) + "`" : std::string(text);
}

}  // namespace

std::span<const LossRow> loss_table() {
  return kTable;
}

std::string loss_text(Loss loss, std::string_view detail) {
  std::string text(kTable.at(static_cast<std::size_t>(loss)).text);
  const auto place = text.find(kDetail);
  if (place != std::string::npos) text.replace(place, kDetail.size(), detail);
  return text;
}

std::string losses_document() {
  std::string text(kHead);
  for (const SideRow& side : kSides) {
    text += side.title;
    for (const LossRow& row : kTable) {
      if (row.side != side.side) continue;
      text += "| " + code(row.what) + " | " + loss_text(row.loss, "...") + " |\n";
    }
  }
  return text;
}

}  // namespace interline::catalog
