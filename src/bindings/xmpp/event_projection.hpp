// Bodies of events as this wire allows them. They are the engine's bytes, but for members of a
// tool's result that event.schema.json does not know, which are left out, and for characters that
// XML cannot carry, which are escaped.
#pragma once

#include <string>
#include <string_view>

namespace interline::xmpp {

/// `completed`: the body is that of a completed task. The same bytes every time for the same body.
[[nodiscard]] std::string project_body(bool completed, std::string_view body);

}  // namespace interline::xmpp
