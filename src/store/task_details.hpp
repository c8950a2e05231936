// What few tasks have, as one run of bytes: questions, answers, cancellation, a runtime's memory.
// Kept apart from the row that every commit rewrites.
//
//   details  = version presence [pending] [answers] [past] [cancel] [suspended] [memory] [outcome]
//              resume-from
//   version  = 0x01
//   presence = a byte; bits 0 to 6: which of the seven follow, in this order
//   pending  = request-id created(time) count question*
//   question = id key kind(byte) text schema url flag [expires-at(time)] expires-in(signed)
//              reasks-left
//   answers  = count answer*      answer = question key action(byte) value digest revision
//   past     = count past-one*    past-one = id disposition(byte) flag [digest] revision
//   cancel   = flags(byte: 1 fingerprint, 2 reason) [digest] revision [reason]
//
// Numbers, texts and times are as in byte_codec.hpp; a flag is a byte, 0 or 1. Counts here are at
// least 1. One value has one form: what decodes, encodes to the same bytes again.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "tasks/model.hpp"

namespace interline::store {

/// Empty if the task has none of it. `outcome` goes in only where the log does not hold it: "" or
/// the task's outcome.
[[nodiscard]] std::string encode_details(const tasks::Task& task, std::string_view outcome);

/// Sets these parts of `task`, the outcome only where it is there. Bytes are those of
/// encode_details, or else it is internal, and `task` half changed.
[[nodiscard]] Result<void> decode_details(std::string_view bytes, tasks::Task& task);

/// Whether encode_details would give the same for both, the outcome apart.
[[nodiscard]] bool same_details(const tasks::Task& a, const tasks::Task& b);

}  // namespace interline::store
