// The XML stream: however the bytes arrive, the events are the same. The first two bytes of the
// input choose bounds and the sizes of the pieces; the rest is the stream.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/xmpp/testing.hpp"
#include "bindings/xmpp/xml_stream.hpp"

using interline::xmpp::StreamBounds;
using interline::xmpp::StreamEvent;
using interline::xmpp::XmlStream;

namespace {

StreamBounds tight() {
  StreamBounds bounds;
  bounds.stanza = 64;
  bounds.tag = 48;
  bounds.shape = {
      .depth = 4, .nodes = 8, .attributes = 3, .name = 8, .attribute_value = 16, .namespaces = 4};
  return bounds;
}

std::vector<std::string> read(std::string_view bytes, const StreamBounds& bounds,
                              std::uint8_t pattern) {
  XmlStream stream(bounds, 1);
  std::vector<StreamEvent> events;
  for (unsigned step = pattern; !bytes.empty(); step = step * 5 + 1) {
    const std::size_t piece = pattern == 0 ? bytes.size() : 1 + step % (1 + pattern % 16);
    stream.feed(bytes.substr(0, piece), events);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  stream.finish(events);
  std::vector<std::string> out;
  for (const StreamEvent& event : events) {
    // Which of two faults in one run of text comes first, expat tells by its pieces.
    const bool fault = std::holds_alternative<interline::xmpp::StreamFault>(event);
    out.push_back(fault ? "fault" : interline::xmpp::testing::dump(event));
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const bool is_tight = data[0] % 2 != 0;
  const StreamBounds bounds = is_tight ? tight() : StreamBounds();
  const auto pattern = static_cast<std::uint8_t>(data[1] | 1U);
  std::string bytes;
  if (data[0] % 4 < 2) bytes = is_tight ? "<root>" : interline::xmpp::testing::kHeader;
  bytes.append(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (read(bytes, bounds, 0) != read(bytes, bounds, pattern)) std::abort();
  return 0;
}
