// A line that an agent's process writes: understood or refused, and never more than it says.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/line_head.hpp"
#include "json/parse.hpp"
#include "runtimes/exec/protocol.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace interline;
  using namespace interline::runtimes;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto head = interline::json::member_of_head(line, "task");
  (void)json::member_of_tail(line, "task");
  const auto message = exec::read_line(line);
  if (!message) {
    if (message.error().message.empty()) std::abort();
    return 0;
  }
  // Whoever was found without a parser is whom the parser finds.
  if (head && *head != message->task && line.find('\\') == std::string_view::npos &&
      !std::holds_alternative<exec::ToolsMessage>(message->body)) {
    std::abort();
  }
  if (const auto* result = std::get_if<exec::ResultMessage>(&message->body)) {
    json::Limits limits;
    limits.bytes = limits.string_bytes = result->result.size();
    limits.depth = 100;
    const auto parsed = json::parse_borrowed(result->result, limits, json::Numbers::faithful);
    if (!parsed || !parsed->root().is_object()) std::abort();
  }
  return 0;
}
