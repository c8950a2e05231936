// What a task asks, and who answers it how, as people read it.
#pragma once

#include <string>

#include "json/value.hpp"

namespace interline::cli {

/// Whether the one who asks the gateway may answer: operators see what others were asked, and
/// answer none but their own.
[[nodiscard]] bool may_answer(const json::Value& pending);

/// `answer_command` with an answer that such questions might get, to several of them an object with
/// their members; or who answers, where it is somebody else. `task` has "pending" and "owner".
[[nodiscard]] std::string answer_line(const json::Value& task, const std::string& answer_command,
                                      const std::string& options);

/// The questions of a task that waits, line by line, with answer_line(); "" where it asks nothing.
[[nodiscard]] std::string question_text(const json::Value& task, const std::string& answer_command,
                                        const std::string& options);

}  // namespace interline::cli
