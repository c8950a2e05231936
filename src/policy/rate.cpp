#include "policy/rate.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

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

std::string_view domain_of(const Principal& who) {
  const std::string_view name = who.name();
  return name.substr(name.find('@') + 1);
}

}  // namespace

RateConfiguration RateConfiguration::from(double rate_per_second) {
  RateConfiguration configuration;
  for (std::size_t i = 0; i < kRateClassCount; ++i) {
    const double factor = rate_per_second / kReference;
    configuration.rates[i] = {kReferenceRates[i].per_second * factor,
                              std::max(1.0, kReferenceRates[i].burst * factor)};
  }
  return configuration;
}

struct RateLimiter::State {
  explicit State(const RateConfiguration& a_configuration) : configuration(a_configuration) {}

  using Entry = std::pair<std::string, Bucket>;

  [[nodiscard]] Bucket& bucket(std::string key, const Rate& rate, Steady now) {
    const auto found = index.find(key);
    if (found != index.end()) {
      recent.splice(recent.begin(), recent, found->second);
      return recent.front().second;
    }
    recent.emplace_front(key, Bucket{rate.burst, now});
    index.emplace(std::move(key), recent.begin());
    if (recent.size() > configuration.buckets) {  // the least recently used has had time to fill
      index.erase(recent.back().first);
      recent.pop_back();
    }
    return recent.front().second;
  }

  const RateConfiguration configuration;
  std::mutex mutex;
  std::list<Entry> recent;
  std::unordered_map<std::string, std::list<Entry>::iterator> index;
};

RateLimiter::RateLimiter(const RateConfiguration& configuration)
    : state_(std::make_unique<State>(configuration)) {}
RateLimiter::~RateLimiter() = default;

Result<void> RateLimiter::charge(const Principal& who, RateClass operation, bool federated,
                                 Steady now) {
  const auto which = static_cast<std::size_t>(operation);
  const Rate rate = state_->configuration.rates.at(which);
  const std::string suffix = "/" + std::to_string(which);
  const std::lock_guard lock(state_->mutex);
  std::optional<std::chrono::milliseconds> wait =
      take(state_->bucket(who.text() + suffix, rate, now), rate, now);
  if (!wait && federated) {
    const double factor = state_->configuration.federated_domain_factor;
    const Rate together{rate.per_second * factor, rate.burst * factor};
    std::string key = std::string("@").append(domain_of(who)).append(suffix);
    wait = take(state_->bucket(std::move(key), together, now), together, now);
  }
  if (!wait) return {};
  Error error(ErrorKind::resource_constraint, ErrorReason::rate,
              "Too many requests; try again later.");
  error.retry_after = *wait;
  return std::unexpected(std::move(error));
}

}  // namespace interline::policy
