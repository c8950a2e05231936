#include "engine/timers.hpp"

#include <algorithm>
#include <iterator>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace interline::engine {
namespace {

using namespace std::chrono_literals;

constexpr auto kAhead = 2min;  // loaded
constexpr auto kLoadEvery = 1min;
constexpr std::chrono::nanoseconds kLongestWait = 1s;

}  // namespace

Timers::Timers(boost::asio::any_io_executor executor, store::Store& store, const Clock& clock,
               std::function<void(const std::string&)> due)
    : store_(store),
      clock_(clock),
      due_(std::move(due)),
      timer_(boost::asio::make_strand(std::move(executor))) {}

void Timers::consider(const tasks::Task& task) {
  const std::optional<SystemTime> due = task.due();
  if (!due) return;
  const std::lock_guard lock(mutex_);
  if (*due >= horizon_) return;
  const bool sooner = soon_.empty() || *due < soon_.begin()->first;
  soon_.emplace(*due, task.id());
  if (sooner && !stopped_) {
    boost::asio::post(timer_.get_executor(), [this] { timer_.cancel(); });
  }
}

void Timers::try_again(const std::string& task) {
  const std::lock_guard lock(mutex_);
  soon_.emplace(clock_.now() + kLongestWait, task);
}

Result<void> Timers::load() {
  const SystemTime horizon = clock_.now() + kAhead;
  {
    const std::lock_guard lock(mutex_);
    // Before reading, so that what is committed meanwhile is considered, not missed.
    horizon_ = horizon;
    soon_.clear();
  }
  auto soon = store_.due_before(horizon);
  if (!soon) return std::unexpected(std::move(soon.error()));
  const std::lock_guard lock(mutex_);
  soon_.insert(std::make_move_iterator(soon->begin()), std::make_move_iterator(soon->end()));
  return {};
}

void Timers::fire() {
  std::set<std::string> ready;
  {
    const std::lock_guard lock(mutex_);
    const SystemTime now = clock_.now();
    while (!soon_.empty() && soon_.begin()->first <= now) {
      ready.insert(std::move(soon_.extract(soon_.begin()).value().second));
    }
  }
  for (const std::string& task : ready) due_(task);
}

boost::asio::awaitable<void> Timers::run() {
  SteadyTime next_load = clock_.steady();
  for (;;) {
    if (clock_.steady() >= next_load && load()) next_load = clock_.steady() + kLoadEvery;
    fire();
    std::chrono::nanoseconds wait = kLongestWait;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) co_return;
      if (!soon_.empty()) wait = std::min(wait, soon_.begin()->first - clock_.now());
    }
    timer_.expires_after(std::max(wait, std::chrono::nanoseconds(1ms)));
    boost::system::error_code error;
    co_await timer_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, error));
  }
}

void Timers::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  boost::asio::post(timer_.get_executor(), [this] { timer_.cancel(); });
}

}  // namespace interline::engine
