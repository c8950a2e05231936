// What the lines of one connection mean, and their answers (2026-07-28, basic/transports/stdio; the
// same transport in the revisions before it). No I/O: lines come in by take(), and go out through
// the outbox.
//
// Requests are answered as they get ready. Revisions may be mixed: what is stamped with a modern
// one stands for itself, the rest belongs to the session that `initialize` opened.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "bindings/mcp/line_request.hpp"
#include "net/line_buffer.hpp"
#include "protocols/mcp/server/session.hpp"

namespace interline::mcp {

namespace rules = protocols::mcp;
namespace server = protocols::mcp::server;
using engine::awaitable;

/// All members are called on the connection's strand.
class LineExchanges : public std::enable_shared_from_this<LineExchanges> {
 public:
  /// Requests of one connection that are not answered yet; one more is refused.
  static constexpr std::size_t kMostOpen = 1'024;

  /// `endpoint`: the one that is shown; "": all. The server outlives every request.
  LineExchanges(server::Server& mcp, bool legacy, std::shared_ptr<LineOutbox> outbox,
                net::Executor executor, policy::Principal who, std::string endpoint);
  ~LineExchanges();
  LineExchanges(const LineExchanges&) = delete;
  LineExchanges& operator=(const LineExchanges&) = delete;

  /// One at a time, in their order: returns when the next may come, before it has been answered.
  [[nodiscard]] awaitable<void> take(net::Line line);

  /// Requests that somebody still works for.
  [[nodiscard]] std::size_t open() const { return working_; }
  /// Subscriptions end without a word: their reader has gone.
  void leave_subscriptions();
  /// So does everything else.
  void cancel_all();

 private:
  using Text = LineRequest::Text;
  using Request = std::shared_ptr<LineRequest>;
  using Batch = std::shared_ptr<LineBatch>;

  void refuse_long(const net::Line& line);
  void refuse(const rules::Refusal& refusal, const Batch& batch = {});
  void take_batch(const Text& text, const rules::LegacyBatch& messages,
                  const rules::Served& served);
  void take_modern(const Text& text, const rules::ModernExchange& exchange,
                   const rules::Features& features);
  [[nodiscard]] awaitable<void> take_opening(const rules::LegacyExchange& exchange,
                                             rules::Features features);
  void take_legacy(const Text& text, const rules::LegacyExchange& exchange,
                   const rules::Features& features, const Batch& batch = {});
  void heed(const protocols::jsonrpc::Message& message);

  /// nullptr: it was refused.
  [[nodiscard]] Request begin(const Text& text, std::string_view id, const Batch& batch = {});
  template <class Exchange>
  [[nodiscard]] server::Asked asked_of(const Exchange& exchange,
                                       const rules::Features& features) const;
  static awaitable<void> answer_modern(std::shared_ptr<LineExchanges> self, Request request,
                                       rules::ModernExchange exchange, rules::Features features);
  static awaitable<void> answer_legacy(std::shared_ptr<LineExchanges> self, Request request,
                                       rules::LegacyExchange exchange, rules::Features features);
  void finish(const Request& request, std::string answer);
  /// One part of it is done; the last one sends the answers.
  void finish_batch(LineBatch& batch);

  void hear_session();
  void tell_of_session();

  server::Server& mcp_;
  const bool legacy_;
  const std::shared_ptr<LineOutbox> outbox_;
  const net::Executor executor_;
  const policy::Principal who_;
  const std::string endpoint_;

  std::map<std::string, Request, std::less<>> requests_;  ///< not answered, not taken back; by id
  std::map<std::string, Request, std::less<>> listens_;   ///< those of them that are subscriptions
  std::size_t working_ = 0;
  LineOutbox::Owner owners_ = LineOutbox::kNobody;

  std::shared_ptr<server::Session> session_;  ///< since `initialize`
  server::EventLog::ReaderNumber hearing_ = 0;
  server::EventLog::Sequence heard_ = 0;
};

}  // namespace interline::mcp
