#include "policy/decision_log.hpp"

#include <algorithm>
#include <utility>

namespace interline::policy {
namespace {

constexpr std::array<std::string_view, kOperationCount> kOperations = {
    "see", "invoke", "task", "administer", "operate", "self_register"};
constexpr std::array<std::string_view, kDenialCount> kDenials = {
    "none",     "no_grant",  "hidden",    "tool",         "destructive",    "permission",
    "approval", "not_owner", "not_admin", "not_operator", "not_own_address"};

std::size_t place_of(Operation operation, Denial denial) {
  return static_cast<std::size_t>(operation) * kDenialCount + static_cast<std::size_t>(denial);
}

}  // namespace

std::string_view to_string(Operation operation) {
  return kOperations.at(static_cast<std::size_t>(operation));
}
std::string_view to_string(Denial denial) {
  return kDenials.at(static_cast<std::size_t>(denial));
}

DecisionLog::DecisionLog(Logger log, const Clock& clock, Limits limits)
    : log_(std::move(log)),
      clock_(clock),
      limits_(limits),
      shares_(kShares, Bucket{limits.one.burst, clock.steady()}),
      together_{limits.together.burst, clock.steady()},
      said_(clock.steady()) {}

void DecisionLog::record(const Principal& who, const Asked& asked, const Decision& decision) {
  if (decision) {
    if (log_.takes(LogLevel::debug)) write(LogLevel::debug, who, asked, decision);
    return;
  }
  denials_[place_of(asked.operation, decision.denial())].fetch_add(1, std::memory_order_relaxed);
  if (log_.takes(LogLevel::info) && admit(who)) write(LogLevel::info, who, asked, decision);
}

bool DecisionLog::take(Bucket& bucket, const LineRate& rate, SteadyTime now) {
  const std::chrono::duration<double> passed = now - bucket.filled;
  bucket.lines = std::min(rate.burst, bucket.lines + passed.count() * rate.per_second);
  bucket.filled = now;
  return bucket.lines >= 1;
}

/// A principal that has used its share takes nothing from what all have together.
bool DecisionLog::admit(const Principal& who) {
  bool say = false;
  bool admitted = false;
  {
    const std::lock_guard lock(mutex_);
    const SteadyTime now = clock_.steady();
    Bucket& share = shares_[sip_hash_1_3(hash_key_, who.text()) % kShares];
    admitted = take(share, limits_.one, now) && take(together_, limits_.together, now);
    if (admitted) {
      share.lines -= 1;
      together_.lines -= 1;
    } else {
      ++left_out_;
    }
    say = left_out_ > 0 && now - said_ >= limits_.say_every;
  }
  if (say) say_left_out();
  return admitted;
}

void DecisionLog::say_left_out() {
  std::uint64_t lines = 0;
  {
    const std::lock_guard lock(mutex_);
    lines = std::exchange(left_out_, 0);
    said_ = clock_.steady();
  }
  if (lines > 0) log_.info("more denials were not logged one by one", {{"left_out", lines}});
}

void DecisionLog::write(LogLevel level, const Principal& who, const Asked& asked,
                        const Decision& decision) {
  const LogMessage message = decision ? LogMessage("allowed") : LogMessage("denied");
  const LogField principal("principal", who.text());
  const LogField operation("operation", to_string(asked.operation));
  const LogField endpoint("endpoint", asked.endpoint);
  const LogField rule = decision ? LogField("grant", decision.grant())
                                 : LogField("rule", to_string(decision.denial()));
  switch (asked.operation) {
    case Operation::see:
      return log_.log(level, message, {principal, operation, endpoint, rule});
    case Operation::invoke:
      return log_.log(level, message,
                      {principal, operation, endpoint, {"tool", asked.object}, rule});
    case Operation::task:
      return log_.log(level, message,
                      {principal, operation, endpoint, {"task", asked.object}, rule});
    case Operation::administer:
      return log_.log(level, message,
                      {principal, operation, endpoint, {"act", asked.object}, rule});
    case Operation::operate:
      return log_.log(level, message, {principal, operation, {"act", asked.object}, rule});
    case Operation::self_register:
      return log_.log(level, message, {principal, operation, {"address", asked.object}, rule});
  }
}

std::uint64_t DecisionLog::denials(Operation operation, Denial denial) const {
  return denials_[place_of(operation, denial)].load(std::memory_order_relaxed);
}

}  // namespace interline::policy
