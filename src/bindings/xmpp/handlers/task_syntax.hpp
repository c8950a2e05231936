// Lexical forms that the task payloads share: identifiers, revisions, and the prefix of
// fingerprints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "bindings/xmpp/call.hpp"
#include "engine/length_prefixed.hpp"
#include "tasks/model.hpp"

namespace interline::xmpp {

/// xs:nonNegativeInteger: a sign and leading zeros are allowed. Nothing beyond 2^63-1.
[[nodiscard]] std::optional<tasks::Revision> read_revision(std::string_view text);

/// `^[A-Za-z0-9._~-]{22,128}$`
[[nodiscard]] inline bool is_identifier(std::string_view text) {
  return is_foreign_id(text);
}

/// What every fingerprint of this wire begins with: label, caller, target, namespace.
[[nodiscard]] std::string fingerprint_prefix(const Services& services, const Call& call,
                                             std::string_view label);

/// The caller's task of that id, at the endpoint written to. Every other one, and every id that is
/// none of ours, is absent.
[[nodiscard]] awaitable<Result<engine::TaskView>> read_own_task(Services& services,
                                                                const Call& call, std::string id);

/// Whether the task ever asked under that id.
[[nodiscard]] bool was_asked(const tasks::Task& task, std::string_view request);

/// Question kinds that a caller over XMPP can answer: forms alone.
inline constexpr tasks::QuestionKinds kAnswerable = tasks::bit(tasks::QuestionKind::form);

}  // namespace interline::xmpp
