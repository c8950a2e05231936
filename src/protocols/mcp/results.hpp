// The results of a server, as the revision of the exchange has them: since 2026-07-28 with
// `resultType`, who answers and for how long it may be kept, before that without a trace of these
// (2026-07-28, basic/index, "Result"; server/utilities/caching).
//
// A result that somebody else wrote is not typed anew: members are put in and taken out, and every
// other byte stays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"
#include "protocols/mcp/methods.hpp"
#include "protocols/mcp/object_edit.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

/// Who answers; the texts are valid UTF-8.
struct Implementation {
  std::string name;
  std::string title;  ///< "" if none, as the next
  std::string website_url;
  std::string version;
};
/// An Implementation object's JSON text. Legacy revisions ignore the members they do not know.
[[nodiscard]] std::string implementation_text(const Implementation& implementation);

/// How the exchange wants its results. `server_info` is an implementation_text().
struct Envelope {
  Revision revision = kFirstModern;
  std::string_view server_info;  ///< "": nothing is said

  [[nodiscard]] bool modern() const { return is_modern(revision); }
};

/// How long a client may keep a result, and whether it may give it to others. Not public unless it
/// is the same for every principal.
struct Cache {
  std::uint64_t ttl_ms = 0;
  bool is_public = false;
};

/// A complete result of members that we wrote: `"a":1,"b":2`.
[[nodiscard]] std::string own_result(const Envelope& envelope, std::string_view members,
                                     std::string_view result_type = "complete");
/// `{}` for legacy clients, and an empty complete result.
[[nodiscard]] std::string empty_result(const Envelope& envelope);

/// `member`: tools, resources, resourceTemplates or prompts; `items`: JSON objects.
[[nodiscard]] std::string list_result(const Envelope& envelope, std::string_view member,
                                      std::span<const std::string> items,
                                      const std::optional<std::string>& next_cursor,
                                      const Cache& cache);

/// A ServerCapabilities object: what the features say, in words of the revision.
[[nodiscard]] std::string server_capabilities(const Features& features, Revision revision);

[[nodiscard]] std::string discover_result(const Envelope& envelope, const Features& features,
                                          std::string_view instructions, const Cache& cache);
[[nodiscard]] std::string initialize_result(const Envelope& envelope, const Features& features,
                                            std::string_view instructions);

/// What was written as a result elsewhere (CallToolResult, ReadResourceResult, GetPromptResult, an
/// object), complete in this exchange. Members of other revisions' envelopes that are in it give
/// way. `cache`: resources/read, not on a retry.
[[nodiscard]] std::string complete_result(const Envelope& envelope, const json::Value& result,
                                          const std::optional<Cache>& cache = std::nullopt);

/// The same of a result that is being edited: its caller's changes and these in one pass.
[[nodiscard]] std::string complete_result(const Envelope& envelope, ObjectEdit edit,
                                          const std::optional<Cache>& cache = std::nullopt);

/// At least one of the two is there. `requests`: an InputRequests object, see input_requests.hpp.
[[nodiscard]] std::string input_required_result(const Envelope& envelope, std::string_view requests,
                                                const std::optional<std::string>& state);

/// completion/complete: the first hundred of the values.
inline constexpr std::size_t kMaxCompletions = 100;
[[nodiscard]] std::string completion_result(const Envelope& envelope,
                                            std::span<const std::string> values);

/// The end of a subscription by the server; `id`: the listen request's, JSON text.
[[nodiscard]] std::string listen_result(const Envelope& envelope, std::string_view id);

}  // namespace interline::protocols::mcp
