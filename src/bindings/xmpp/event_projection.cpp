#include "bindings/xmpp/event_projection.hpp"

#include <algorithm>
#include <array>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::xmpp {
namespace {

// event.schema.json, $defs.toolResult
constexpr std::array<std::string_view, 4> kResultMembers = {"content", "structuredContent",
                                                            "isError", "_meta"};

bool is_known(const json::Member& member) {
  return std::ranges::find(kResultMembers, member.name()) != kResultMembers.end();
}

/// U+FFFE and U+FFFF are legal in JSON, where they can be in strings alone, and in no XML document.
std::string escape_noncharacters(std::string text) {
  constexpr std::string_view kBothBegin = "\xEF\xBF";
  for (auto at = text.find(kBothBegin); at != std::string::npos;
       at = text.find(kBothBegin, at + 1)) {
    const auto third = static_cast<unsigned char>(text[at + 2]);  // valid UTF-8: it is there
    if (third >= 0xBE) text.replace(at, 3, third == 0xBE ? "\\ufffe" : "\\uffff");
  }
  return text;
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
  return escape_noncharacters(completed ? without_unknown_members(body) : std::string(body));
}

}  // namespace interline::xmpp
