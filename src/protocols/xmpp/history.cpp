#include "protocols/xmpp/history.hpp"

#include <string>

namespace interline::protocols::xmpp {
namespace {

using tasks::State;

/// What the task is after the event.
State after(const Event& event, const EventBody& body, State before) {
  switch (event.type) {
    case tasks::EntryType::status:
      return std::get<StatusBody>(body).state;
    case tasks::EntryType::input_required:
      return State::input_required;
    case tasks::EntryType::completed:
      return State::completed;
    case tasks::EntryType::failed:
      return State::failed;
    case tasks::EntryType::cancelled:
      return State::cancelled;
    default:
      return before;
  }
}

/// The specification's table of transitions, as far as a caller sees it.
bool legal(const Event& event, const EventBody& body, State before) {
  if (tasks::is_terminal(before)) return false;
  switch (event.type) {
    case tasks::EntryType::status:
      switch (std::get<StatusBody>(body).state) {
        case State::running:
          return before == State::accepted || before == State::input_required;
        case State::cancelling:
          return before != State::cancelling;
        default:
          return false;
      }
    case tasks::EntryType::progress:
      return before == State::running || before == State::cancelling;
    case tasks::EntryType::input_required:
      return before != State::cancelling;
    default:
      return true;
  }
}

Digest print_of(const Event& event) {
  std::string text = event.id;
  text.append(1, '\0').append(tasks::to_string(event.type));
  text.append(1, '\0').append(canonical_body(event.body));
  return sha256(text);
}

}  // namespace

History::Verdict History::judge(const Event& event, const EventBody& body) const {
  if (event.revision <= revision_) {
    const auto known = applied_.find(event.revision);
    const bool differs = known != applied_.end() && known->second != print_of(event);
    return differs ? Verdict::other : Verdict::repeated;
  }
  if (event.revision > revision_ + 1) return Verdict::gap;
  return legal(event, body, state_) ? Verdict::next : Verdict::illegal;
}

void History::take(const Event& event, const EventBody& body) {
  state_ = after(event, body, state_);
  revision_ = event.revision;
  applied_.emplace(event.revision, print_of(event));
  if (applied_.size() > kRemembered) applied_.erase(applied_.begin());
}

bool History::jump(tasks::State state, tasks::Revision revision) {
  if (revision < revision_) return false;
  revision_ = revision;
  state_ = state;
  return true;
}

}  // namespace interline::protocols::xmpp
