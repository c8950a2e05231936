// IQ requests of our own that wait for their answer.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "bindings/xmpp/jid.hpp"

namespace interline::xmpp {

/// No clock and no I/O: times come in, and whoever asked is told by its id.
class PendingIqs {
 public:
  explicit PendingIqs(std::size_t most) : most_(most) {}

  /// `id` has 128 random bits: nobody who cannot read the stream can answer for another. Errors:
  /// resource_constraint, reason too_many.
  [[nodiscard]] Result<void> add(std::string id, const Jid& to, SteadyTime deadline);

  /// Whether this is the answer to a request: its id and its prepared sender are those. Then the
  /// request waits no longer.
  [[nodiscard]] bool take(std::string_view id, std::string_view from);
  /// Gives up on one; nothing if it is not there.
  void remove(std::string_view id);

  [[nodiscard]] std::optional<SteadyTime> next_deadline() const;
  /// Those whose time is over, at most `now`; they wait no longer.
  [[nodiscard]] std::vector<std::string> take_expired(SteadyTime now);
  [[nodiscard]] std::vector<std::string> take_all();
  [[nodiscard]] std::size_t size() const { return requests_.size(); }

 private:
  struct Request {
    std::string to;
    SteadyTime deadline;
  };

  std::size_t most_;
  std::unordered_map<std::string, Request> requests_;
  std::set<std::pair<SteadyTime, std::string>> by_deadline_;
};

}  // namespace interline::xmpp
