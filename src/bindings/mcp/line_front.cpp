#include "bindings/mcp/line_front.hpp"

#include <utility>

#include "bindings/mcp/line_connection.hpp"

namespace interline::mcp {

/// Keeps a connection among the open ones.
class LineFront::Membership {
 public:
  Membership(LineFront& front, std::shared_ptr<LineConnection> connection)
      : front_(front), connection_(std::move(connection)) {
    const std::lock_guard lock(front_.mutex_);
    taken_ = !front_.over_;
    if (taken_) front_.open_.insert(connection_);
  }
  ~Membership() {
    const std::lock_guard lock(front_.mutex_);
    front_.open_.erase(connection_);
  }
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  [[nodiscard]] bool taken() const { return taken_; }

 private:
  LineFront& front_;
  const std::shared_ptr<LineConnection> connection_;
  bool taken_ = false;
};

LineFront::LineFront(protocols::mcp::server::Server& mcp, LineOptions options)
    : mcp_(mcp), options_(std::move(options)) {}

LineFront::~LineFront() = default;

engine::awaitable<void> LineFront::serve(net::Stream& stream, policy::Principal who,
                                         std::string endpoint) {
  auto connection =
      std::make_shared<LineConnection>(mcp_, options_, stream, std::move(who), std::move(endpoint));
  const Membership membership(*this, connection);
  if (!membership.taken()) {
    stream.close();
    co_return;
  }
  co_await connection->run();
}

void LineFront::end() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  for (const auto& connection : open_) connection->end();
}

}  // namespace interline::mcp
