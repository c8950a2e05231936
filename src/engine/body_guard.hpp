// What a network cannot carry is refused before it is committed: a result that could never be
// fetched, a question that could never be shown.
#pragma once

#include <functional>
#include <string_view>

#include "tasks/model.hpp"

namespace interline::engine {

/// Whether the network could send an event of this type with this body (JSON text, as it would be
/// committed). Pure, the same for the same body, quick; called from any thread. Asked for:
/// `completed` (no: the task fails with interline:result-too-large) and `input_required` (no: the
/// question is refused to the work that asks).
using BodyGuard = std::function<bool(tasks::EntryType type, std::string_view body)>;

}  // namespace interline::engine
