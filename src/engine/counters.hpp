// What the engine counts of its own work, for /metrics. Each count is one relaxed addition; what
// the counts are called by is a closed set, so that no caller can make more of them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "tasks/model.hpp"

namespace interline::engine {

/// By what an admission came; the last stands for every other.
inline constexpr std::array<std::string_view, 7> kCountedNetworks = {
    "xmpp", "local", "mcp", "a2a", "openwop", "simplex", "other"};
/// How it ended: two ways of being accepted, then the kinds of error in their order.
inline constexpr std::array<std::string_view, 11> kAdmissionOutcomes = {
    "accepted", "replayed",  "malformed",           "not_found",   "forbidden", "not_acceptable",
    "conflict", "too_early", "resource_constraint", "unavailable", "internal"};

/// The counts at one moment.
struct Counts {
  std::array<std::array<std::uint64_t, kAdmissionOutcomes.size()>, kCountedNetworks.size()>
      admissions{};
  /// By tasks::State: those that are in it now, of the states that are not terminal; those that
  /// ended in it since the start, of the others.
  std::array<std::int64_t, tasks::kStateCount> tasks{};
};

/// Any thread.
class Counters {
 public:
  void accepted(std::string_view network, bool replayed);
  void refused(std::string_view network, ErrorKind why);
  /// An open task that was there before this start, or a new one.
  void opened(tasks::State state);
  void moved(tasks::State from, tasks::State to);

  [[nodiscard]] Counts read() const;

 private:
  void add_admission(std::string_view network, std::size_t outcome);

  std::array<std::array<std::atomic<std::uint64_t>, kAdmissionOutcomes.size()>,
             kCountedNetworks.size()>
      admissions_{};
  std::array<std::atomic<std::int64_t>, tasks::kStateCount> tasks_{};
};

}  // namespace interline::engine
