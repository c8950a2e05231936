// What comes over a stream beside the answer: to whoever made the request, and to whoever hears of
// changes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "runtimes/mcp/http_exchange.hpp"
#include "runtimes/mcp/server_state.hpp"

namespace interline::runtimes::mcp {

class HttpMessages final : public StreamListener {
 public:
  /// `hearer` may be null: then progress and log lines are nobody's.
  HttpMessages(std::shared_ptr<ServerState> state, std::shared_ptr<Hearer> hearer, bool modern,
               Logger log)
      : state_(std::move(state)), hearer_(std::move(hearer)), modern_(modern), log_(log) {}

  /// How requests of the server's are answered; without it they are not.
  void answer_by(std::function<void(std::string body)> answer) { answer_ = std::move(answer); }
  using FindHearer = std::function<std::shared_ptr<Hearer>(bool asks)>;
  /// Of a stream that belongs to no request: whom a message concerns, which may be a request of the
  /// server's; asked each time.
  void find_hearer(FindHearer find) { find_ = std::move(find); }

  void take_request(const protocols::jsonrpc::Message& message) override;
  [[nodiscard]] bool take_notification(const protocols::jsonrpc::Message& message,
                                       std::size_t bytes) override;
  [[nodiscard]] net::awaitable<void> ready() override;

 private:
  [[nodiscard]] std::shared_ptr<Hearer> hearer(bool asks = false) const {
    return find_ ? find_(asks) : hearer_;
  }

  const std::shared_ptr<ServerState> state_;
  const std::shared_ptr<Hearer> hearer_;
  const bool modern_;
  const Logger log_;
  std::function<void(std::string)> answer_;
  FindHearer find_;
};

}  // namespace interline::runtimes::mcp
