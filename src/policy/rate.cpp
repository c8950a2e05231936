#include "policy/rate.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/siphash.hpp"

namespace interline::policy {
namespace {

using Steady = std::chrono::steady_clock::time_point;

// Brief, section 3.1, for rate_per_second = 500; the others follow in proportion.
constexpr double kReference = 500;
constexpr std::array<Rate, kRateClassCount> kReferenceRates = {{
    {2, 20},       // registration
    {50, 500},     // directory
    {200, 1'000},  // metadata
    {500, 2'000},  // invoke
    {500, 2'000},  // task
    {10, 100},     // presence
}};

struct Bucket {
  double tokens;
  Steady filled;
};

/// Takes one token, or says how long until there is one.
std::optional<std::chrono::milliseconds> take(Bucket& bucket, const Rate& rate, Steady now) {
  const std::chrono::duration<double> since = now - bucket.filled;
  bucket.tokens = std::min(rate.burst, bucket.tokens + since.count() * rate.per_second);
  bucket.filled = now;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return std::nullopt;
  }
  const double wait = (1 - bucket.tokens) / rate.per_second * 1'000;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(wait)));
}

/// The part of a federated principal that its whole domain shares.
std::string_view domain_of(const Principal& who) {
  const std::string_view name = who.name();
  return name.substr(name.find('@') + 1);
}

}  // namespace

std::string_view to_string(RateClass operation) {
  static constexpr std::array<std::string_view, kRateClassCount> kWords = {
      "registration", "directory", "metadata", "invoke", "task", "presence"};
  return kWords.at(static_cast<std::size_t>(operation));
}

RateConfiguration RateConfiguration::from(double rate_per_second) {
  RateConfiguration configuration;
  for (std::size_t i = 0; i < kRateClassCount; ++i) {
    const double factor = rate_per_second / kReference;
    configuration.rates[i] = {kReferenceRates[i].per_second * factor,
                              std::max(1.0, kReferenceRates[i].burst * factor)};
  }
  return configuration;
}

/// A bucket is known by a keyed hash of its principal, so that long names take no more room.
struct RateLimiter::State {
  explicit State(const RateConfiguration& a_configuration) : configuration(a_configuration) {}

  using Key = std::uint64_t;
  using Entry = std::pair<Key, Bucket>;

  [[nodiscard]] Key key(std::string_view prefix, std::string_view name, std::size_t which) const {
    std::string text(1, static_cast<char>(which));
    return sip_hash_1_3(hash_key, text.append(prefix).append(name));
  }

  [[nodiscard]] Bucket& bucket(Key of, const Rate& rate, Steady now) {
    const auto found = index.find(of);
    if (found != index.end()) {
      recent.splice(recent.begin(), recent, found->second);
      return recent.front().second;
    }
    if (recent.size() >= std::max<std::size_t>(configuration.buckets, 2)) {
      index.erase(recent.back().first);
      recent.pop_back();
    }
    recent.emplace_front(of, Bucket{rate.burst, now});
    index.emplace(of, recent.begin());
    return recent.front().second;
  }

  const RateConfiguration configuration;
  const SipKey hash_key = SipKey::random();
  std::array<std::atomic<std::uint64_t>, kRateClassCount> refused{};
  std::mutex mutex;
  std::list<Entry> recent;  // the most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator> index;
};

RateLimiter::RateLimiter(const RateConfiguration& configuration)
    : state_(std::make_unique<State>(configuration)) {}
RateLimiter::~RateLimiter() = default;

std::uint64_t RateLimiter::refused(RateClass operation) const {
  return state_->refused.at(static_cast<std::size_t>(operation)).load(std::memory_order_relaxed);
}

std::size_t RateLimiter::size() const {
  const std::lock_guard lock(state_->mutex);
  return state_->recent.size();
}

Result<void> RateLimiter::charge(const Principal& who, RateClass operation, bool federated,
                                 Steady now) {
  const auto which = static_cast<std::size_t>(operation);
  const Rate rate = state_->configuration.rates.at(which);
  const std::lock_guard lock(state_->mutex);
  Bucket& own = state_->bucket(state_->key("", who.text(), which), rate, now);
  std::optional<std::chrono::milliseconds> wait = take(own, rate, now);
  if (!wait && federated) {
    const double factor = state_->configuration.federated_domain_factor;
    const Rate together{rate.per_second * factor, rate.burst * factor};
    Bucket& domain = state_->bucket(state_->key("@", domain_of(who), which), together, now);
    wait = take(domain, together, now);
  }
  if (!wait) return {};
  state_->refused.at(which).fetch_add(1, std::memory_order_relaxed);
  Error error(ErrorKind::resource_constraint, ErrorReason::rate,
              "Too many requests; try again later.");
  error.retry_after = *wait;
  return std::unexpected(std::move(error));
}

}  // namespace interline::policy
