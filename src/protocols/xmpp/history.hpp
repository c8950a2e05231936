// What is known of a remote task, and whether an event is what comes next (ProtoXEP "Task Events"
// and "Caller Processing").
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/sha256.hpp"
#include "protocols/xmpp/event_body.hpp"

namespace interline::protocols::xmpp {

class History {
 public:
  enum class Verdict : std::uint8_t {
    next,      ///< to be applied, and then taken
    repeated,  ///< applied before, or told by a state: ignored
    other,     ///< says something else of a revision that was applied: ignored, and noted
    gap,       ///< events before it are missing: the state is to be asked for
    illegal,   ///< no such step from the state that is known: the same
  };

  [[nodiscard]] tasks::Revision revision() const { return revision_; }
  [[nodiscard]] tasks::State state() const { return state_; }
  [[nodiscard]] bool ended() const { return tasks::is_terminal(state_); }

  [[nodiscard]] Verdict judge(const Event& event, const EventBody& body) const;
  /// An event that is next.
  void take(const Event& event, const EventBody& body);
  /// What a state says, unless more is known. False: it is older than what is known.
  bool jump(tasks::State state, tasks::Revision revision);

 private:
  static constexpr std::size_t kRemembered = 64;  // applied events, to know repetitions by

  tasks::State state_ = tasks::State::accepted;
  tasks::Revision revision_ = 0;
  std::map<tasks::Revision, Digest> applied_;
};

}  // namespace interline::protocols::xmpp
