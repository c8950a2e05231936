// All sessions: those in use in memory, each of them in the store. Bounded; one that is not used
// gives way to another and comes back from its record.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "protocols/mcp/server/session.hpp"

namespace interline::protocols::mcp::server {

class Sessions {
 public:
  /// `executor`: where the sessions' strands are made.
  Sessions(Server& server, boost::asio::any_io_executor executor, std::size_t most)
      : core_(server.core()), executor_(std::move(executor)), most_(most) {}

  struct Opened {
    std::shared_ptr<Session> session;
    std::string result;  ///< of `initialize`, JSON text
  };
  /// -32602: params that are none; errors of the engine.
  [[nodiscard]] awaitable<std::expected<Opened, ErrorAnswer>> open(Principal who,
                                                                   std::string endpoint,
                                                                   LegacyExchange opening,
                                                                   Features features);
  /// nullptr: there is none of that id, for this principal and endpoint. An id is no credential.
  [[nodiscard]] awaitable<std::shared_ptr<Session>> find(std::string id, Principal who,
                                                         std::string endpoint, Features features);
  [[nodiscard]] awaitable<void> end(std::shared_ptr<Session> session);
  /// Every stream ends; the sessions stay.
  void end_streams();

 private:
  struct Entry {
    std::shared_ptr<Session> session;
    SystemTime kept{};  ///< when its record was last written
    SystemTime used{};
  };
  [[nodiscard]] std::shared_ptr<Session> use(const std::string& id, const Principal& who,
                                             const std::string& endpoint, bool& renew);
  [[nodiscard]] std::shared_ptr<Session> insert(std::shared_ptr<Session> session);
  [[nodiscard]] awaitable<Result<void>> keep(const Session& session);

  Core& core_;
  const boost::asio::any_io_executor executor_;
  const std::size_t most_;
  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> sessions_;  // guarded by mutex_
};

}  // namespace interline::protocols::mcp::server
