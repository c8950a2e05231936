// Token buckets, one per principal and class of operation: never per object, so that a limit says
// nothing about what exists. Strangers have buckets like everybody else. Memory is bounded: of too
// many buckets the least recently used is forgotten, which gives its principal a full one again; a
// foreign domain that invents principals meets the bucket of the domain.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "policy/principal.hpp"

namespace interline::policy {

/// ProtoXEP brief, "Rate classes".
enum class RateClass : std::uint8_t { registration, directory, metadata, invoke, task, presence };
inline constexpr std::size_t kRateClassCount = 6;
[[nodiscard]] std::string_view to_string(RateClass operation);

struct Rate {
  double per_second;
  double burst;
};

struct RateConfiguration {
  std::array<Rate, kRateClassCount> rates;
  double federated_domain_factor = 10;  ///< a foreign domain's principals together
  std::size_t buckets = 100'000;        ///< remembered, at some 100 bytes each

  /// `[limits] rate_per_second` sets invoke and task; the other classes follow in proportion.
  [[nodiscard]] static RateConfiguration from(double rate_per_second);
};

class RateLimiter {
 public:
  explicit RateLimiter(const RateConfiguration& configuration);
  ~RateLimiter();

  /// Takes a token, or refuses with resource_constraint/rate and retry_after. Thread-safe.
  [[nodiscard]] Result<void> charge(const Principal& who, RateClass operation, bool federated,
                                    std::chrono::steady_clock::time_point now);
  /// How often a class was refused.
  [[nodiscard]] std::uint64_t refused(RateClass operation) const;
  /// Buckets remembered at present.
  [[nodiscard]] std::size_t size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace interline::policy
