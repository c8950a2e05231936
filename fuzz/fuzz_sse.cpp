// Event streams: fed whole and in pieces they are the same events, and what is read can be written
// and read again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "net/http/sse.hpp"

namespace http = interline::net::http;

namespace {

struct Outcome {
  std::vector<std::string> events;
  bool refused = false;
  std::string last_id;

  bool operator==(const Outcome&) const = default;
};

Outcome parse(std::string_view input, std::size_t piece, std::vector<http::SseEvent>* events) {
  http::SseLimits limits;
  limits.line = 4000;
  limits.data = 5000;
  http::SseParser parser(limits);
  Outcome outcome;
  while (!outcome.refused && !input.empty()) {
    parser.append(input.substr(0, piece));
    input.remove_prefix(std::min(piece, input.size()));
    for (;;) {
      auto event = parser.next();
      outcome.refused = !event;
      if (!event || !*event) break;
      outcome.events.push_back((*event)->type + "\n" + (*event)->id + "\n" + (*event)->data);
      if (events != nullptr) events->push_back(**event);
    }
  }
  outcome.last_id = parser.last_id();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<http::SseEvent> events;
  const Outcome whole = parse(input, input.size() + 1, &events);
  const Outcome pieces = parse(input, 1 + data[0] % 64, nullptr);
  if (whole.refused != pieces.refused || whole.events != pieces.events) std::abort();
  if (whole.refused) return 0;
  std::string written;
  for (const http::SseEvent& event : events) written += http::encode_event(event);
  std::vector<http::SseEvent> read;
  (void)parse(written, 7, &read);
  if (read.size() > events.size()) std::abort();
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i].data != events[i].data || read[i].type != events[i].type) std::abort();
  }
  return 0;
}
