// Questions as requests to the client of a session, on the stream of the call that asks.
#pragma once

#include <memory>
#include <vector>

#include "protocols/mcp/server/session.hpp"

namespace interline::protocols::mcp::server {

class SessionLink final : public ClientLink {
 public:
  SessionLink(Session& session, std::shared_ptr<Sink> sink)
      : session_(session), sink_(std::move(sink)) {}

  awaitable<Result<std::vector<InputAnswer>>> ask(std::vector<InputQuestion> questions) override;

 private:
  struct Sent {
    InputQuestion question;
    std::shared_ptr<Session::Waiting> waiting;
  };
  [[nodiscard]] bool send(const InputQuestion& question, std::vector<Sent>& sent);
  [[nodiscard]] awaitable<void> wait(const Sent& sent) const;
  [[nodiscard]] Result<InputAnswer> answer_of(const Sent& sent) const;

  Session& session_;
  const std::shared_ptr<Sink> sink_;
};

}  // namespace interline::protocols::mcp::server
