// The commit loop: a queue in front of the store, and the one thread that empties it.
//
// Whatever waits is taken together and committed in one transaction (group commit); only then are
// the callers told, on a second thread while more waits to be committed. Admissions are refused
// when the queue is full, while settlements, answers and cancellations have room kept for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/error.hpp"
#include "base/histogram.hpp"
#include "engine/retention_clock.hpp"
#include "store/store.hpp"

namespace interline::engine {

inline constexpr std::array<double, 10> kGroupSizes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
inline constexpr std::array<double, 12> kCommitSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                          0.05,   0.1,   0.25,   0.5,   1,    5};

struct CommitterLimits {
  std::size_t waiting = 8'192;              ///< works that may wait
  std::size_t reserved = 4'096;             ///< of these, places that admissions cannot take
  std::size_t waiting_bytes = 128U << 20U;  ///< of works that wait; admissions may take half
  std::size_t group = 512;                  ///< works in one transaction
  std::size_t group_bytes = 8U << 20U;      ///< in one transaction, unless one work has more
};

/// Which places in the queue a work may take.
enum class Urgency : std::uint8_t {
  admission,  ///< refused when only the reserved places are left
  essential,  ///< settles, answers, cancels, times out: refused only when all are taken
};

class Committer {
 public:
  /// Called once the work's group has ended; must be quick and not throw. "On the committer's
  /// thread" means: in commit order and never two at once, on either of two threads. Later groups
  /// may be committed by then.
  using Done = std::move_only_function<void(store::Work&)>;

  /// `on_uncertain` is called once if a COMMIT ended with its outcome unknown: every caller has
  /// been told `unavailable`, nothing more is committed, and the process is to end. The store and
  /// the clock outlive the committer.
  Committer(store::Store& store, RetentionClock& clock, const CommitterLimits& limits,
            std::function<void()> on_uncertain);
  ~Committer();
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;

  /// resource_constraint (too_many) when there is no place; unavailable after an uncertain commit
  /// and after stop(). In both cases `done` is not called.
  [[nodiscard]] Result<void> submit(store::Work work, Urgency urgency, Done done);

  /// Commits what waits, then takes nothing more. May be repeated.
  void stop();

  struct Statistics {
    std::uint64_t groups = 0;
    std::uint64_t works = 0;
    Histogram<kGroupSizes> group_sizes;      ///< works in a transaction
    Histogram<kCommitSeconds> commit_times;  ///< of transactions, until the store answered
    std::uint64_t refused = 0;               ///< for want of a place, or by the store
    std::size_t waiting = 0;
    std::size_t waiting_bytes = 0;
  };
  [[nodiscard]] Statistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace interline::engine
