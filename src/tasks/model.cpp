#include "tasks/model.hpp"

#include <algorithm>
#include <array>

namespace interline::tasks {
namespace {

constexpr std::array<std::string_view, kStateCount> kStates = {
    "accepted", "running", "input_required", "cancelling", "completed", "failed", "cancelled"};
constexpr std::array<std::string_view, kQuestionKindCount> kQuestionKinds = {
    "form", "url", "credential", "sampling", "roots"};
constexpr std::array<std::string_view, kEntryTypeCount> kEntryTypes = {
    "status", "progress", "input_required", "completed", "failed", "cancelled",
    "log",    "output",   "held",           "released",  "note"};
constexpr std::array<std::string_view, 3> kActions = {"accept", "decline", "cancel"};
constexpr std::array<std::string_view, 5> kDispositions = {"answered", "expired", "superseded",
                                                           "cancelled", "settled"};

/// Word tables are indexed by their enumeration.
template <class Enum, std::size_t N>
std::string_view word_of(const std::array<std::string_view, N>& words, Enum value) {
  return words.at(static_cast<std::size_t>(value));
}

template <class Enum, std::size_t N>
std::optional<Enum> value_of(const std::array<std::string_view, N>& words, std::string_view word) {
  const auto* found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace

std::string_view to_string(State state) {
  return word_of(kStates, state);
}
std::optional<State> state_named(std::string_view word) {
  return value_of<State>(kStates, word);
}

std::string_view to_string(QuestionKind kind) {
  return word_of(kQuestionKinds, kind);
}
std::optional<QuestionKind> question_kind_named(std::string_view word) {
  return value_of<QuestionKind>(kQuestionKinds, word);
}

std::string_view to_string(EntryType type) {
  return word_of(kEntryTypes, type);
}
std::optional<EntryType> entry_type_named(std::string_view word) {
  return value_of<EntryType>(kEntryTypes, word);
}

std::string_view to_string(AnswerAction action) {
  return word_of(kActions, action);
}
std::string_view to_string(Disposition disposition) {
  return word_of(kDispositions, disposition);
}

std::optional<SystemTime> InputRequest::expires_at() const {
  std::optional<SystemTime> earliest;
  for (const Question& question : questions) {
    if (question.expires_at && (!earliest || *question.expires_at < *earliest)) {
      earliest = question.expires_at;
    }
  }
  return earliest;
}

std::optional<SystemTime> Task::due() const {
  if (is_terminal(state)) return std::nullopt;
  std::optional<SystemTime> earliest;
  if (admission->deadline) earliest = admission->deadline->at.ceil();
  if (pending) {
    const std::optional<SystemTime> expiry = pending->expires_at();
    if (expiry && (!earliest || *expiry < *earliest)) earliest = expiry;
  }
  return earliest;
}

}  // namespace interline::tasks
