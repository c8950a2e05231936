// What has been kept long enough goes; and whether the clock is believed about that.
#include <array>
#include <charconv>
#include <mutex>
#include <optional>
#include <utility>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "engine/gateway.hpp"
#include "engine/record_change.hpp"

namespace interline::engine {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 1s;  // at the clock
constexpr int kLooksAPurge = 30;
constexpr std::size_t kPurgeAtOnce = 500;
// A hold is written down again when so much of it is over: by so much a restart makes it longer,
// and takes a clock that was set back meanwhile for less set back. No jump in itself.
constexpr std::chrono::nanoseconds kNoteEvery = RetentionClock::kJump / 2;

store::RecordKey hold_key() {
  return {"engine", "retention", "hold"};
}

/// Four decimal counts of nanoseconds: since, behind, left, and when that was written.
store::RecordChange put_hold(const RetentionHold& hold, SystemTime noted) {
  std::string numbers;
  for (const std::int64_t number : {hold.since.time_since_epoch().count(), hold.behind.count(),
                                    hold.left.count(), noted.time_since_epoch().count()}) {
    numbers += std::to_string(number) + ' ';
  }
  return put_record(hold_key(), std::move(numbers));
}

struct NotedHold {
  RetentionHold hold;
  SystemTime noted{};
};

std::optional<NotedHold> read_hold(std::string_view text) {
  std::array<std::int64_t, 4> numbers{};
  for (std::int64_t& number : numbers) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    if (!text.empty()) text.remove_prefix(1);
  }
  NotedHold noted;
  noted.hold.since = SystemTime(std::chrono::nanoseconds(numbers[0]));
  noted.hold.behind = std::chrono::nanoseconds(numbers[1]);
  noted.hold.left = std::chrono::nanoseconds(numbers[2]);
  noted.noted = SystemTime(std::chrono::nanoseconds(numbers[3]));
  return noted;
}

bool same_steps(const std::optional<RetentionHold>& a, const std::optional<RetentionHold>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->since == b->since && a->behind == b->behind;
}

std::int64_t seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::floor<std::chrono::seconds>(time).count();
}

void tell_hold(const Logger& log, const std::optional<RetentionHold>& hold) {
  if (!hold) {
    log.info("retention follows the clock again");
    return;
  }
  log.warning(
      "the clock was set forward or the machine slept; retention stays behind by that. If the "
      "clock is right now: interline tasks trust-clock",
      {{"since", Instant(hold->since)},
       {"behind_s", seconds_of(hold->behind)},
       {"over_in_s", seconds_of(hold->left)}});
}

}  // namespace

/// A restart while the clock is wrong must not end what is held, so that is written down. Nobody
/// waits for it: what could not be written is written at the next look.
awaitable<void> Gateway::look_at_clock() {
  const SystemTime now = retention_clock_.read().now;
  const std::optional<RetentionHold> hold = retention_clock_.hold();
  bool tell = false;
  bool write = false;
  {
    const std::lock_guard lock(mutex_);
    tell = !same_steps(hold, told_hold_);
    told_hold_ = hold;
    write =
        !same_steps(hold, noted_hold_) || (hold && hold->left + kNoteEvery <= noted_hold_->left);
  }
  if (tell) tell_hold(log_, hold);
  if (!write) co_return;
  std::vector<store::RecordChange> changes;
  changes.push_back(hold ? put_hold(*hold, now) : drop_record(hold_key()));
  const Result<void> written = co_await change_records(std::move(changes));
  if (!written) co_return;
  const std::lock_guard lock(mutex_);
  noted_hold_ = hold;
}

Result<void> Gateway::resume_hold() {
  auto record = store_.record(hold_key());
  if (!record) return std::unexpected(std::move(record.error()));
  if (!*record) return {};
  const std::optional<NotedHold> noted = read_hold((*record)->bytes);
  if (!noted) return fail(ErrorKind::internal, "A stored hold on retention cannot be read.");
  retention_clock_.resume(noted->hold, noted->noted);
  const std::lock_guard lock(mutex_);
  noted_hold_ = noted->hold;
  return {};
}

awaitable<Result<std::optional<RetentionHold>>> Gateway::trust_clock(Principal who) {
  if (!policy()->is_operator(who)) {
    co_return fail(ErrorKind::forbidden,
                   "This is for operators: root, and the user that the gateway runs as.");
  }
  (void)retention_clock_.read();
  const std::optional<RetentionHold> ended = retention_clock_.hold();
  if (!ended) co_return ended;
  retention_clock_.trust();
  std::vector<store::RecordChange> changes;
  changes.push_back(drop_record(hold_key()));
  const Result<void> written = co_await change_records(std::move(changes));
  if (!written) co_return std::unexpected(written.error());
  {
    const std::lock_guard lock(mutex_);
    told_hold_ = noted_hold_ = std::nullopt;
  }
  log_.info("an operator says that the clock is right: retention follows it again",
            {{"operator", who.text()}});
  co_return ended;
}

bool Gateway::stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

/// drain() marks the end, then cancels the timer on this executor: whichever of the two comes while
/// a purge is under way, the timer is not waited for again.
awaitable<void> Gateway::purge_regularly() {
  for (int look = 1; !stopping(); ++look) {
    purge_timer_.expires_after(kLookEvery);
    boost::system::error_code error;
    co_await purge_timer_.async_wait(
        boost::asio::redirect_error(boost::asio::use_awaitable, error));
    if (stopping()) co_return;
    co_await look_at_clock();
    if (look < kLooksAPurge) continue;
    look = 0;
    auto done = co_await purge();
    (void)done;  // a store that cannot purge now can later
  }
}

awaitable<Result<std::size_t>> Gateway::purge() {
  co_await look_at_clock();
  std::size_t all = 0;
  for (;;) {
    store::Purge piece;
    piece.limit = kPurgeAtOnce;
    store::Work work = piece;
    auto done = co_await writer_->perform(std::move(work), Urgency::essential);
    if (!done) co_return std::unexpected(std::move(done.error()));
    const auto& gone = std::get<store::Purge>(*done).answer;
    if (!gone) co_return std::unexpected(gone.error());
    all += *gone;
    if (*gone < kPurgeAtOnce) co_return all;
  }
}

}  // namespace interline::engine
