#include "runtimes/xmpp/call_memory.hpp"

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::xmpp {
namespace {

using protocols::xmpp::Pins;

void write_pins(json::Writer& writer, const Pins& pins) {
  writer.begin_object();
  writer.member("hash", pins.hash);
  writer.member("version", pins.version);
  writer.end_object();
}

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::optional<Pins> read_pins(const json::Value* value) {
  if (value == nullptr || !value->is_object()) return std::nullopt;
  Pins pins;
  pins.version = text_of(*value, "version");
  pins.hash = text_of(*value, "hash");
  if (pins.version.empty() || pins.hash.empty()) return std::nullopt;
  return pins;
}

}  // namespace

std::string CallMemory::text() const {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("pins");
  write_pins(writer, pins);
  writer.member("request", request);
  writer.member("deadline", deadline);
  writer.member("repeatUntil", repeat_until);
  writer.member("task", task);
  writer.end_object();
  return text;
}

std::optional<CallMemory> CallMemory::read(std::string_view text) {
  const auto document = json::parse_borrowed(text);
  if (!document || !document->root().is_object()) return std::nullopt;
  const json::Value& root = document->root();
  auto pins = read_pins(root.find("pins"));
  const json::Value* until = root.find("repeatUntil");
  CallMemory memory;
  memory.request = text_of(root, "request");
  memory.deadline = text_of(root, "deadline");
  memory.task = text_of(root, "task");
  if (!pins || until == nullptr || !until->is_number() || memory.request.empty()) {
    return std::nullopt;
  }
  memory.pins = *std::move(pins);
  memory.repeat_until = static_cast<std::int64_t>(until->as_double());
  return memory;
}

std::optional<Pins> pins_of(std::string_view tool_definition) {
  const auto document = json::parse_borrowed(tool_definition);
  if (!document || !document->root().is_object()) return std::nullopt;
  return read_pins(document->root().find(kPinsMember));
}

std::string with_pins(std::string_view tool_definition, const Pins& pins) {
  const auto document = json::parse_borrowed(tool_definition, {}, json::Numbers::faithful);
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  if (document && document->root().is_object()) {
    for (const json::Member& member : document->root().members()) {
      if (member.name() != kPinsMember) writer.member(member.name(), member.value);
    }
  }
  writer.name(kPinsMember);
  write_pins(writer, pins);
  writer.end_object();
  return text;
}

}  // namespace interline::runtimes::xmpp
