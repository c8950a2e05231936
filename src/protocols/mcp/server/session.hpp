// A session of a client of the revisions that are opened by `initialize`: what was agreed, what it
// follows, which of our requests it has not answered yet. What a restart may not lose is a binding
// record; the rest is made anew.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "protocols/mcp/server/core.hpp"
#include "protocols/mcp/server/event_log.hpp"
#include "protocols/mcp/server/session_record.hpp"
#include "protocols/mcp/server/subscriber.hpp"

namespace interline::protocols::mcp::server {

class Session : public std::enable_shared_from_this<Session> {
 public:
  /// `executor`: a strand, on which the session's requests are handled. `id` "": a session that
  /// ends with its connection, and is not kept.
  Session(Core& core, std::string id, SessionRecord agreed, boost::asio::any_io_executor executor);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Principal& who() const { return who_; }
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  [[nodiscard]] Revision revision() const { return revision_; }
  [[nodiscard]] const boost::asio::any_io_executor& executor() const { return executor_; }

  /// Follows lists, and the resources of the record, from now on. On the session's strand.
  [[nodiscard]] awaitable<void> begin(Features features);
  /// Ends every stream and what waits on them.
  void end();

  /// A request of the client: those of sessions here, the others by the server. What comes before
  /// its answer goes to `sink`. On the session's strand.
  [[nodiscard]] awaitable<Reply> handle(LegacyExchange exchange, Features features,
                                        std::shared_ptr<Sink> sink);
  /// The client's answer to a request of ours. One that was not asked is ignored.
  void answered(const jsonrpc::Message& message);
  /// notifications/cancelled: the request's stream is closed.
  void cancelled(std::string_view request);

  /// The stream for what belongs to no request.
  [[nodiscard]] const std::shared_ptr<EventLog>& general() const { return general_; }
  /// A stream for a request, kept for a while after its end; the oldest gives way to the 64th.
  [[nodiscard]] std::shared_ptr<EventLog> open_stream(std::string_view request);
  /// nullptr: there is none, or none any more.
  [[nodiscard]] std::shared_ptr<EventLog> stream(std::string_view name) const;
  /// Whether a request's stream still waits for its answer, or a reader listens.
  [[nodiscard]] bool busy() const;

  /// As it is to be kept now.
  [[nodiscard]] SessionRecord record() const;
  /// How long it is kept without being used.
  static constexpr std::chrono::hours kLife{24};

 private:
  friend class SessionLink;
  /// A request of ours that waits for its answer.
  struct Waiting {
    explicit Waiting(const boost::asio::any_io_executor& executor)
        : timer(executor, boost::asio::steady_timer::time_point::max()) {}
    boost::asio::steady_timer timer;    ///< on the session's strand
    std::optional<std::string> result;  ///< JSON text; "" for an error
    bool failed = false;                ///< nobody answers any more
  };
  struct Stream {
    std::string request;  ///< id, JSON text
    std::shared_ptr<EventLog> log;
  };

  using Method = awaitable<Answer> (Session::*)(const Asked&);
  [[nodiscard]] static Method own_method(std::string_view name);
  [[nodiscard]] awaitable<Answer> subscribe(const Asked& asked);
  [[nodiscard]] awaitable<Answer> unsubscribe(const Asked& asked);
  [[nodiscard]] awaitable<Answer> set_level(const Asked& asked);
  [[nodiscard]] awaitable<Result<void>> follow(std::string shown);
  [[nodiscard]] std::string next_request_id();
  [[nodiscard]] awaitable<void> save();

  Core& core_;
  const std::string id_;
  const Principal who_;
  const std::string endpoint_;
  const Revision revision_;
  const ClientCapabilities capabilities_;
  const boost::asio::any_io_executor executor_;
  const std::shared_ptr<EventLog> general_;
  std::shared_ptr<Subscriber> subscriber_;
  std::unique_ptr<Changes::Membership> membership_;

  mutable std::mutex mutex_;
  std::optional<LogLevel> level_;    // guarded by mutex_, as below
  std::set<std::string> resources_;  ///< URIs as the client wrote them
  std::map<std::string, std::shared_ptr<Waiting>, std::less<>> waiting_;  ///< by id, JSON text
  std::vector<Stream> streams_;                                           ///< oldest first
  std::uint64_t requests_ = 0;
  std::uint64_t opened_ = 0;
};

}  // namespace interline::protocols::mcp::server
