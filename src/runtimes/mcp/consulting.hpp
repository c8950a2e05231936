// What a server is asked outside of any task: prompts, resources, completion.
#pragma once

#include <chrono>
#include <memory>

#include <boost/asio/steady_timer.hpp>

#include "engine/runtime.hpp"
#include "runtimes/mcp/link.hpp"
#include "runtimes/mcp/listing.hpp"

namespace interline::runtimes::mcp {

/// Errors: as of engine::Runtime::consult().
[[nodiscard]] net::awaitable<Result<engine::Consulted>> consult(std::shared_ptr<Link> link,
                                                                engine::Consultation asked,
                                                                std::shared_ptr<Stop> stop,
                                                                ListLimits limits);

/// Stops a request when its withdrawal comes, and when its time is over. On the strand.
class Patience {
 public:
  Patience(const net::Executor& strand, std::shared_ptr<engine::Withdrawal> withdrawal,
           std::chrono::nanoseconds timeout);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  [[nodiscard]] const std::shared_ptr<Stop>& stop() const { return stop_; }

 private:
  const std::shared_ptr<engine::Withdrawal> withdrawal_;
  const std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
  boost::asio::steady_timer timer_;
};

}  // namespace interline::runtimes::mcp
