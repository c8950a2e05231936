#include "bindings/web/events.hpp"

#include <algorithm>

namespace interline::web {

using net::http::Response;

std::string event_of(std::string_view json) {
  constexpr std::string_view kField = "data: ";
  std::string text(kField);
  text.append(json);
  // What an agent wrote may be of several lines. In JSON a raw line break is white space.
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  text.append("\n\n");
  return text;
}

Response stream_head(const net::http::Fields& fields) {
  Response head(200);
  head.fields = fields;
  head.fields.set("Content-Type", "text/event-stream");
  head.fields.set("Cache-Control", "no-cache, no-transform");
  head.fields.set("X-Accel-Buffering", "no");
  return head;
}

}  // namespace interline::web
