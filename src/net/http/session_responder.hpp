// The Responder of a session: how a response becomes bytes.
#pragma once

#include <memory>
#include <string>

#include "net/http/responder.hpp"
#include "net/http/session.hpp"

namespace interline::net::http {

class SessionResponder final : public Responder {
 public:
  SessionResponder(Session& session, const Request& request)
      : session_(session), request_(request) {}
  ~SessionResponder() override = default;

  awaitable<Result<void>> send(Response response) override;
  awaitable<Result<void>> begin(Response head) override;
  awaitable<Result<void>> write(std::string_view bytes) override;
  awaitable<Result<void>> end() override;
  awaitable<Result<Stream*>> upgrade(std::string_view protocol) override;
  void on_disconnect(std::function<void()> callback) override;
  [[nodiscard]] bool disconnected() const override { return session_.gone_; }

  /// After the handler: answers for it where it did not, and says what becomes of the connection.
  awaitable<Session::Next> finish(std::string failure);
  [[nodiscard]] std::uint64_t body_bytes() const { return body_bytes_; }

 private:
  enum class State { waiting, streaming, ended, upgraded, failed };

  Result<void> start(Response& response);
  [[nodiscard]] bool asks_for(std::string_view protocol) const;
  [[nodiscard]] std::string make_head(const Response& response, bool streaming);
  awaitable<Result<void>> transmit(std::string_view head, std::string_view body);

  Session& session_;
  const Request& request_;
  State state_ = State::waiting;
  bool chunked_ = false;
  bool bodiless_ = false;  // HEAD, 204, 304
  unsigned status_ = 0;
  std::uint64_t body_bytes_ = 0;
  std::string note_;
  std::unique_ptr<Stream> upgraded_;
};

}  // namespace interline::net::http
