// Numbers that are on disk. They are the enumerations' own, so those may grow at their ends and
// never be reordered: what is stored would change its meaning.
#pragma once

#include "tasks/model.hpp"

namespace interline::store {

template <class Enum>
[[nodiscard]] constexpr bool is_stored_as(Enum value, int number) {
  return static_cast<int>(value) == number;
}

static_assert(is_stored_as(tasks::State::accepted, 0));
static_assert(is_stored_as(tasks::State::running, 1));
static_assert(is_stored_as(tasks::State::input_required, 2));
static_assert(is_stored_as(tasks::State::cancelling, 3));
static_assert(is_stored_as(tasks::State::completed, 4));
static_assert(is_stored_as(tasks::State::failed, 5));
static_assert(is_stored_as(tasks::State::cancelled, 6));

static_assert(is_stored_as(tasks::DeadlineSource::caller, 0));
static_assert(is_stored_as(tasks::DeadlineSource::max_duration, 1));

static_assert(is_stored_as(tasks::QuestionKind::form, 0));
static_assert(is_stored_as(tasks::QuestionKind::url, 1));
static_assert(is_stored_as(tasks::QuestionKind::credential, 2));
static_assert(is_stored_as(tasks::QuestionKind::sampling, 3));
static_assert(is_stored_as(tasks::QuestionKind::roots, 4));

static_assert(is_stored_as(tasks::AnswerAction::accept, 0));
static_assert(is_stored_as(tasks::AnswerAction::decline, 1));
static_assert(is_stored_as(tasks::AnswerAction::cancel, 2));

static_assert(is_stored_as(tasks::Disposition::answered, 0));
static_assert(is_stored_as(tasks::Disposition::expired, 1));
static_assert(is_stored_as(tasks::Disposition::superseded, 2));
static_assert(is_stored_as(tasks::Disposition::cancelled, 3));
static_assert(is_stored_as(tasks::Disposition::settled, 4));

static_assert(is_stored_as(tasks::EntryType::status, 0));
static_assert(is_stored_as(tasks::EntryType::progress, 1));
static_assert(is_stored_as(tasks::EntryType::input_required, 2));
static_assert(is_stored_as(tasks::EntryType::completed, 3));
static_assert(is_stored_as(tasks::EntryType::failed, 4));
static_assert(is_stored_as(tasks::EntryType::cancelled, 5));
static_assert(is_stored_as(tasks::EntryType::log, 6));
static_assert(is_stored_as(tasks::EntryType::output, 7));
static_assert(is_stored_as(tasks::EntryType::held, 8));
static_assert(is_stored_as(tasks::EntryType::released, 9));
static_assert(is_stored_as(tasks::EntryType::note, 10));

inline constexpr auto kLastState = tasks::State::cancelled;
inline constexpr auto kLastDeadlineSource = tasks::DeadlineSource::max_duration;
inline constexpr auto kLastQuestionKind = tasks::QuestionKind::roots;
inline constexpr auto kLastAnswerAction = tasks::AnswerAction::cancel;
inline constexpr auto kLastDisposition = tasks::Disposition::settled;
inline constexpr auto kLastEntryType = tasks::EntryType::note;

/// What was stored as a number, if it is one of ours.
template <class Enum>
[[nodiscard]] constexpr bool is_known(Enum last, std::uint64_t number) {
  return number <= static_cast<std::uint64_t>(last);
}

}  // namespace interline::store
