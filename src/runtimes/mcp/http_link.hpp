// An MCP server at a URL, as a link (2026-07-28, basic/transports/streamable-http, and the older
// revisions of it). Modern requests stand alone; a legacy server's sessions are pooled by caller
// and made anew when the server has forgotten them.
//
// What may have been executed is never sent twice: a request that got no answer is repeated only
// where asking twice does no harm. Redirects are not followed.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "base/log.hpp"
#include "net/event.hpp"
#include "net/http/client.hpp"
#include "protocols/mcp/param_headers.hpp"
#include "runtimes/mcp/authorizer.hpp"
#include "runtimes/mcp/exchanges.hpp"
#include "runtimes/mcp/flights.hpp"
#include "runtimes/mcp/http_exchange.hpp"
#include "runtimes/mcp/link.hpp"
#include "runtimes/mcp/oauth_authorizer.hpp"
#include "runtimes/mcp/server_state.hpp"
#include "runtimes/mcp/unanswered.hpp"

namespace interline::runtimes::mcp {

struct HttpConfiguration {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  ///< of every request
  std::shared_ptr<Authorizer> authorizer;                    ///< none: nothing is shown
  std::optional<OAuthConfiguration> oauth;                   ///< instead
  net::http::ClientOptions client;
  HttpLimits limits;
  std::size_t sessions = 1'000;  ///< at a legacy server; the one that rests longest gives way
  std::chrono::milliseconds probe_timeout{30'000};
  std::chrono::milliseconds retry_first{500};  ///< of what is repeated, and of lost streams
  std::chrono::milliseconds retry_longest{30'000};
  unsigned resumptions = 8;  ///< of one stream, in a row without a message
};

class HttpLink final : public Link, public std::enable_shared_from_this<HttpLink> {
 public:
  HttpLink(net::Executor strand, HttpConfiguration configuration,
           std::shared_ptr<ServerState> state, Logger log);

  [[nodiscard]] net::Executor strand() const override { return strand_; }
  [[nodiscard]] net::awaitable<Result<void>> opened() override;
  [[nodiscard]] const protocols::mcp::ServerHello& hello() const override { return hello_; }
  [[nodiscard]] net::awaitable<Result<Reply>> request(Outgoing outgoing) override;
  [[nodiscard]] bool lasting() const override { return true; }

  /// Called each time the server was opened.
  void on_open(std::function<void()> tell) { on_open_ = std::move(tell); }
  /// Ends what is on its way, and the sessions.
  void close();

 private:
  using Message = protocols::jsonrpc::Message;

  /// A session of a legacy server's, or the want of one.
  struct Session {
    std::string id;  ///< "": the server has none
    std::chrono::steady_clock::time_point used;
    Unanswered unanswered;
    bool doubtful = false;  ///< it asked what could not be told to belong to a call
    std::shared_ptr<HttpExchange> ear;
    std::optional<boost::asio::steady_timer> pause;  ///< between two streams of what it tells

    /// Nothing is heard any more.
    void be_deaf();
  };
  using SessionPointer = std::shared_ptr<Session>;
  enum class Era : std::uint8_t { unknown, opening, modern, legacy };

  // Opening: http_link_open.cpp.
  [[nodiscard]] net::awaitable<Result<void>> open_up();
  [[nodiscard]] net::awaitable<Result<void>> probe();
  /// One of the two requests that open a server, let in as often as it takes.
  [[nodiscard]] net::awaitable<HttpAnswer> knock(std::string_view method, std::string params,
                                                 std::string_view version);
  [[nodiscard]] net::awaitable<Result<SessionPointer>> initialize();
  [[nodiscard]] net::awaitable<Result<SessionPointer>> session_for(std::string caller);
  void forget(const SessionPointer& session);
  void make_room();
  [[nodiscard]] static net::awaitable<void> end_session(std::shared_ptr<HttpLink> self,
                                                        std::shared_ptr<net::http::Client> client,
                                                        std::string id);
  [[nodiscard]] static net::awaitable<void> hear(std::shared_ptr<HttpLink> self,
                                                 SessionPointer session);
  void use(protocols::mcp::ServerHello hello);

  // Requests: http_link.cpp.
  struct Sent;
  [[nodiscard]] net::awaitable<Result<Sent>> send(const Outgoing& outgoing, SessionPointer session);
  [[nodiscard]] net::awaitable<HttpAnswer> exchange(net::http::FetchRequest request, std::string id,
                                                    std::shared_ptr<StreamListener> listener,
                                                    std::shared_ptr<Stop> stop,
                                                    std::chrono::milliseconds timeout);
  [[nodiscard]] net::awaitable<HttpAnswer> resume(HttpAnswer answer, std::string id,
                                                  SessionPointer session,
                                                  std::shared_ptr<StreamListener> listener,
                                                  const Outgoing& outgoing);
  [[nodiscard]] net::awaitable<Result<net::http::FetchRequest>> make_request(
      net::http::Method method, SessionPointer session);
  [[nodiscard]] net::awaitable<void> post(SessionPointer session, std::string body);
  static net::awaitable<void> post_alone(std::shared_ptr<HttpLink> self, SessionPointer session,
                                         std::string body);
  [[nodiscard]] Result<void> add_mirrors(const Outgoing& outgoing,
                                         net::http::FetchRequest& request) const;
  void learn_tools(const Reply& reply, bool first_page);
  [[nodiscard]] net::awaitable<Result<void>> know_tools();

  const net::Executor strand_;
  const HttpConfiguration configuration_;
  const std::shared_ptr<ServerState> state_;
  const Logger log_;
  std::shared_ptr<net::http::Client> client_;  ///< none once it is closed
  const std::shared_ptr<Authorizer> authorizer_;
  std::function<void()> on_open_;
  net::Event opening_;
  Era era_ = Era::unknown;
  Result<void> opened_;
  protocols::mcp::ServerHello hello_;
  Flights ids_;
  std::map<std::string, SessionPointer> sessions_;  ///< by caller; "" where there are none
  std::map<std::string, bool> making_;              ///< callers whose session is being made
  std::map<std::string, protocols::mcp::ParamHeaders, std::less<>> mirrors_;  ///< by tool
  bool tools_known_ = false;
  Exchanges<HttpExchange> exchanges_;
  bool closed_ = false;
};

}  // namespace interline::runtimes::mcp
