// Requests of A2A as strangers send them: every reader gives a message or a bounded error, and what
// is kept of a message reads as the same message again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "protocols/a2a/message_arguments.hpp"
#include "protocols/a2a/messages.hpp"
#include "protocols/a2a/part_writer.hpp"
#include "protocols/a2a/versions.hpp"

using namespace interline;
using namespace interline::protocols::a2a;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

template <class T>
void bounded(const Read<T>& read) {
  constexpr std::size_t kMost = 64 * 1024;
  if (!read) demand(json_rpc_error("1", read.error()).size() < kMost);
}

/// Written down and read again, it is what it was.
void keep(const SendRequest& request) {
  const std::string kept = message_text(request.message, "T", "C");
  const auto document = json::parse(R"({"message":)" + kept + "}", {}, json::Numbers::faithful);
  demand(document.has_value());
  const auto again = read_send(document->root());
  demand(again.has_value());
  demand(message_text(again->message, "T", "C") == kept);
  for (const char* schema : {R"({"inputSchema":{"properties":{"q":{"type":"string"}}}})",
                             R"({"inputSchema":{},"_meta":{"interline/a2a":{"message":"m"}}})"}) {
    const auto arguments = arguments_of(Edition::v1_0_1, tool_input(schema), request.message);
    if (arguments) demand(json::parse(*arguments, {}, json::Numbers::faithful).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  demand(decide_version(text, {}, "0.3").requested.size() <= 32);
  const std::string parts = parts_of_chunk(text);
  demand(json::parse(parts, {}, json::Numbers::faithful).has_value() || size > 10'000);
  const auto document = json::parse(text, {}, json::Numbers::faithful);
  if (!document) return 0;
  const auto sent = read_send(document->root());
  bounded(sent);
  if (sent) keep(*sent);
  bounded(read_task(document->root()));
  bounded(read_list(document->root()));
  bounded(read_push_config(document->root()));
  bounded(read_push_config_request(document->root(), true));
  (void)tool_input(text);
  (void)text_member(text);
  return 0;
}
