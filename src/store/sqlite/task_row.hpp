// A task as its rows have it, and how they are read; by the writer and by readers alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/sqlite/connection.hpp"
#include "tasks/model.hpp"

namespace interline::store {

struct TaskRow {
  tasks::Task task;
  std::int64_t number = 0;   ///< position in the order of admission: what other tables refer to
  std::int64_t owner = 0;    ///< owners.number
  std::int64_t context = 0;  ///< contexts.number, or 0
  std::int64_t version = 0;  ///< versions.number
  /// The log entry whose body is the outcome, which is not stored twice.
  std::optional<tasks::Sequence> outcome_at;
};

/// tasks.flags and admissions.features.
[[nodiscard]] std::uint64_t flags_of(const tasks::Task& task);
[[nodiscard]] std::uint64_t features_of(const tasks::Admission& admission);

/// Deadlines keep the spelling they came with.
[[nodiscard]] std::optional<tasks::Deadline> read_deadline(std::string_view text,
                                                           tasks::DeadlineSource source);

// One statement a way of asking; both are read by read_task_row.
extern const std::string_view kSelectTaskById;      ///< parameter: tasks.id
extern const std::string_view kSelectTaskByNumber;  ///< parameter: tasks.number

/// Of the present row. Throws CorruptRow.
[[nodiscard]] TaskRow read_task_row(const Rows& rows);

}  // namespace interline::store
