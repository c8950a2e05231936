#include "protocols/mcp/capabilities.hpp"

#include <array>

#include "json/writer.hpp"
#include "protocols/mcp/methods.hpp"

namespace interline::protocols::mcp {
namespace {

using enum ClientCapability;

struct Row {
  ClientCapability capability;
  std::string_view group;   ///< member of the object
  std::string_view member;  ///< of the group; "" if the group alone says it
};

// 2026-07-28 schema, ClientCapabilities. An empty `elicitation` is read apart.
constexpr std::array<Row, kClientCapabilityCount> kRows = {{
    {elicitation_form, "elicitation", "form"},
    {elicitation_url, "elicitation", "url"},
    {sampling, "sampling", ""},
    {sampling_tools, "sampling", "tools"},
    {roots, "roots", ""},
    {tasks, "extensions", kTasksExtension},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].capability) != i) return false;
  }
  return true;
}
static_assert(in_order());

/// By tasks::QuestionKind.
constexpr std::array<ClientCapability, tasks::kQuestionKindCount> kNeeded = {
    elicitation_form, elicitation_url, elicitation_url, sampling, roots};

std::unexpected<Error> wrong(std::string_view name) {
  return fail(ErrorKind::malformed,
              "The client's capability \"" + std::string(name) + "\" is an object.");
}

}  // namespace

Result<ClientCapabilities> read_capabilities(const json::Value& object) {
  if (!object.is_object()) {
    return fail(ErrorKind::malformed, "The client's capabilities are an object.");
  }
  ClientCapabilities found;
  for (const Row& row : kRows) {
    const json::Value* group = object.find(row.group);
    if (group == nullptr) continue;
    if (!group->is_object()) return wrong(row.group);
    const json::Value* member = row.member.empty() ? group : group->find(row.member);
    if (member == nullptr) continue;
    if (!member->is_object()) return wrong(row.member);
    found.add(row.capability);
  }
  const json::Value* elicitation = object.find("elicitation");
  if (elicitation != nullptr && !found.has(elicitation_url)) found.add(elicitation_form);
  return found;
}

std::string capabilities_text(ClientCapabilities capabilities) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  std::string_view open;
  for (const Row& row : kRows) {
    if (!capabilities.has(row.capability)) continue;
    if (row.group != open) {
      if (!open.empty()) writer.end_object();
      writer.name(row.group);
      writer.begin_object();
      open = row.group;
    }
    if (!row.member.empty()) writer.raw_member(row.member, "{}");
  }
  if (!open.empty()) writer.end_object();
  writer.end_object();
  return text;
}

tasks::QuestionKinds answerable(ClientCapabilities capabilities) {
  tasks::QuestionKinds kinds = 0;
  for (std::size_t i = 0; i < kNeeded.size(); ++i) {
    if (capabilities.has(kNeeded.at(i))) {
      kinds = static_cast<tasks::QuestionKinds>(kinds | bit(static_cast<tasks::QuestionKind>(i)));
    }
  }
  return kinds;
}

ClientCapability needed_for(tasks::QuestionKind kind) {
  return kNeeded.at(static_cast<std::size_t>(kind));
}

}  // namespace interline::protocols::mcp
