// Bodies of events as this wire allows them: the engine's bytes, but for members of a tool's result
// that event.schema.json does not know, which are left out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace interline::xmpp {

/// `completed`: the body is that of a completed task. The same bytes every time for the same body.
[[nodiscard]] std::string project_body(bool completed, std::string_view body);

/// Whether every stanza that shows the body (event, state, result) has at most `most` bytes on the
/// wire. True of all but results and questions where `most` is OutgoingStanza::kLeastBytes or more.
[[nodiscard]] bool fits_stanza(bool completed, std::string_view body, std::size_t most);

}  // namespace interline::xmpp
