// One subscription: what it wants to hear of, and what has happened since it was last told. Of each
// kind one is kept, so a slow reader costs no memory. Of a modern request or a legacy session.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/core.hpp"

namespace interline::protocols::mcp::server {

/// Shared with whoever reports changes; alive as long as one of them holds it.
class Subscriber final : public Changes::Listener, public std::enable_shared_from_this<Subscriber> {
 public:
  /// The request's sink outlives until_over(); `asked` need not.
  Subscriber(Core& core, const Asked& asked, boost::asio::any_io_executor executor);

  /// The listen request's id, JSON text; "" for a session.
  [[nodiscard]] const std::string& subscription() const { return subscription_; }

  /// Before begin(): an updated resource is told under the URI of the view.
  void watch_resource(std::string endpoint, std::string uri,
                      std::unique_ptr<engine::Subscription> subscription);
  void unwatch_resource(const std::string& endpoint, const std::string& uri);
  /// Acknowledges, and tells what is in the filter from then on.
  void begin(const ListenFilter& filter);

  // Changes::Listener, from any thread.
  void changed(const engine::EndpointChange& change) override;
  void over() override;

  // On the request's executor:
  void reader_left();
  [[nodiscard]] bool ended() const;
  [[nodiscard]] awaitable<void> until_over();
  /// A while, for a reader that is slow.
  [[nodiscard]] awaitable<void> pause();
  /// False: not now.
  [[nodiscard]] bool tell(const std::string& line);

 private:
  using Resource = std::pair<std::string, std::string>;  ///< endpoint, URI
  struct News {
    bool tools = false;
    bool prompts = false;
    bool resources = false;
    std::set<std::string> updated;  ///< as the view shows them; of those that are watched
    [[nodiscard]] bool any() const { return tools || prompts || resources || !updated.empty(); }
  };

  [[nodiscard]] bool concerns(const engine::EndpointChange& change) const;
  void note(const engine::EndpointChange& change);
  void note_resource(const engine::EndpointChange& change);
  void schedule();
  void tell_news();
  void end();

  Core& core_;
  const Principal who_;
  const std::string endpoint_;
  const std::string subscription_;
  const boost::asio::any_io_executor executor_;
  boost::asio::steady_timer ended_timer_;
  boost::asio::steady_timer retry_timer_;

  mutable std::mutex mutex_;
  Sink* sink_;  ///< nullptr once it is over; guarded by mutex_, as below
  bool begun_ = false;
  bool tools_ = false;
  bool prompts_ = false;
  bool resources_ = false;
  std::map<Resource, std::unique_ptr<engine::Subscription>> watched_;
  News news_;
  bool scheduled_ = false;
  bool over_ = false;
};

}  // namespace interline::protocols::mcp::server
