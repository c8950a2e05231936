#include "app/serve.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "app/service.hpp"

namespace interline::app {
namespace {

using namespace std::chrono_literals;

constexpr auto kStopWithin = 10s;  // from the end of draining to the end of the threads

LogLevel level_of(const std::string& word) {
  for (const LogLevel level : {LogLevel::debug, LogLevel::warning, LogLevel::error}) {
    if (word == to_string(level)) return level;
  }
  return LogLevel::info;
}

/// Ends the process if what should be over is not: whatever is committed is safe either way.
class Watchdog {
 public:
  explicit Watchdog(Logger log) : log_(std::move(log)) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
  }

  void begin() {
    thread_ = std::jthread([this] {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, kStopWithin, [this] { return over_; })) return;
      log_.error("something did not stop in time; the process ends without it");
      std::_Exit(EXIT_FAILURE);
    });
  }

 private:
  const Logger log_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;    // guarded by mutex_
  std::jthread thread_;  // ends before the rest
};

class Process {
 public:
  Process(Configuration configuration, std::shared_ptr<LogSink> sink, const Clock& clock)
      : log_(sink, clock),
        sink_(std::move(sink)),
        file_(configuration.file),
        strand_(net::new_strand(io_.get_executor())),
        signals_(strand_, SIGTERM, SIGINT, SIGHUP),
        watchdog_(log_),
        service_(std::make_unique<Service>(io_.get_executor(), std::move(configuration), clock,
                                           log_, [this] { broken(); })) {}

  [[nodiscard]] bool run() {
    boost::asio::co_spawn(strand_, live(), boost::asio::detached);
    const std::size_t threads = std::max(std::thread::hardware_concurrency(), 1U);
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    work();
    others.clear();
    service_.reset();
    return started_;
  }

 private:
  void work() {
    try {
      io_.run();
    } catch (const std::exception& exception) {  // a broken environment, or a mistake of ours
      log_.error("an internal failure; the process ends, what was committed is safe",
                 {{"what", exception.what()}});
      std::_Exit(EXIT_FAILURE);
    }
  }

  void broken() {
    log_.error("nobody knows whether the last commit is on disk; the process ends, start it again");
    std::_Exit(EXIT_FAILURE);
  }

  net::awaitable<void> live() {
    const Result<void> started = co_await service_->start();
    started_ = started.has_value();
    if (!started) {
      log_.error("the gateway cannot start", {{"error", started.error()}});
      co_await service_->drain();
    } else {
      log_.info("the gateway runs");
      co_await heed_signals();
    }
    watchdog_.begin();
  }

  net::awaitable<void> heed_signals() {
    for (;;) {
      const auto [error, signal] = co_await signals_.async_wait(net::use_tuple);
      if (error) continue;
      if (signal != SIGHUP) break;
      co_await reload();
    }
    expect_second_signal();
    co_await service_->drain();
    signals_.cancel();
  }

  void expect_second_signal() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      if (signal == SIGHUP) return expect_second_signal();
      log_.warning("a second signal: the process ends at once");
      std::_Exit(EXIT_FAILURE);
    });
  }

  net::awaitable<void> reload() {
    auto fresh = read_configuration(file_);
    if (!fresh) {
      for (const Mistake& mistake : fresh.error()) {
        log_.error("a mistake in the configuration", {{"mistake", to_string(file_, mistake)}});
      }
      log_.error("the new configuration was refused whole; the old one goes on");
      co_return;
    }
    if (fresh->blank) {
      // Every endpoint and grant would go. An editor that is in the middle of saving leaves such a
      // file for a moment; who wants it so starts the gateway with it.
      log_.error(
          "the configuration file is empty: the old configuration goes on; send SIGHUP again",
          {{"file", file_.string()}});
      co_return;
    }
    sink_->set_threshold(level_of(fresh->gateway.log_level));
    co_await service_->reload(*std::move(fresh));
  }

  const Logger log_;
  const std::shared_ptr<LogSink> sink_;
  const std::filesystem::path file_;
  boost::asio::io_context io_;
  const net::Executor strand_;
  boost::asio::signal_set signals_;
  bool started_ = false;
  Watchdog watchdog_;
  std::unique_ptr<Service> service_;
};

}  // namespace

std::shared_ptr<LogSink> make_log_sink(const GatewaySection& section) {
  const auto format = section.log_format == "json" ? LogFormat::json : LogFormat::text;
  return std::make_shared<StreamLogSink>(2, format, level_of(section.log_level));
}

bool serve(Configuration configuration, const std::shared_ptr<LogSink>& sink, const Clock& clock) {
  Process process(std::move(configuration), sink, clock);
  return process.run();
}

}  // namespace interline::app
