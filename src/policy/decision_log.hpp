// Where decisions are written down: denials at info, what was allowed at debug, and all denials are
// counted. One principal that is denied again and again fills neither the log nor the share of the
// others in it; how many lines were left out is said later. Shared by the policies of all reloads.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/siphash.hpp"
#include "policy/decision.hpp"
#include "policy/principal.hpp"

namespace interline::policy {

/// What was asked. The texts are looked at, not kept, and may be anything that a peer wrote.
struct Asked {
  Operation operation = Operation::see;
  std::string_view endpoint;  ///< "" where none is concerned
  std::string_view object;    ///< the tool, the task's id, the address, or the administrative act
};

/// Lines a second, and at once.
struct LineRate {
  double per_second;
  double burst;
};
struct DecisionLogLimits {
  LineRate one{1, 10};         ///< about a principal; some hundred shares, chosen by its hash
  LineRate together{20, 100};  ///< about everybody
  std::chrono::seconds say_every{10};
};

/// Thread-safe. The clock outlives it.
class DecisionLog {
 public:
  using Limits = DecisionLogLimits;

  DecisionLog(Logger log, const Clock& clock, Limits limits = {});

  void record(const Principal& who, const Asked& asked, const Decision& decision);
  /// Says how many denials were left out of the log since it was last said, if there are any.
  void say_left_out();

  /// Denials since the start, written or not.
  [[nodiscard]] std::uint64_t denials(Operation operation, Denial denial) const;

 private:
  struct Bucket {
    double lines = 0;
    SteadyTime filled{};
  };
  [[nodiscard]] bool admit(const Principal& who);
  [[nodiscard]] static bool take(Bucket& bucket, const LineRate& rate, SteadyTime now);
  void write(LogLevel level, const Principal& who, const Asked& asked, const Decision& decision);

  static constexpr std::size_t kShares = 256;

  const Logger log_;
  const Clock& clock_;
  const Limits limits_;
  const SipKey hash_key_ = SipKey::random();
  std::array<std::atomic<std::uint64_t>, kOperationCount * kDenialCount> denials_{};

  std::mutex mutex_;
  std::vector<Bucket> shares_;  // guarded by mutex_, as below
  Bucket together_;
  std::uint64_t left_out_ = 0;
  SteadyTime said_;
};

}  // namespace interline::policy
