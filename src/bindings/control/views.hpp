// What the engine says, as this wire's JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/control/control.hpp"
#include "engine/engine.hpp"
#include "json/writer.hpp"

namespace interline::control {

/// RFC 3339, milliseconds, UTC.
[[nodiscard]] std::string time_text(SystemTime time);

/// One line of a list.
void write_summary(json::Writer& writer, const tasks::Task& task);
/// The whole task; artifacts where there are some. `may_answer`: whether the one who looks may
/// answer what it asks. `load`: of its endpoint, written where it waits for its turn.
[[nodiscard]] std::string task_json(const tasks::Task& task,
                                    const std::vector<engine::Artifact>& artifacts, bool may_answer,
                                    const std::optional<Load>& load);
[[nodiscard]] std::string entry_json(const tasks::LogEntry& entry);
[[nodiscard]] std::string admission_json(const engine::Admission& admission);
/// {"revision","replayed"}
[[nodiscard]] std::string accepted_json(const engine::Accepted& accepted);
/// {"held":false}, or {"held":true,"since","behindSeconds","overInSeconds"}
void write_hold(json::Writer& writer, const std::optional<engine::RetentionHold>& hold);
[[nodiscard]] std::string status_json(const GatewayStatus& status, std::string_view who,
                                      bool is_operator);

}  // namespace interline::control
