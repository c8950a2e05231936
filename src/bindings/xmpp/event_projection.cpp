#include "bindings/xmpp/event_projection.hpp"

#include <algorithm>
#include <array>

#include "bindings/xmpp/xml_writer.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::xmpp {
namespace {

/// What a stanza has around an event's body: names, ids, two addresses at their longest.
constexpr std::size_t kAroundBody = 10'240;

// event.schema.json, $defs.toolResult
constexpr std::array<std::string_view, 4> kResultMembers = {"content", "structuredContent",
                                                            "isError", "_meta"};

bool is_known(const json::Member& member) {
  return std::ranges::find(kResultMembers, member.name()) != kResultMembers.end();
}

std::string without_unknown_members(std::string_view body) {
  json::Limits limits;
  limits.bytes = body.size();
  limits.string_bytes = body.size();
  const auto document = json::parse_borrowed(body, limits, json::Numbers::faithful);
  const json::Value* result = document ? document->root().find("result") : nullptr;
  if (result == nullptr || std::ranges::all_of(result->members(), is_known)) {
    return std::string(body);
  }
  std::string projected;
  json::Writer writer(projected);
  writer.begin_object();
  for (const json::Member& member : document->root().members()) {
    writer.name(member.name());
    if (member.name() != "result") {
      writer.value(member.value);
      continue;
    }
    writer.begin_object();
    for (const json::Member& known : result->members()) {
      if (is_known(known)) writer.member(known.name(), known.value);
    }
    writer.end_object();
  }
  writer.end_object();
  return projected;
}

}  // namespace

std::string project_body(bool completed, std::string_view body) {
  return completed ? without_unknown_members(body) : std::string(body);
}

bool fits_stanza(bool completed, std::string_view body, std::size_t most) {
  return text_wire_size(project_body(completed, body)) + kAroundBody <= most;
}

}  // namespace interline::xmpp
